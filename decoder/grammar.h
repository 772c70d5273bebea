// The grammar of SPIR-V, and of the extended instruction sets that compute, as tables: the operands
// of an instruction, the name and parameters of an enumerant, and the required capabilities,
// extensions and version. decoder/generate_grammar.py makes the tables in the build tree from
// SPIRV-Headers; they have no semantics.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

#include "decoder/extended_sets.h"

namespace transpire::decoder {

/// The grammar's operand kinds under their own names: kIdRef, kLiteralInteger, kMemoryAccess, ...
enum class OperandKind : std::uint8_t {
#include "decoder/grammar_kinds.inc"
};

enum class Category : std::uint8_t { kBitEnum, kValueEnum, kId, kLiteral, kComposite };

enum class Quantifier : std::uint8_t { kOne, kOptional, kAny };

struct OperandSpec {
  OperandKind kind;
  Quantifier quantifier;
};

/// Requirements of an instruction or enumerant: any one of the capabilities.
struct Requirements {
  std::uint32_t version;  ///< 0 for all versions, 0x00010300 for 1.3, all ones for extensions only
  std::span<const spv::Capability> capabilities;
  std::span<const std::string_view> extensions;
};

struct OpcodeInfo {
  std::uint32_t opcode;
  std::string_view name;
  std::string_view class_name;            ///< e.g. "Arithmetic"
  std::span<const OperandSpec> operands;  ///< without result type and result
  bool has_type;
  bool has_result;
  bool is_newer;  ///< the installed SPIRV-Tools may not know it (decoder/newer_instructions.json)
  Requirements needs;
};

struct EnumerantInfo {
  std::uint32_t value;  ///< for masks one bit, or 0
  std::string_view name;
  std::span<const OperandSpec> parameters;
  Requirements needs;
};

/// An extended instruction.
struct ExtInstInfo {
  ExtendedSet set;
  std::uint32_t number;
  std::string_view name;
  std::span<const OperandSpec> operands;
};

/// Null if the grammar has no such row. Aliases give the row without vendor suffix.
const OpcodeInfo* find_opcode(std::uint32_t opcode);
const OpcodeInfo* find_opcode_named(std::string_view name);
const EnumerantInfo* find_enumerant(OperandKind kind, std::uint32_t value);
/// Number of different values that have a name.
std::size_t enumerant_count(OperandKind kind);
const ExtInstInfo* find_ext_inst(ExtendedSet set, std::uint32_t number);

Category category_of(OperandKind kind);
/// The grammar's name of the kind, e.g. "StorageClass".
std::string_view kind_name(OperandKind kind);
/// The enumerant's name; empty if the kind has no such value.
std::string_view enumerant_name(OperandKind kind, std::uint32_t value);

/// Looks up a name or alias that the installed grammar is too old for (decoder/newer_hints.json);
/// null if there is none.
const EnumerantInfo* find_newer_enumerant(std::string_view name);
/// The instruction of decoder/newer_instructions.json with this name, or with this one behind "Op"; null if there is none.
const OpcodeInfo* find_newer_opcode(std::string_view name);
/// Null if the kind has no such name.
const EnumerantInfo* find_enumerant_named(OperandKind kind, std::string_view name);

/// All names, for suggestions.
std::vector<std::string> opcode_names();
/// All names of the kind that SPIRV-Tools calls `kind_in_words`: "storage class" is StorageClass.
/// Empty if there is no such kind.
std::vector<std::string> enumerant_names(std::string_view kind_in_words);
std::vector<std::string> ext_inst_names();

/// True if the instruction ends a block.
bool is_terminator(spv::Op op);

}  // namespace transpire::decoder
