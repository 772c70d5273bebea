// The reflection that clspv puts into the shaders that it makes of OpenCL C (NonSemantic.ClspvReflection, revisions 1 to 7): how a
// shader takes the arguments and sizes of an OpenCL kernel. Descriptions and launches ask here; the set's instructions are rows of
// decoder/clspv_reflection.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decoder/module.h"

namespace transpire::decoder {

/// The instructions of the set, by their numbers.
enum class ClspvOp : std::uint32_t {
#define TRANSPIRE_CLSPV(number, name, ...) k##name = number,
#include "decoder/clspv_reflection.def"
};

/// The meanings of operands. Operands are ids: of strings, of instructions of the set, of a function or variable; the others are of
/// 32-bit constants.
enum class ClspvOperand : std::uint8_t {
  kKernel,   ///< a Kernel instruction
  kArgInfo,  ///< an ArgumentInfo instruction
  kKernelFunction,
  kVariable,
  kName,
  kTypeName,
  kAttributes,
  kFormat,
  kData,  ///< a string of bytes, each two hexadecimal digits
  kOrdinal,
  kSet,
  kBinding,
  kOffset,  ///< in bytes
  kSize,    ///< in bytes
  kSpecId,  ///< where there are three, that of dimension x
  kSpecIdY,
  kSpecIdZ,
  kX,
  kY,
  kZ,
  kElementSize,  ///< in bytes
  kObjectOffset,
  kBufferSize,
  kMask,
  kPrintfId,
  kCount,
  kFlags,
  kAddressQualifier,
  kAccessQualifier,
  kTypeQualifier,
  kMore,
};
inline constexpr std::size_t kClspvOperands = static_cast<std::size_t>(ClspvOperand::kMore);

/// The thing that brings an instruction's value to the shader.
enum class ClspvCarrier : std::uint8_t {
  kNone,
  kStorageBuffer,  ///< a block at kSet and kBinding, or kSize bytes of it at kOffset
  kUniform,        ///< a block at kSet and kBinding, or kSize bytes of it at kOffset
  kPushConstant,   ///< kSize bytes at kOffset of the push constants
  kSpecConstant,   ///< constants with the decoration SpecId
  kSampledImage,   ///< a variable at kSet and kBinding, and so with the next three
  kStorageImage,
  kTexelBuffer,
  kSampler,
};

/// An instruction of the set.
struct ClspvFact {
  ClspvOp op{};
  std::uint32_t word_offset = 0;
  Id id = 0;
  /// By ClspvOperand: a constant's value, or an <id>. A string's is that of its OpString, an instruction's its result.
  std::array<std::uint32_t, kClspvOperands> operands{};
  std::uint32_t operand_count = 0;  ///< how many operands the instruction has
  std::vector<std::uint32_t> more;  ///< PrintfInfo: the sizes of its arguments in bytes

  std::uint32_t operator[](ClspvOperand operand) const {
    return operands[static_cast<std::size_t>(operand)];
  }
};

/// How a kernel takes one of its arguments.
struct ClspvArgument : ClspvFact {
  std::string_view name;  ///< the parameter's in the source; empty if the module does not say
  std::string_view
      type_name;  ///< as clGetKernelArgInfo spells it; empty if the module does not say
  std::optional<ClspvFact> info;  ///< the ArgumentInfo
  std::uint32_t ordinal() const { return (*this)[ClspvOperand::kOrdinal]; }
};

struct ClspvKernel {
  Id id = 0;
  std::string_view name;  ///< names an entry point
  Id function = 0;
  /// Parameters of the kernel in the source. A parameter that the kernel does not use has no element in `arguments`.
  std::uint32_t parameter_count = 0;
  std::string_view attributes;           ///< "reqd_work_group_size(8,1,1) vec_type_hint(float4)"
  std::vector<ClspvArgument> arguments;  ///< in the order of parameters
  std::vector<ClspvFact> facts;          ///< hold for this kernel alone
};

/// Texts in it are those of the module's strings.
struct ClspvReflection {
  std::vector<ClspvKernel> kernels;
  std::vector<ClspvFact> facts;                                      ///< hold for all kernels
  std::unordered_map<std::string_view, std::size_t> kernel_numbers;  ///< indices of kernels by name
  std::unordered_map<ClspvOp, std::size_t> first_facts;  ///< index of an instruction's first fact

  /// The kernel of an entry point; null if none is declared for it.
  const ClspvKernel* kernel(std::string_view name) const;
  /// The first fact by that instruction; null if there is none.
  const ClspvFact* fact(ClspvOp op) const;
  /// The fact with the initial bytes of program-scope variables; null if there is none.
  const ClspvFact* variables() const;
  /// True if a launch may be split into regions: the shader takes push constants that clspv needs for them alone.
  bool has_regions() const;
};

/// Arrays in Workgroup memory, by the constants of their lengths.
std::unordered_map<Id, const Variable*> local_arrays(const Module& module);

ClspvCarrier carrier_of(ClspvOp op);
/// The carrier that a variable can be; kNone for variables that no instruction names.
ClspvCarrier carrier_of(const Module& module, const Variable& variable);
/// "ArgumentPodUniform"
std::string_view name_of(ClspvOp op);

/// The reflection of a decoded module; nothing if it imports none. Fails with D0043 if an instruction is malformed, or if what
/// it says does not hold for the module.
Result<std::optional<ClspvReflection>> clspv_reflection(const Module& module);

/// Checks that what the reflection says holds for the module. Fails with D0043. Part of clspv_reflection().
Status check_clspv_reflection(const Module& module, const ClspvReflection& reflection);

/// True for arguments whose bytes are a part of a block.
bool is_value(ClspvOp op);
/// True for arguments whose address is a part of a block.
bool is_address(ClspvOp op);
/// True for arguments and things of the module that a variable at a set and binding takes as they are.
bool is_descriptor(ClspvOp op);

/// The error of an instruction of the set.
Diagnostic clspv_error(const Module& module, const ClspvFact& fact, std::string_view message);

}  // namespace transpire::decoder
