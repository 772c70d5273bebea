// What the steps of decoding share: the module under construction, the instruction at hand, and the
// first error. Steps are free functions `bool step(Context&, ...)`, one file each; false means that
// `failure` says why. No step trusts a word that an earlier step has not checked.
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
  std::span<const std::uint32_t> operands;  ///< the words after result type and result
};

/// An execution mode until the constants that its operands may name are known.
struct PendingMode {
  Id function = 0;
  ExecutionMode mode;
  std::uint32_t word_offset = 0;
  spv::Op op = spv::Op::OpExecutionMode;
};

/// OpMemberName, which stands before its struct: the struct decides how many members there are.
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

/// A scalar constant's bits, or a component's: why they are undefined, and the operation that makes them so.
struct KnownScalar {
  FoldOperand value;
  Undefined undefined = Undefined::kNo;
  Id undefined_by = 0;
};

/// What the parser requires of an id operand.
enum class IdRole : std::uint8_t {
  kAnything,  ///< within the bound; debug information may name what is not there
  kDefined,   ///< some instruction has it as its result
  kValue,     ///< a constant, a variable, or a value of the function at hand
  kLabel,     ///< a block of the function at hand
  kFunction,
  kImport,  ///< of OpExtInstImport
  kString,  ///< of OpString
};

/// A parameter of a function of the source, as debug information describes it.
struct DebugParameter {
  Id debug_function = 0;
  std::uint32_t number = 0;  ///< from 1
  Id name = 0;               ///< an OpString
};

struct Context {
  Context(Module& m, const DecodeOptions& o) : module(m), options(o) {}

  Module& module;
  const DecodeOptions& options;
  std::uint32_t frames_read = 0;  ///< how often the limit of time might have been looked at
  Diagnostic failure;

  std::vector<PendingMode> modes;
  std::unordered_map<Id, std::vector<PendingMemberName>> member_names;
  std::vector<DecoratedMember> decorated_members;
  std::uint64_t group_decorations = 0;  ///< copies made so far on behalf of OpGroupDecorate
  std::set<Id> forward_pointers;        ///< announced, and not completed by an OpTypePointer yet
  std::unordered_map<Id, std::uint32_t> file_of_string;
  std::unordered_map<Id, Id> string_of_source;   ///< DebugSource to the OpString of its file
  Id debug_scope = 0, debug_inlined_at = 0;      ///< of the instructions that follow
  std::unordered_map<Id, Id> function_of_debug;  ///< DebugFunction to OpFunction
  std::vector<DebugParameter> debug_parameters;
  /// By index of Module::types and Module::constants: levels below, to bound recursion.
  std::vector<std::uint32_t> type_depth;
  std::vector<std::uint32_t> type_word_offset;
  std::vector<std::uint32_t> constant_depth;
  /// Components of constants of the kind kOperation: floats and vectors.
  std::unordered_map<Id, std::vector<KnownScalar>> known_operations;
  std::set<std::pair<std::string, spv::ExecutionModel>> entry_names;
  std::unordered_map<Id, std::vector<std::uint32_t>> entries_of_function;
  bool has_memory_model = false;
  bool has_source = false;

  std::uint32_t function_index = kNoFunction;  ///< of the body being decoded
  std::uint32_t line = 0;                      ///< index into Module::lines

  /// Records the error; always false.
  bool fail(Rule rule, const Parsed& at, std::string message);
  bool fail(Rule rule, std::uint64_t word_offset, std::string_view instruction, std::string message,
            std::string help = {});
};

/// word_stream.cpp: words in host byte order, and the header.
bool read_header(Context& context, std::span<const std::byte> bytes);
/// word_stream.cpp: the frame of the instruction at `word_offset`: word count, opcode, result type
/// and result.
bool read_frame(Context& context, std::uint32_t word_offset, Parsed& parsed);

/// ids.cpp, first pass: all frames; what each result id names, its type and its function.
bool index_ids(Context& context);

