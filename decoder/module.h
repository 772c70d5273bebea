// Module: a decoded SPIR-V module as typed SSA.
//
// The decoder makes it from words; analyses, lowering and findings read it, the validator does not. A Module
// is immutable once decoded and owns the words; every Instruction points into them. It has no
// knowledge of execution.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/work_limit.h"
#include "decoder/extended_sets.h"
#include "decoder/fold.h"

namespace transpire::decoder {

/// A SPIR-V <id>; 0 means none.
using Id = std::uint32_t;

/// The memory layout and shape of an OpType*. Types are unique per <id>; two ids may describe equal types.
struct Type {
  enum class Kind : std::uint8_t {
    kVoid,
    kBool,
    kInt,
    kFloat,
    kVector,
    kArray,
    kStruct,
    kPointer,
    kFunction,
    kOpaque,
    kEvent,
    kDeviceEvent,
    kReserveId,
    kQueue,
    kPipe,
    kPipeStorage,
    kNamedBarrier,
    kImage,
    kSampler,
    kSampledImage,
  };
  Kind kind = Kind::kVoid;
  Id id = 0;
  std::string name;              ///< OpName or OpTypeOpaque's name; may be empty
  std::uint32_t width_bits = 0;  ///< int, float
  bool is_signed = false;        ///< int; kernels always say 0
  const Type* element =
      nullptr;              ///< element of a vector or array; pointee of a pointer; result of a
                            ///< function
  std::uint64_t count = 0;  ///< components of a vector, elements of an array
  bool has_specialised_count = false;  ///< arrays: specialisation constants say how many
  bool is_runtime_array = false;       ///< its memory says how many elements it has; `count` is 0
  bool is_matrix = false;              ///< an array of the matrix's columns
  Id length = 0;                       ///< arrays: the constant that says how many
  std::vector<const Type*> members;    ///< structs: members; functions: parameters
  std::vector<std::string> member_names;
  spv::StorageClass storage_class = spv::StorageClass::Function;  ///< pointers only
  bool packed = false;                                            ///< CPacked
  /// For images: `element` is the sampled type. For sampled images, `element` is the image type.
  struct ImageShape {
    spv::Dim dim = spv::Dim::Dim2D;
    std::uint32_t depth = 0;  ///< 0 no, 1 yes, 2 unknown
    bool arrayed = false;
    bool multisampled = false;
    std::uint32_t sampled = 0;
    spv::ImageFormat format = spv::ImageFormat::Unknown;
  } image;
  /// Cooperative matrices are arrays of the components that each work-item of a sub-group holds (Module::subgroup_size): its share of
  /// the elements in row-major order, dealt out in turn.
  struct CooperativeMatrix {
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t use = 0;  ///< 0 MatrixA, 1 MatrixB, 2 MatrixAccumulator
  } cooperative;
  bool holds_cooperative_matrix = false;                         ///< it is one, or has such a part
  spv::AccessQualifier access = spv::AccessQualifier::ReadOnly;  ///< images and pipes

  // Layout by the rules of the module's memory model: decoder/layout.cpp.
  std::uint64_t size_bytes =
      0;  ///< 0 for types that have none (void, function, opaque, runtime arrays)
  std::uint64_t align_bytes = 1;
  std::vector<std::uint64_t> member_offsets;
  /// Arrays and vectors: from one element to the next. Pointers: from one pointee to the next. Both by ArrayStride where the
  /// type has that decoration.
  std::uint64_t stride_bytes = 0;

