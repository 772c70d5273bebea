// A tolerant view of a module's words: every instruction with its operands as the grammar cuts them,
// definitions, uses, names, decorations, functions and blocks. It accepts any words: unreadable ones
// are marked and left out, so that a rule can report them.
//
// Building it takes time and memory linear in the number of words, for any content. All accessors
// are total: the answer for a missing object is 0, empty or kNone.
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

namespace transpire::decoder::view {

using Id = std::uint32_t;

/// An index that means "none", for instructions, functions and blocks.
inline constexpr std::uint32_t kNone = 0xffffffffu;

/// One operand. Enumerants' and masks' parameters are operands of their own; pairs are two.
struct Operand {
  OperandKind kind;
  std::uint16_t at;     ///< its first word, from the start of the instruction
  std::uint16_t words;  ///< number of words
};

/// How an instruction's words fit the grammar.
enum class Shape : std::uint8_t {
  kGood,
  kUnknownOpcode,
  kTooShort,      ///< an operand is missing
  kTooLong,       ///< words are left over
  kOpenString,    ///< a string has no end
  kBadEnumerant,  ///< a value or a mask bit that the grammar does not know
  kNoNumberType,  ///< a number of unknown width, because its type is no number type
};

/// One instruction. Operands count from 0, behind result type and result.
struct Instruction {
  std::uint32_t offset = 0;  ///< offset of its first word in the module
  std::uint16_t word_count = 0;
  spv::Op op = spv::Op::OpNop;
  Shape shape = Shape::kGood;
  std::uint16_t shape_at = 0;  ///< first bad word, from the start of the instruction
  std::uint16_t operand_count = 0;
  /// The kind of the unknown enumerant if the shape is kBadEnumerant.
  OperandKind unknown_kind{};
  ExtendedSet set = ExtendedSet::kUnknown;  ///< for OpExtInst
  std::uint32_t first_operand = 0;
  Id type_id = 0;
  Id result_id = 0;
  std::uint32_t function = kNone;
  std::uint32_t block = kNone;
  const OpcodeInfo* info = nullptr;  ///< null for an unknown opcode
};

/// From an OpFunction to its OpFunctionEnd, or up to the next OpFunction.
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
      successors;  ///< blocks of the same function; may contain a block twice
};

/// One decoration of one target; decorations of groups are repeated for each member of the group.
struct Decoration {
  Id target = 0;
  std::uint32_t member = kNone;  ///< member of a structure; kNone: the target itself
  spv::Decoration kind{};
  std::uint32_t instruction = 0;      ///< OpDecorate and the like
  std::uint32_t first_parameter = 0;  ///< operand of `instruction`
};

class ModuleView {
 public:
  /// Keeps a reference to the words, which have the host's byte order and include the header.
  explicit ModuleView(std::span<const std::uint32_t> words);

  std::span<const std::uint32_t> words() const { return words_; }
  /// Refers to a copy of the words from now on.
  void refer_to(std::span<const std::uint32_t> same_words) { words_ = same_words; }
  /// Word N of the header; 0 if the module is shorter.
  std::uint32_t header(std::size_t n) const { return n < words_.size() ? words_[n] : 0; }
  std::uint32_t version() const { return header(1); }
  std::uint32_t bound() const { return header(3); }
  /// Offset at which word counts stop adding up; none if they do up to the end.
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
  /// The first word of operand `n`; 0 if there is none.
  std::uint32_t word(std::uint32_t instruction, std::size_t n) const;
  /// Operand `n` as a number of up to 64 bits.
  std::uint64_t number(std::uint32_t instruction, std::size_t n) const;
  /// The string in operand `n`, up to its zero octet or `most` octets. Messages ask for few octets:
  /// many messages with a long string would take quadratic time.
  std::string text(std::uint32_t instruction, std::size_t n,
                   std::size_t most = std::string::npos) const;
  /// True if the string in operand `n` is `wanted`; reads no more of it than needed.
  bool is_text(std::uint32_t instruction, std::size_t n, std::string_view wanted) const;
  bool is_id(const Operand& operand) const { return category_of(operand.kind) == Category::kId; }
  /// The first operand of that kind, or -1.
  int find_operand(std::uint32_t instruction, OperandKind kind) const;

  // ---- Ids --------------------------------------------------------------------------------------
  /// The first instruction with the id as its result; kNone if there is none.
  std::uint32_t definition(Id id) const;
  /// Opcode of the definition; OpNop if there is none.
  spv::Op op_of(Id id) const;
  /// The result type of the definition; 0 if it has none.
  Id type_of(Id id) const;
  /// Instructions that have the id among their operands or as result type, in order, each once per use.
  std::span<const std::uint32_t> uses(Id id) const;
  /// Instructions whose result was defined before.
  std::span<const std::uint32_t> redefinitions() const { return redefinitions_; }
  /// The first `most` octets of the id's name in the text, else of its OpName; empty if there is
  /// neither.
  std::string name(Id id, std::size_t most) const;
  /// Sets the names of ids in the text that the words were made of.
  void call_ids(std::unordered_map<Id, std::string> names) { text_names_ = std::move(names); }
  const std::unordered_map<Id, std::string>& text_names() const { return text_names_; }
  /// An operand of the instruction that defines the id, e.g. the width of a type; 0 if there is
  /// none.
  std::uint32_t definition_word(Id id, std::size_t operand) const;

  // ---- Types and constants ----------------------------------------------------------------------
  bool is_type(Id id) const;
  bool is_int(Id type, std::uint32_t width = 0) const;    ///< a scalar integer type
  bool is_float(Id type, std::uint32_t width = 0) const;  ///< a scalar floating-point type
  /// The component type of a vector; the type itself otherwise.
  Id component_type(Id type) const;
  /// Storage class of a pointer type; none for other ids.
  std::optional<spv::StorageClass> storage_class(Id pointer_type) const;
  Id pointee(Id pointer_type) const;  ///< 0 if it is no pointer type
  /// The value of an OpConstant of an integer type, zero-extended, or of its OpConstantNull. None
  /// for specialisation constants and computed values.
  std::optional<std::uint64_t> constant_value(Id id) const;

  // ---- Decorations, entry points ----------------------------------------------------------------
  /// Decorations of an id and its members, sorted by the instruction that makes them.
  std::span<const Decoration> decorations(Id id) const;
  std::span<const Decoration> all_decorations() const { return decorations_; }
  /// The id's own decoration of that kind; null if there is none.
  const Decoration* decoration(Id id, spv::Decoration kind) const;
  bool has_capability(spv::Capability capability) const;
  /// True if an OpEntryPoint names the function.
  bool is_entry_point(Id function) const;
  /// The block that begins with the label; kNone if the id is no OpLabel's.
  std::uint32_t block_of(Id label) const;
  std::uint32_t function_of(Id function) const;  ///< index of the function that the id defines

  /// The OpLine in effect at an instruction; kNone if there is none.
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
  std::vector<IdEntry> dense_;  ///< by id, up to a bound that follows from the module's size
  std::unordered_map<Id, IdEntry> sparse_;  ///< larger ids
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> redefinitions_;
  std::vector<std::uint32_t> by_opcode_;  ///< instructions, grouped by opcode
  std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> opcode_ranges_;
  std::vector<Decoration> decorations_;  ///< sorted by target
  std::vector<std::uint32_t> capabilities_;
  std::vector<Id> entry_points_;  ///< functions, sorted
  std::unordered_map<Id, std::string> text_names_;
};

}  // namespace transpire::decoder::view
