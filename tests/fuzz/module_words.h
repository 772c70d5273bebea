// ModuleWords: a SPIR-V kernel module written word by word, for generators of large modules. One
// kernel, `k`, with a global pointer to 64-bit integers; instructions go to the section that they
// belong to, in any order of calls.
#pragma once

#include <cstdint>
#include <map>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <vector>

namespace transpire::fuzz {

using Words = std::vector<std::uint32_t>;

/// An instruction with its operands, result and type among them.
inline void append(Words& words, spv::Op op, const Words& operands) {
  words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 |
                  static_cast<std::uint32_t>(op));
  words.insert(words.end(), operands.begin(), operands.end());
}

class ModuleWords {
 public:
  using Id = std::uint32_t;

  ModuleWords();

  Id id() { return next_id_++; }

  // Sections, in the order in which a module has them.
  void name(Id target, std::string_view text);
  void decorate(Id target, spv::Decoration kind, const Words& operands = {});
  /// An instruction of the module's scope with a result and, unless it is 0, a type.
  Id declare(spv::Op op, Id type, const Words& operands);

  // Types and constants, one each.
  Id void_type() const { return void_; }
  Id int_type(std::uint32_t bits);
  Id bool_type();
  Id vector(Id element, std::uint32_t count);
  Id array(Id element, std::uint64_t count);
  Id pointer(spv::StorageClass storage, Id pointee);
  Id function_type(Id result, const Words& parameters);
  Id constant(Id int_type, std::uint64_t value);

  // Functions. What follows begin_function() belongs to it, up to end_function().
  Id begin_function(Id result, Id function_type);
  void end_function() { emit(spv::Op::OpFunctionEnd, {}); }
  void begin_kernel();  ///< its parameter is out()
  void label(Id block) { emit(spv::Op::OpLabel, {block}); }
  void emit(spv::Op op, const Words& operands) { append(functions_, op, operands); }
  /// With a type and a result.
  Id value(spv::Op op, Id type, const Words& operands);
  Id out() const { return out_; }
  /// Loads element `index` of out(): a value that no pass knows.
  Id load(std::uint64_t index = 0);
  void store(Id value, std::uint64_t index = 0);
  /// The work-item's number as a 64-bit integer: a value that differs from lane to lane.
  Id lane();
  /// An OpVariable, which the specification wants in the first block.
  Id variable(Id pointee);

  Words finish() const;

 private:
  Id once(spv::Op op, Id type, const Words& operands);
  Id element(std::uint64_t index);

  Id next_id_ = 1;
  Words names_, decorations_, declarations_, functions_;
  std::map<Words, Id> known_;
  Id void_ = 0, long_ = 0, kernel_ = 0, out_ = 0, global_long_ = 0, lane_variable_ = 0;
};

}  // namespace transpire::fuzz
