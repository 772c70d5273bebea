// Assembly: writes a module in the short form of assembly (tests/programs/README.md), which declares types, constants and
// built-in variables by their names. All generators of assembly write with it.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

namespace transpire::oracle {

class Assembly {
 public:
  /// A name that no other instruction has: "%prefix7".
  std::string fresh(const std::string& prefix) { return fmt::format("%{}{}", prefix, ++next_); }

  // ---- The function that is being written

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    (body_ += fmt::format(text, std::forward<Arguments>(arguments)...)) += '\n';
  }
  /// An instruction with a result, whose name is returned.
  template <class... Arguments>
  std::string make(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    std::string result = fresh("t");
    line("{} = {}", result, fmt::format(text, std::forward<Arguments>(arguments)...));
    return result;
  }
  void label(const std::string& name) { line("{} = OpLabel", name); }
  /// A variable of the function. Findings call it by `name`, unless that is empty.
  std::string variable(const std::string& type, const std::string& name = {}) {
    std::string result = name.empty() ? fresh("slot") : named(name);
    variables_ += fmt::format("{} = OpVariable %_ptr_Function_{} Function\n", result, type);
    return result;
  }
  /// `head` are the lines up to the first label. Variables come behind it.
  void begin_function(const std::string& head) { head_ = head + '\n'; }
  void end_function(const std::string& terminator = "OpReturn") {
    line("{}\nOpFunctionEnd", terminator);
    functions_ +=
        std::exchange(head_, {}) + std::exchange(variables_, {}) + std::exchange(body_, {});
  }

  // ---- What stands before the functions

  /// A declaration, written once however often it is asked for.
  template <class... Arguments>
  void global(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    std::string declaration = fmt::format(text, std::forward<Arguments>(arguments)...) + '\n';
    if (known_.insert(declaration).second) globals_ += declaration;
  }
  /// A fresh name that findings spell as `name`.
  std::string named(const std::string& name) {
    std::string result = fresh(name + "_");
    global("OpName {} \"{}\"", result, name);
    return result;
  }

  /// The module in the short form, which shorthand::declare() completes.
  std::string short_form() const { return globals_ + functions_; }

 private:
  unsigned next_ = 0;
  std::string globals_, functions_;
  std::string head_, variables_, body_;  ///< parts of the function that is being written
  std::set<std::string> known_;          ///< declarations
};

}  // namespace transpire::oracle
