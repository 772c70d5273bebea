// Writes a module as assembly text: types and constants once each, instructions with fresh ids.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/hostile/shape.h"

namespace transpire::hostile {

class ModuleText {
 public:
  explicit ModuleText(bool wide);

  // Types, constants and variables of the module. The same words give the same id.
  std::string global(const std::string& words);
  std::string named_global(const std::string& name, const std::string& words);
  std::string integer(unsigned bits);
  /// An integer as wide as a pointer.
  std::string size_type() { return integer(wide_ ? 64 : 32); }
  std::string type(const Element& element);
  std::string pointer(Space space, const std::string& to);
  std::string array(const std::string& of, std::uint64_t count);
  std::string number(const std::string& type, std::uint64_t value);
  std::string size(std::uint64_t value) { return number(size_type(), value); }
  std::string uint(std::uint64_t value) { return number(integer(32), value); }
  std::string boolean() { return global("OpTypeBool"); }
  /// A component of a built-in variable, as wide as a pointer.
  std::string builtin(const std::string& name, unsigned component = 0);

  // Functions.
  using Parameters = std::vector<std::pair<std::string, std::string>>;  ///< name, type
  void begin_kernel(const std::string& name, const Parameters& parameters);
  /// A function that kernels call; gives its id.
  std::string begin_function(const std::string& result, const Parameters& parameters);
  void end_function(const std::string& terminator = "OpReturn");

  /// Of the function that is being written.
  std::string parameter(const std::string& name) const { return known_.at("parameter " + name); }

  /// An instruction with a result; gives its id.
  std::string op(const std::string& words);
  void act(const std::string& words);
  void label(const std::string& id);
  /// Of the block that is being written.
  const std::string& block() const { return block_; }
  std::string fresh(const std::string& prefix = "v");
  /// A variable of the function, by name if one is given.
  std::string variable(const std::string& type, const std::string& name = {});
  /// Findings of what follows name this line; 0 ends it.
  void line(unsigned number);

  // Frequent instructions.
  std::string load(const std::string& type, const std::string& from, std::uint64_t align);
  void store(const std::string& to, const std::string& value, std::uint64_t align);
  std::string element_at(const std::string& pointer_type, const std::string& base,
                         const std::string& index);

  bool wide() const { return wide_; }
  std::uint64_t pointer_bytes() const { return wide_ ? 8 : 4; }
  std::string text() const;

 private:
  void begin(const std::string& head, const Parameters& parameters);

  bool wide_;
  unsigned next_ = 0;
  std::string names_, decorations_, globals_, functions_, entry_points_;
  std::string head_, variables_, body_;  ///< of the function that is being written
  std::string block_;
  std::map<std::string, std::string> known_;
  std::string inputs_;
};

}  // namespace transpire::hostile
