// Parameters of kernels in the launch language: finds kernels and parameters by the names in a plan, and writes examples of
// arguments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "launch/language/launch_plan.h"
#include "transpire/result.hpp"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// Type of a parameter's value. For a struct passed by value, this is the struct, not the pointer to it.
const TypeInfo& value_type(const ParameterInfo& parameter);

/// Kind of argument that a parameter takes.
enum class ParameterKind : std::uint8_t {
  kValue,
  kBuffer,
  kLocal,
  kImage,
  kSampler,
  kPipe,
  kQueue,
  kOpaque
};
ParameterKind kind_of(const ParameterInfo& parameter);

/// "SET.BINDING"
std::string binding_text(const std::array<std::uint32_t, 2>& binding);

/// Index of the parameter that `target` names, by its name or decimal index. Fails with C0003.
Result<std::size_t> find_parameter(const KernelInfo& kernel, const std::string& target);

/// A parameter, and the part of its block that a statement gives.
struct ArgumentPlace {
  std::size_t parameter = 0;
  std::string part{};  ///< "scale.1", of push constants also "16"; empty: all of it
};
/// The place of an argument of any form. Fails with C0003.
Result<ArgumentPlace> find_place(const KernelInfo& kernel, const ArgumentSpec& spec);

/// The arguments that a launch of the kernel binds, in order: those of its statements behind the one with the number `serial`, or in
/// their place those of the command line; for the kernel's first launch also the command line's others. `serial` becomes the number
/// of the last statement.
std::vector<const ArgumentSpec*> new_arguments(const LaunchPlan& plan, const LaunchStep& launch,
                                               const KernelInfo& kernel, bool is_first,
                                               std::uint32_t& serial);

/// The kernel of that name. For an empty name, the module's only kernel; kernels that others enqueue do not count. Fails
/// with C0002.
Result<const KernelInfo*> find_kernel(const ModuleInfo& module, const std::string& name);

/// Type that the parameter points to; null if the module does not say.
const TypeInfo* pointee_of(const ParameterInfo& parameter);

/// Sizes of the arguments in a new launch file.
struct TemplateSizes {
  std::uint64_t elements = 1024;                  ///< elements of a buffer
  std::uint64_t packets = 1024;                   ///< packets of a pipe
  std::array<std::uint64_t, 3> image{64, 64, 4};  ///< width, height, depth or layers
  std::uint64_t local_bytes = 1024;
};

/// Text of an argument for the parameter in a new launch file, e.g. "y = float:zero:1024". The parameter is not opaque.
std::string argument_template(const ParameterInfo& parameter, const TemplateSizes& sizes = {});
/// Number of elements of a buffer for the parameter; large elements get fewer.
std::uint64_t template_elements(const ParameterInfo& parameter, const TemplateSizes& sizes);

}  // namespace transpire::launch
