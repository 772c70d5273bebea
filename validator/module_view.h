// A tolerant view of a module's words for the validator: every instruction with its operands as the
// grammar cuts them, definitions, uses, names, decorations, functions and blocks. It takes any words:
// what cannot be read is marked and left out, never refused, so that a rule can say what is wrong.
//
// Building it takes time and memory linear in the number of words, whatever they hold. All accessors
// are total: what does not exist is 0, empty or kNone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decoder/grammar.h"

namespace transpire::validator {

using Id = std::uint32_t;

/// An index that stands for "there is none": of instructions, functions, blocks.
inline constexpr std::uint32_t kNone = 0xffffffffu;

/// One operand. Enumerants' and masks' parameters are operands of their own; pairs are two.
struct Operand {
  decoder::OperandKind kind;
  std::uint16_t at;     ///< its first word, counted from the start of the instruction
  std::uint16_t words;  ///< how many
};

/// Whether an instruction's words are what the grammar wants.
enum class Shape : std::uint8_t {
  kGood,
  kUnknownOpcode,
  kTooShort,      ///< an operand is missing
  kTooLong,       ///< words are left over
  kOpenString,    ///< a string has no end
  kBadEnumerant,  ///< a value or a mask bit that the grammar does not know
  kNoNumberType,  ///< a number whose width is unknown, because its type is no number's
};

/// One instruction. Operands count from 0, behind result type and result.
struct Instruction {
  std::uint32_t offset = 0;  ///< of its first word in the module
  std::uint16_t word_count = 0;
  spv::Op op = spv::Op::OpNop;
  Shape shape = Shape::kGood;
  std::uint16_t shape_at = 0;  ///< the word where it is not good, from the start of the instruction
  std::uint16_t operand_count = 0;
  /// The kind of the unknown enumerant, when the shape is kBadEnumerant.
  decoder::OperandKind unknown_kind{};
  decoder::ExtendedSet set = decoder::ExtendedSet::kUnknown;  ///< of an OpExtInst
  std::uint32_t first_operand = 0;
  Id type_id = 0;
  Id result_id = 0;
  std::uint32_t function = kNone;
  std::uint32_t block = kNone;
  const decoder::OpcodeInfo* info = nullptr;  ///< null for an unknown opcode
};

/// From an OpFunction to its OpFunctionEnd, or to where another one begins.
struct Function {
  std::uint32_t first = 0, end = 0;  ///< instructions; `end` is one past the last
  std::uint32_t first_block = 0, end_block = 0;
  std::vector<std::uint32_t> parameters;  ///< instructions
  bool closed = false;                    ///< there is an OpFunctionEnd
  bool has_body() const { return first_block != end_block; }
};

/// From an OpLabel to its terminator, or to where another block or the function ends.
struct Block {
  std::uint32_t first = 0, end = 0;  ///< instructions; the first is the OpLabel
  std::uint32_t function = kNone;
  std::uint32_t terminator = kNone;  ///< an instruction
  std::vector<std::uint32_t>
      successors;  ///< blocks of the same function; a block may be there twice
};

/// One decoration of one target; decorations of groups are repeated for each member of the group.
struct Decoration {
  Id target = 0;
  std::uint32_t member = kNone;  ///< of a structure; kNone: of the target itself
  spv::Decoration kind{};
  std::uint32_t instruction = 0;      ///< OpDecorate and the like
  std::uint32_t first_parameter = 0;  ///< operand of `instruction`
};

class ModuleView {
 public:
  /// The words are kept by reference; they have the host's byte order, header included.
  explicit ModuleView(std::span<const std::uint32_t> words);

  std::span<const std::uint32_t> words() const { return words_; }
  /// A copy of the words, which the view refers to from now on.
  void refer_to(std::span<const std::uint32_t> same_words) { words_ = same_words; }
  /// Word N of the header; 0 when the module is shorter.
  std::uint32_t header(std::size_t n) const { return n < words_.size() ? words_[n] : 0; }
  std::uint32_t version() const { return header(1); }
  std::uint32_t bound() const { return header(3); }
  /// Where word counts stop adding up; nothing when they do up to the end.
  std::optional<std::uint32_t> broken_at() const { return broken_at_; }

  std::span<const Instruction> instructions() const { return instructions_; }
  const Instruction& at(std::uint32_t instruction) const;
  /// The instructions with that opcode, in order.
  std::span<const std::uint32_t> all(spv::Op op) const;
  std::span<const Function> functions() const { return functions_; }
  std::span<const Block> blocks() const { return blocks_; }

