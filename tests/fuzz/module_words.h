// ModuleWords: a SPIR-V kernel module written word by word, for generators of large modules. One
// kernel, `k`, with a global pointer to 64-bit integers; instructions go to the section that they
// belong to, in any order of calls.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <utility>
#include <vector>

namespace transpire::fuzz {

class ModuleWords {
 public:
  using Id = std::uint32_t;
  using Words = std::vector<std::uint32_t>;

  ModuleWords();

  Id id() { return next_id_++; }

  // Sections, in the order in which a module has them.
  void name(Id target, std::string_view text);
  void decorate(Id target, spv::Decoration kind,
                std::initializer_list<std::uint32_t> operands = {});
  /// An instruction of the module's scope with a result and, unless it is 0, a type.
  Id declare(spv::Op op, Id type, std::span<const std::uint32_t> operands);
  Id declare(spv::Op op, Id type, std::initializer_list<std::uint32_t> operands) {
    return declare(op, type, std::span(operands.begin(), operands.size()));
  }

  // Types and constants, one each.
  Id void_type() const { return void_; }
  Id int_type(std::uint32_t bits);
  Id bool_type();
  Id vector(Id element, std::uint32_t count);
  Id array(Id element, std::uint64_t count);
  Id pointer(spv::StorageClass storage, Id pointee);
  Id function_type(Id result, std::initializer_list<Id> parameters);
  Id constant(Id int_type, std::uint64_t value);

  // Functions. What follows begin_function() belongs to it, up to end_function().
  Id begin_function(Id result, Id function_type);
  void end_function() { emit(spv::Op::OpFunctionEnd, {}); }
  void begin_kernel();  ///< its parameter is out()
  void label(Id block) { emit(spv::Op::OpLabel, {block}); }
  void emit(spv::Op op, std::span<const std::uint32_t> operands);
  void emit(spv::Op op, std::initializer_list<std::uint32_t> operands) {
    emit(op, std::span(operands.begin(), operands.size()));
  }
  /// With a type and a result.
  Id value(spv::Op op, Id type, std::span<const std::uint32_t> operands);
  Id value(spv::Op op, Id type, std::initializer_list<std::uint32_t> operands) {
    return value(op, type, std::span(operands.begin(), operands.size()));
  }
  Id out() const { return out_; }
  /// Loads element `index` of out(): a value that no pass knows.
  Id load(std::uint64_t index = 0);
  void store(Id value, std::uint64_t index = 0);
  /// The work-item's number as a 64-bit integer: a value that differs from lane to lane.
  Id lane();
  /// An OpVariable, which the specification wants in the first block.
  Id variable(Id pointee);

  std::vector<std::uint32_t> finish() const;

 private:
  static void append(Words& words, spv::Op op, std::span<const std::uint32_t> operands);
  Id once(spv::Op op, Id type, std::initializer_list<std::uint32_t> operands);
  Id element(std::uint64_t index);

  Id next_id_ = 1;
  Words names_, decorations_, declarations_, functions_;
  std::map<std::vector<std::uint32_t>, Id> known_;
  Id void_ = 0, long_ = 0, kernel_ = 0, out_ = 0, global_long_ = 0, lane_variable_ = 0;
};

}  // namespace transpire::fuzz
