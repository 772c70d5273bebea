// The state that the steps of decoding share: the module under construction, the current
// instruction, and the first error. Steps are free functions `bool step(Context&, ...)`, one file
// each; false means that `failure` says why. No step trusts a word that an earlier step has not
// checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rule.h"
#include "decoder/grammar.h"
#include "decoder/module.h"

namespace transpire::decoder {

/// The value of IdEntry::index for a label, parameter or instruction: the function's index, or
/// this for an instruction of the module scope.
/// Helps of inputs that are no module, or a part of one.
inline constexpr const char* kNoModule =
    "give a module in words (.spv), assembly (.spvasm), or OpenCL C in a file whose name ends in "
    "'.cl'";
inline constexpr const char* kCutOff =
    "the file was cut off, or is not all SPIR-V: make it again, or copy all of it";
inline constexpr std::uint32_t kNoFunction = 0xffffffffu;

/// One instruction, its frame checked: `words` lie inside the module and hold at least the opcode,
/// the result type and the result.
struct Parsed {
  spv::Op op = spv::Op::OpNop;
  const OpcodeInfo* info = nullptr;
  std::uint32_t word_offset = 0;
  std::span<const std::uint32_t> words;
  Id type_id = 0;
  Id result_id = 0;
  std::span<const std::uint32_t> operands;  ///< words behind result type and result
};

/// An execution mode that waits for the constants that its operands may name.
struct PendingMode {
  Id function = 0;
  ExecutionMode mode;
  std::uint32_t word_offset = 0;
  spv::Op op = spv::Op::OpExecutionMode;
};

/// OpMemberName stands before its struct, which decides how many members there are.
struct PendingMemberName {
  std::uint32_t member = 0;
  std::string name;
};

/// A member decoration's target, which stands before its struct.
struct DecoratedMember {
  Id target = 0;
  std::uint32_t member = 0;
  std::uint32_t word_offset = 0;
  spv::Op op = spv::Op::OpMemberDecorate;
};

/// Bits of a scalar constant or of a component; if undefined, the reason and the operation that
/// causes it.
struct KnownScalar {
  FoldOperand value;
  Undefined undefined = Undefined::kNo;
  Id undefined_by = 0;
};

/// The parser's requirement for an id operand.
enum class IdRole : std::uint8_t {
  kAnything,  ///< within the bound; debug information may name undefined ids
  kDefined,   ///< the result of some instruction
  kValue,     ///< a constant, a variable, or a value of the current function
  kLabel,     ///< a block of the current function
  kFunction,
  kImport,  ///< an OpExtInstImport
  kString,  ///< an OpString
};

/// A parameter of a function of the source, from debug information.
struct DebugParameter {
  Id debug_function = 0;
  std::uint32_t number = 0;  ///< from 1
  Id name = 0;               ///< an OpString
};

struct Context {
  Context(Module& m, const DecodeOptions& o) : module(m), options(o) {}

  Module& module;
  const DecodeOptions& options;
  std::uint32_t frames_read = 0;  ///< counts frames, to look at the time limit now and then
  Diagnostic failure;

  std::vector<PendingMode> modes;
  std::unordered_map<Id, std::vector<PendingMemberName>> member_names;
  std::vector<DecoratedMember> decorated_members;
  std::uint64_t group_decorations = 0;  ///< number of copies made for OpGroupDecorate
  std::set<Id> forward_pointers;        ///< announced, not yet defined by an OpTypePointer
  std::unordered_map<Id, std::uint32_t> file_of_string;
  std::unordered_map<Id, Id> string_of_source;   ///< DebugSource to the OpString of its file
  Id debug_scope = 0, debug_inlined_at = 0;      ///< scope of the instructions that follow
  std::unordered_map<Id, Id> function_of_debug;  ///< DebugFunction to OpFunction
  std::vector<DebugParameter> debug_parameters;
  /// By index of Module::types and Module::constants: number of levels below, to bound recursion.
  std::vector<std::uint32_t> type_depth;
  std::vector<std::uint32_t> type_word_offset;
  std::vector<std::uint32_t> constant_depth;
  /// Components of constants of the kind kOperation: floats and vectors.
  std::unordered_map<Id, std::vector<KnownScalar>> known_operations;
  std::set<std::pair<std::string, spv::ExecutionModel>> entry_names;
  std::unordered_map<Id, std::vector<std::uint32_t>> entries_of_function;
  bool has_memory_model = false;
  bool has_source = false;

  std::uint32_t function_index = kNoFunction;  ///< function of the body being decoded
  std::uint32_t line = 0;                      ///< index into Module::lines