  /// A vector whose components stand apart: a column of a matrix that is RowMajor in memory.
  bool is_strided_vector() const {
    return kind == Kind::kVector && stride_bytes != element->size_bytes;
  }
  bool is_cooperative_matrix() const { return cooperative.rows != 0; }
  bool is_scalar() const {
    return kind == Kind::kBool || kind == Kind::kInt || kind == Kind::kFloat;
  }
  bool is_composite() const {
    return kind == Kind::kVector || kind == Kind::kArray || kind == Kind::kStruct;
  }
};

/// The type in the words of the specification and of OpenCL C, e.g. "uint4", "float*" with its
/// address space ("global float*"), "struct Particle".
std::string spell(const Type& type);
/// OpenCL C's word for a storage class, "global"; for those of shaders "buffer", "uniform" and "push constant"; else SPIR-V's name.
std::string_view address_space_name(spv::StorageClass storage_class);

/// A constant or specialisation constant, with specialisation values already applied.
struct Constant {
  enum class Kind : std::uint8_t {
    kScalar,     ///< bool, int or float: `bits`, zero-extended
    kComposite,  ///< `elements`, one per component, or one for all of a cooperative matrix: ids of
                 ///< constants, of undef, or of global variables (their addresses)
    kNull,       ///< zero of any type, pointers included
    kUndef,      ///< OpUndef at module scope
    kOperation,  ///< OpSpecConstantOp that is no scalar integer or boolean expression: `operation` on
                 ///< `elements` (for extracts, inserts and shuffles the literal operands too, as
                 ///< they stand); also OpConstantPipeStorage and OpConstantFunctionPointerINTEL
    kSampler,    ///< OpConstantSampler: `elements` holds addressing mode, normalized, filter mode
  };
  Kind kind = Kind::kScalar;
  Id id = 0;
  const Type* type = nullptr;
  std::uint64_t bits = 0;
  std::vector<std::uint32_t> elements;
  /// The element that component `i` of a kComposite is.
  Id element(std::size_t i) const { return elements[type->is_cooperative_matrix() ? 0 : i]; }
  spv::Op operation = spv::Op::OpNop;
  bool specialisable = false;
  std::uint32_t spec_id = 0;  ///< meaningful when `specialisable` and decorated SpecId
  bool has_spec_id = false;
  std::uint32_t word_offset = 0;
  /// Scalars of OpSpecConstantOp only: the reason why the value is undefined, and the operation
  /// that causes it, this one or an operand's.
  Undefined undefined = Undefined::kNo;
  Id undefined_by = 0;
};

/// One decoration of an id, or of a member of a struct type.
struct Decoration {
  spv::Decoration kind;
  std::uint32_t member = kNoMember;
  std::vector<std::uint32_t> operands;  ///< literals or, for OpDecorateId, ids; a string is in
                                        ///< `text`
  std::string text;                     ///< for LinkageAttributes, UserSemantic
  static constexpr std::uint32_t kNoMember = 0xffffffffu;
};

/// One instruction of a function body. Operands that are values or labels belong to the same function.
/// The decoder does not check the operands of an extended instruction whose set is a debug set or unknown.
struct Instruction {
  spv::Op op = spv::Op::OpNop;
  Id type_id = 0;                           ///< 0: none
  Id result_id = 0;                         ///< 0: none
  std::uint32_t word_offset = 0;            ///< offset of its first word in the module
  std::span<const std::uint32_t> operands;  ///< words behind result type and result
  std::uint32_t line = 0;                   ///< index into Module::lines(); 0: unknown
  ExtendedSet set =
      ExtendedSet::kUnknown;  ///< for OpExtInst; operands 0 and 1 are import and number
};

/// A basic block: an OpLabel and its instructions; the last one is the terminator.
struct Block {
  Id label = 0;
  std::uint32_t word_offset = 0;
  std::vector<Instruction> instructions;
};

struct Parameter {
  Id id = 0;
  const Type* type = nullptr;
};

struct Function {
  Id id = 0;
  std::string name;  ///< OpName without types, else the entry point's or linkage name, else "%<id>"
  const Type* type = nullptr;  ///< kFunction
  const Type* result = nullptr;
  spv::FunctionControlMask control{};
  std::vector<Parameter> parameters;
  std::vector<Block>
      blocks;  ///< in the module's order; the first is the entry; empty for an import
  std::uint32_t word_offset = 0;
  bool is_import() const { return blocks.empty(); }
  /// Index into `blocks` of a label; -1 if there is none.
  std::int32_t block_index(Id label) const;
  std::unordered_map<Id, std::uint32_t> block_of_label;
};

/// A module-scope OpVariable.
struct Variable {
  Id id = 0;
  std::string name;
  const Type* type = nullptr;  ///< pointer type
  spv::StorageClass storage_class = spv::StorageClass::CrossWorkgroup;
  Id initializer = 0;  ///< a constant or another module-scope variable; 0: none
  bool is_builtin = false;
  spv::BuiltIn builtin{};
  std::uint64_t align_bytes = 1;  ///< the type's, or a larger Alignment decoration's
  std::uint32_t word_offset = 0;
};

struct ExecutionMode {
  spv::ExecutionMode kind;
  std::vector<std::uint32_t>
      operands;  ///< literals (ids of OpExecutionModeId are resolved to values)
};

struct EntryPoint {
  spv::ExecutionModel model = spv::ExecutionModel::Kernel;
  std::string name;
  Id function = 0;
  std::vector<Id> interface;
  std::vector<ExecutionMode> modes;
  const ExecutionMode* mode(spv::ExecutionMode kind) const;
};

/// An import of an extended instruction set.
struct ExtInstImport {
  Id id = 0;
  std::string name;
  ExtendedSet set = ExtendedSet::kUnknown;
};

/// The kind of object that an <id> names.
enum class IdKind : std::uint8_t {
  kNone,
  kType,
  kConstant,
  kVariable,
  kFunction,
  kParameter,
  kLabel,
  kInstruction,
  kString,
  kExtInstImport,
  kDecorationGroup,
  kUndef,
};

/// A line of source from OpLine. Entry 0 is "unknown".
struct Line {
  std::uint32_t file = 0;  ///< index into Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  Id scope = 0;       ///< from debug information: scope of the line; 0: unknown
  Id inlined_at = 0;  ///< from debug information: the call that the compiler expanded there; 0:
                      ///< none