/// operands.cpp: every operand against the grammar and the ids that may stand there.
bool check_operands(Context& context, const Parsed& parsed);
/// id_roles.cpp: one id operand.
bool check_id(Context& context, const Parsed& parsed, Id id, IdRole role);
/// id_roles.cpp: "a type", "a label", ..., for messages.
std::string_view describe(IdKind kind);

// literals.cpp
/// The literal string that starts `words`, and the words it takes; 0 when it is not terminated.
std::uint32_t read_string(std::span<const std::uint32_t> words, std::string& text);
bool is_utf8(std::string_view text);
/// The text with every byte that is no part of a UTF-8 sequence replaced by U+FFFD.
std::string sanitise_utf8(std::string_view text);
/// A string that `check_operands` has let pass, sanitised; `words_taken` may be null.
std::string text_operand(std::span<const std::uint32_t> words,
                         std::uint32_t* words_taken = nullptr);

// Module-scope instructions by family. Each expects `check_operands` to have passed.
bool decode_mode_setting(Context& context, const Parsed& parsed);  // entry_points.cpp
bool decode_debug(Context& context, const Parsed& parsed);         // debug.cpp
bool decode_annotation(Context& context, const Parsed& parsed);    // annotations.cpp
bool decode_type(Context& context, const Parsed& parsed);          // types.cpp
bool decode_constant(Context& context, const Parsed& parsed);      // constants.cpp
bool decode_variable(Context& context, const Parsed& parsed);      // variables.cpp
/// debug.cpp: a block or a function ends, and with it what lines and scopes hold for.
void end_lines(Context& context);

/// debug.cpp: OpLine and OpNoLine, which may stand nearly anywhere.
bool decode_line(Context& context, const Parsed& parsed);

/// debug.cpp: gives parameters without an OpName the names that debug information has.
void name_parameters(Context& context);

/// debug.cpp: an OpExtInst of a debug set.
void decode_debug_instruction(Context& context, const Parsed& parsed);

/// functions.cpp: from the OpFunction at `word_offset`, which moves past the OpFunctionEnd.
bool decode_function(Context& context, std::uint32_t& word_offset);

// module.cpp: debug information.
std::string file_name(const Module& module, std::uint32_t file);
/// The DebugFunction that the scope is, or is in; null when there is none.
const DebugScope* function_around(const Module& module, Id scope);

// Steps that need the whole module.
bool finish_types(Context& context);         // types.cpp: no type is endless
bool finish_annotations(Context& context);   // annotations.cpp: decorated members exist
bool finish_entry_points(Context& context);  // entry_points.cpp: modes to their entry points
bool finish_functions(Context& context);     // functions.cpp: calls fit, names are given

/// types.cpp: the type a type operand names; null, with the failure recorded, when there is none
/// declared so far.
const Type* type_operand(Context& context, const Parsed& parsed, Id id);
/// types.cpp: equal enough that a value of one can be copied to the other.
bool same_shape(const Type& left, const Type& right);

/// layout.cpp: size and alignment from the parts; false when the size exceeds kMaxTypeBytes.
bool lay_out(Type& type, std::uint32_t pointer_bytes);
inline constexpr std::uint64_t kMaxTypeBytes = std::uint64_t{1} << 48;
/// Structures may nest 255 deep (SPIR-V 1.0, 2.17), with arrays between them, and access chains
/// have 255 indexes; pointers and leaves count as well.
inline constexpr std::uint32_t kMaxTypeDepth = 1023;
/// Levels without a struct: 255 indexes, and what leads there. Such types are spelled out in full.
inline constexpr std::uint32_t kMaxTypeChain = 260;
inline constexpr std::uint32_t kMaxConstantDepth = 1024;

/// The set of an OpExtInst; kUnknown for other instructions.
ExtendedSet set_of(const Context& context, const Parsed& parsed);

}  // namespace transpire::decoder
