// Binds the arguments of a plan to a kernel's parameters: resolves names and indices, checks types, and makes buffers.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "launch/launch_plan.h"
#include "launch/queue_argument.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// A named buffer with its element type. Arguments and statements that name it share it.
struct BoundBuffer {
  std::string name;
  TypeInfo type;
  bool any_type = false;
  Buffer memory;
  std::vector<std::uint64_t> shape{};    ///< shape of the NumPy array it was read from; else empty
  std::optional<Image> image{};          ///< set if `memory` is the texels of this image
  std::optional<Pipe> pipe{};            ///< set if `memory` is a copy of its packets, oldest first
  std::shared_ptr<BoundBuffer> count{};  ///< pipes: a buffer of one number, the count of packets
  /// The common initial value of all elements; empty if they differed or it is not known.
  std::vector<std::byte> start{};
};
using BoundBufferPointer = std::shared_ptr<BoundBuffer>;
using BufferTable = std::map<std::string, BoundBufferPointer>;

struct BoundArgument {
  Argument argument;
  BoundBufferPointer buffer;  ///< null if the argument is not a buffer
};

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

/// Index of the parameter that `target` names, by its name or decimal index. Fails with C0003.
Result<std::size_t> find_parameter(const KernelInfo& kernel, const std::string& target);

/// The kernel of that name. For an empty name, the module's only kernel; kernels that others enqueue do not count. Fails
/// with C0002.
Result<const KernelInfo*> find_kernel(const ModuleInfo& module, const std::string& name);

/// Makes a buffer with the value as its contents. `inferred` is the element type if the value names none; may be null.
/// `room` is as in ValueContext.
Result<BoundBufferPointer> make_buffer(const std::string& name, const ValueSpec& value,
                                       const TypeInfo* inferred, const Allowance& allowed,
                                       const RoomMaker& room = {});

/// Makes a buffer called `name` from a range of a known buffer. `reference` has a size. Fails with C0003 and C0026.
Result<BoundBufferPointer> slice_buffer(const std::string& name, const BufferReference& reference,
                                        const BufferTable& known);

/// Makes the argument that `spec` describes. It may name buffers of `known` (`buffer NAME`, `shared NAME`) and queues of
/// `queues` (`queue`, `queue NAME`). Fails with C0003, C0022, C0026 and as evaluate() does.
Result<BoundArgument> bind_argument(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                    const BufferTable& known, const Allowance& allowed,
                                    const KnownQueues& queues = {});

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