  friend bool operator==(const Line&, const Line&) = default;
};

/// A DebugFunction, DebugLexicalBlock or DebugInlinedAt. Its ids are unchecked.
struct DebugScope {
  Id parent = 0;           ///< enclosing scope; for DebugInlinedAt: scope that has the call
  Id name = 0;             ///< DebugFunction: its OpString; else 0
  Id inlined_at = 0;       ///< DebugInlinedAt: the enclosing call; 0: none
  std::uint32_t file = 0;  ///< index into Module::files
  std::uint32_t line = 0;  ///< DebugInlinedAt: line of the call
};

/// A function of the source, and the place in it.
struct SourceCall {
  std::string function;
  SourceLine where;
};

/// New values of specialisation constants: SpecId -> bits of the value.
using Specialisation = std::unordered_map<std::uint32_t, std::uint64_t>;

/// By set and binding, how many descriptors are in an array of them without a length. Others have one.
using DescriptorCounts = std::map<std::array<std::uint32_t, 2>, std::uint32_t>;

struct DecodeOptions {
  std::string input_name = "<module>";  ///< for diagnostics
  Specialisation specialisation{};
  DescriptorCounts descriptor_counts{};
  std::uint64_t max_module_words = std::uint64_t{1} << 28;
  WorkLimit limit{};                 ///< L0002 when it is spent
  std::uint32_t subgroup_size = 32;  ///< see Module
  /// Names of ids in an assembly text, without "%"; diagnostics use them.
  std::unordered_map<Id, std::string> text_names{};
};

class Module {
 public:
  Module() = default;
  Module(Module&&) = default;
  Module& operator=(Module&&) = default;
  /// A copy with words of its own. Types never change and are shared.
  Module copy() const;

  std::string input_name;
  std::vector<std::uint32_t> words;  ///< in host byte order, header included
  bool byte_swapped = false;
  std::uint32_t version = 0;  ///< encoded as in the header: 0x00010200 for 1.2
  std::uint32_t generator = 0;
  std::uint32_t bound = 0;
  /// How many decodings made this module, for tests: 1, or 2 if specialised() had to decode again.
  std::uint32_t times_decoded = 1;

  std::vector<spv::Capability> capabilities;
  std::vector<std::string> extensions;
  std::vector<ExtInstImport> ext_inst_imports;
  spv::AddressingModel addressing_model{};
  spv::MemoryModel memory_model{};
  std::vector<EntryPoint> entry_points;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::string> files;      ///< OpStrings that OpLine names; entry 0 is ""
  std::vector<Line> lines;             ///< entry 0 is unknown
  DescriptorCounts descriptor_counts;  ///< from DecodeOptions
  /// Work-items of a sub-group, which decides how many components of a cooperative matrix each holds.
  std::uint32_t subgroup_size = 32;
  bool has_cooperative_matrices = false;
  spv::SourceLanguage source_language{};
  std::uint32_t source_version = 0;

  /// Size of a pointer in bytes: 4 (Physical32) or 8 (Physical64).
  std::uint32_t pointer_bytes() const;