  /// Records the error; always returns false.
  bool fail(Rule rule, const Parsed& at, std::string message);
  bool fail(Rule rule, std::uint64_t word_offset, std::string_view instruction, std::string message,
            std::string help = {});
};

/// word_stream.cpp: reads the words in host byte order, and the header.
bool read_header(Context& context, std::span<const std::byte> bytes);
/// word_stream.cpp: reads the frame of the instruction at `word_offset`: word count, opcode, result
/// type and result.
bool read_frame(Context& context, std::uint32_t word_offset, Parsed& parsed);

/// ids.cpp, first pass over all frames: the kind, type and function of each result id.
bool index_ids(Context& context);

/// operands.cpp: checks every operand against the grammar and the allowed kinds of ids.
bool check_operands(Context& context, const Parsed& parsed);
/// id_roles.cpp: checks one id operand.
bool check_id(Context& context, const Parsed& parsed, Id id, IdRole role);
/// id_roles.cpp: "a type", "a label", ..., for messages.
std::string_view describe(IdKind kind);

// literals.cpp
/// Reads the literal string that starts `words`. Returns the number of its words; 0 if it is not
/// terminated.
std::uint32_t read_string(std::span<const std::uint32_t> words, std::string& text);
bool is_utf8(std::string_view text);
/// Replaces every byte that is no part of a UTF-8 sequence by U+FFFD.
std::string sanitise_utf8(std::string_view text);
/// A sanitised string that `check_operands` has accepted; `words_taken` may be null.
std::string text_operand(std::span<const std::uint32_t> words,
                         std::uint32_t* words_taken = nullptr);

// Module-scope instructions by family. Call each after `check_operands` has passed.
bool decode_mode_setting(Context& context, const Parsed& parsed);  // entry_points.cpp
bool decode_debug(Context& context, const Parsed& parsed);         // debug.cpp
bool decode_annotation(Context& context, const Parsed& parsed);    // annotations.cpp
bool decode_type(Context& context, const Parsed& parsed);          // types.cpp
bool decode_constant(Context& context, const Parsed& parsed);      // constants.cpp
bool decode_variable(Context& context, const Parsed& parsed);      // variables.cpp
/// debug.cpp: ends the range of lines and scopes at the end of a block or function.
void end_lines(Context& context);

/// debug.cpp: OpLine and OpNoLine, which may stand nearly anywhere.
bool decode_line(Context& context, const Parsed& parsed);

/// debug.cpp: gives parameters without an OpName their names from debug information.
void name_parameters(Context& context);

/// debug.cpp: an OpExtInst of a debug set.
void decode_debug_instruction(Context& context, const Parsed& parsed);

/// functions.cpp: decodes from the OpFunction at `word_offset`, which moves behind the
/// OpFunctionEnd.
bool decode_function(Context& context, std::uint32_t& word_offset);

// module.cpp: for debug information.
std::string file_name(const Module& module, std::uint32_t file);
/// The DebugFunction that is the scope or contains it; null if there is none.
const DebugScope* function_around(const Module& module, Id scope);

// Steps that need the whole module.
bool finish_types(Context& context);         // types.cpp: no type is endless
bool finish_annotations(Context& context);   // annotations.cpp: decorated members exist
bool finish_entry_points(Context& context);  // entry_points.cpp: modes to their entry points
bool finish_functions(Context& context);     // functions.cpp: calls fit, names are given

/// types.cpp: the type that an operand names; null, with the failure recorded, if it is not
/// declared before.
const Type* type_operand(Context& context, const Parsed& parsed, Id id);
/// types.cpp: refuses an instruction with untyped pointers that does not say as what it sees memory.
bool check_seen_type(Context& context, const Parsed& parsed);
/// types.cpp: the type of an untyped variable with such data. It has the untyped pointer's id.
const Type* add_typed_pointer(Context& context, const Type& untyped, const Type& pointee);
/// types.cpp: true if a value of one type can be copied to the other.
bool same_shape(const Type& left, const Type& right);

/// layout.cpp: computes size and alignment from the members, by the rules of the module's memory;
/// false if the size exceeds kMaxTypeBytes, or elements overlap.
bool lay_out(Type& type, const Module& module);
inline constexpr std::uint64_t kMaxTypeBytes = std::uint64_t{1} << 48;
/// Structures may nest 255 deep (SPIR-V 1.0, 2.17), with arrays between them, and access chains
/// have 255 indexes; pointers and leaves add levels.
inline constexpr std::uint32_t kMaxTypeDepth = 1023;
/// Levels without a struct: 255 indexes, and the pointers before them. Diagnostics spell such types
/// in full.
inline constexpr std::uint32_t kMaxTypeChain = 260;
inline constexpr std::uint32_t kMaxConstantDepth = 1024;

/// The set of an OpExtInst; kUnknown for other instructions.
ExtendedSet set_of(const Context& context, const Parsed& parsed);

}  // namespace transpire::decoder