  // ---- Operands ---------------------------------------------------------------------------------
  std::span<const Operand> operands(std::uint32_t instruction) const;
  std::size_t operand_count(std::uint32_t instruction) const {
    return at(instruction).operand_count;
  }
  bool has_operand(std::uint32_t instruction, std::size_t n) const {
    return n < at(instruction).operand_count;
  }
  /// The first word of operand `n`; 0 when there is none.
  std::uint32_t word(std::uint32_t instruction, std::size_t n) const;
  /// The number of operand `n`, of up to 64 bits, as it stands.
  std::uint64_t number(std::uint32_t instruction, std::size_t n) const;
  /// The string that operand `n` is, up to its zero octet, or the first `most` octets of it. Messages ask for
  /// few: a long string that many of them name would cost time that grows with both.
  std::string text(std::uint32_t instruction, std::size_t n,
                   std::size_t most = std::string::npos) const;
  /// Whether that string is `wanted`; reads no more of it than that takes.
  bool is_text(std::uint32_t instruction, std::size_t n, std::string_view wanted) const;
  bool is_id(const Operand& operand) const {
    return decoder::category_of(operand.kind) == decoder::Category::kId;
  }
  /// The first operand of that kind, or -1.
  int find_operand(std::uint32_t instruction, decoder::OperandKind kind) const;

  // ---- Ids --------------------------------------------------------------------------------------
  /// The first instruction that has the id as its result; kNone when there is none.
  std::uint32_t definition(Id id) const;
  /// Opcode of the definition; OpNop when there is none.
  spv::Op op_of(Id id) const;
  /// The result type of the definition; 0 when it has none.
  Id type_of(Id id) const;
  /// Instructions that have the id among their operands or as result type, in order, each once per use.
  std::span<const std::uint32_t> uses(Id id) const;
  /// Instructions whose result was defined before.
  std::span<const std::uint32_t> redefinitions() const { return redefinitions_; }
  /// The first `most` octets of what the text calls the id, else of its OpName; empty when there is none.
  std::string name(Id id, std::size_t most) const;
  /// The text that the words were made of calls its ids so.
  void call_ids(std::unordered_map<Id, std::string> names) { text_names_ = std::move(names); }
  const std::unordered_map<Id, std::string>& text_names() const { return text_names_; }
  /// Operand 0 of the instruction that defines the id, e.g. the width of a type; 0 when there is none.
  std::uint32_t definition_word(Id id, std::size_t operand) const;

  // ---- Types and constants ----------------------------------------------------------------------
  bool is_type(Id id) const;
  bool is_int(Id type, std::uint32_t width = 0) const;    ///< a scalar integer type
  bool is_float(Id type, std::uint32_t width = 0) const;  ///< a scalar floating-point type
  /// The component type of a vector; the type itself otherwise.
  Id component_type(Id type) const;
  /// Storage class of a pointer type; nothing when it is none.
  std::optional<spv::StorageClass> storage_class(Id pointer_type) const;
  Id pointee(Id pointer_type) const;  ///< 0 when it is no pointer type
  /// The value of an OpConstant of an integer type, or of its OpConstantNull: zero-extended. Nothing
  /// for specialisation constants and for what is computed.
  std::optional<std::uint64_t> constant_value(Id id) const;

  // ---- Decorations, entry points ----------------------------------------------------------------
  /// Of an id and its members, sorted by the instruction that makes them.
  std::span<const Decoration> decorations(Id id) const;
  std::span<const Decoration> all_decorations() const { return decorations_; }
  /// The decoration of the id itself; null when it has none of that kind.
  const Decoration* decoration(Id id, spv::Decoration kind) const;
  bool has_capability(spv::Capability capability) const;
  /// Whether an OpEntryPoint names the function.
  bool is_entry_point(Id function) const;
  /// The block that an OpLabel's id begins; kNone when it is no label.
  std::uint32_t block_of(Id label) const;
  std::uint32_t function_of(Id function) const;  ///< index of the function that the id defines

  /// The OpLine that holds for an instruction; kNone when none does.
  std::uint32_t line_of(std::uint32_t instruction) const;

 private:
  friend class ViewBuilder;
  struct IdEntry {
    std::uint32_t definition = kNone;
    std::uint32_t name = kNone;
    std::uint32_t first_use = 0;
    std::uint32_t use_count = 0;
  };
  const IdEntry* entry(Id id) const;
  IdEntry& entry_for(Id id);

  std::span<const std::uint32_t> words_;
  std::optional<std::uint32_t> broken_at_;
  std::vector<Instruction> instructions_;
  std::vector<Operand> operands_;
  std::vector<Function> functions_;
  std::vector<Block> blocks_;
  std::vector<IdEntry> dense_;  ///< by id, as far as the size of the module makes likely
  std::unordered_map<Id, IdEntry> sparse_;  ///< the others
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> redefinitions_;
  std::vector<std::uint32_t> by_opcode_;  ///< instructions, grouped by opcode
  std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> opcode_ranges_;
  std::vector<Decoration> decorations_;  ///< sorted by target
  std::vector<std::uint32_t> capabilities_;
  std::vector<Id> entry_points_;  ///< functions, sorted
  std::unordered_map<Id, std::string> text_names_;
};

}  // namespace transpire::validator