  /// The kind of an id; kNone for ids that the module does not define.
  IdKind kind_of(Id id) const;
  /// Null if the id names something else. `constant` also returns OpUndef of the module scope, of
  /// kind kUndef.
  const Type* type(Id id) const;
  const Constant* constant(Id id) const;
  const Variable* variable(Id id) const;
  const Function* function(Id id) const;
  const ExtInstImport* ext_inst_import(Id id) const;
  /// The type of a value: constants, variables, parameters, instruction results. Null if the id is
  /// no value.
  const Type* type_of(Id id) const;
  const EntryPoint* entry_point(std::string_view name) const;
  std::string_view string(Id id) const;  ///< OpString
  /// OpName, or empty.
  std::string_view name(Id id) const;
  /// "%name" or "%<id>", for diagnostics. An assembly text's own names take precedence over
  /// OpName's.
  std::string spell_id(Id id) const;
  /// Decorations of an id, groups applied; includes member decorations of a struct type.
  std::span<const Decoration> decorations(Id id) const;
  const Decoration* decoration(Id id, spv::Decoration kind) const;
  bool has_capability(spv::Capability capability) const;
  SourceLine source_line(std::uint32_t line_index) const;
  /// The functions of the source around a line, from debug information, innermost first: each is
  /// followed by the function whose call the compiler expanded. The last one became the
  /// instruction's function. Empty without such information.
  std::vector<SourceCall> source_calls(std::uint32_t line_index) const;

  // Filled by the decoder.
  struct IdEntry {
    IdKind kind = IdKind::kNone;
    std::uint32_t index = 0;  ///< into the table that the kind implies; for parameters, labels and
                              ///< instructions: their function's, all ones at module scope
    Id type_id = 0;           ///< type of a value
  };
  std::vector<IdEntry> ids;  ///< by id
  std::vector<std::shared_ptr<Type>> types;
  std::vector<Constant> constants;
  std::unordered_map<Id, std::string> names;
  std::unordered_map<Id, std::vector<std::string>> member_names;
  std::unordered_map<Id, std::string> strings;
  std::unordered_map<Id, DebugScope> debug_scopes;
  std::unordered_map<Id, std::string> text_names;  ///< from DecodeOptions
  std::unordered_map<Id, std::vector<Decoration>> decorations_by_id;

 private:
  Module(const Module&) =
      default;  // operands of instructions still point into the other's words: copy()
};

/// Decodes a module. `bytes` may have either byte order. Errors carry a D rule and the word offset.
/// `bytes` is untrusted: sizes are bounded, ids are checked, types may not be cyclic except through
/// OpTypeForwardPointer, and every operand that a consumer reads exists.
Result<Module> decode(std::span<const std::byte> bytes, const DecodeOptions& options);

/// The decoded module with other values of its specialisation constants. Computes constants and execution modes again;
/// decodes again only if a value changes the length of an array. Errors are those of decode() with these options.
Result<Module> specialised(Module decoded, const DecodeOptions& options);

/// The module decoded again for sub-groups of so many work-items, with the same values of its specialisation constants. Errors: those of
/// decode().
Result<Module> for_subgroups(const Module& module, std::uint32_t subgroup_size,
                             const WorkLimit& limit = {});

/// The largest power of two that divides an alignment: all that a multiple of the alignment promises. Clang's own
/// backend writes 128 as 0xffffff80.
constexpr std::uint32_t power_of_two_alignment(std::uint32_t bytes) { return bytes & (0u - bytes); }

/// The function to which `entry` passes its parameters in order, if it does nothing else; otherwise
/// null. Entry functions from llvm-spirv do that; names and attributes of parameters may stand on
/// either function.
const Function* forwarded_to(const Module& module, const Function& entry);

/// Assembles SPIR-V assembly text (SPIRV-Tools) to words. Errors carry line and column of the text.
Result<std::vector<std::uint32_t>> assemble(std::string_view text, const std::string& input_name);

/// The module as assembly text (SPIRV-Tools), one line per instruction, optionally with word
/// offsets.
Result<std::string> disassemble(std::span<const std::uint32_t> words, bool with_offsets);

/// Links modules by their LinkageAttributes into one (SPIRV-Tools' linker).
Result<std::vector<std::uint32_t>> link(const std::vector<std::vector<std::uint32_t>>& modules,
                                        bool allow_unresolved);

/// The specification's name of an opcode, e.g. "OpStore"; "Op<number>" if the grammar has none.
std::string_view opcode_name(spv::Op op);
/// The grammar's class of an opcode, e.g. "Arithmetic"; empty if unknown.
std::string_view opcode_class(spv::Op op);
/// The name of an extended instruction, e.g. "fmax"; empty if the grammar has none.
std::string_view ext_inst_name(ExtendedSet set, std::uint32_t number);
/// The name of the extended instruction that an OpExtInst calls.
inline std::string_view ext_inst_name(const Instruction& instruction) {
  return ext_inst_name(instruction.set, instruction.operands[1]);
}
std::string_view capability_name(spv::Capability capability);

}  // namespace transpire::decoder
