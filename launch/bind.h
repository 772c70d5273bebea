// From the words of a plan to the arguments of a launch, once the kernel's parameters are known:
// names or indices are resolved, types are checked and buffers are made.
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

/// Memory with a name and an element type. Shared by all that refer to it.
struct BoundBuffer {
  std::string name;
  TypeInfo type;
  bool any_type = false;
  Buffer memory;
  std::vector<std::uint64_t> shape{};  ///< of the NumPy array that it was made of; empty: none
  std::optional<Image> image{};        ///< whose texels the memory is
  std::optional<Pipe> pipe{};          ///< whose packets the memory is a copy of, the oldest first
  std::shared_ptr<BoundBuffer> count{};  ///< of a pipe: how many packets that are, as one number
  /// The initial value of each element, where all had one value; empty where they differed, or it is not known.
  std::vector<std::byte> start{};
};
using BoundBufferPointer = std::shared_ptr<BoundBuffer>;
using BufferTable = std::map<std::string, BoundBufferPointer>;

struct BoundArgument {
  Argument argument;
  BoundBufferPointer buffer;  ///< null when the argument is none
};

/// The type that a value of the parameter has: the struct itself where a pointer to it is passed.
const TypeInfo& value_type(const ParameterInfo& parameter);

/// What a parameter wants.
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

/// The kernel's parameter with that name or decimal index. Fails with C0003.
Result<std::size_t> find_parameter(const KernelInfo& kernel, const std::string& target);

/// The kernel with that name; with no name, the module's only one, but for those that kernels enqueue. Fails with C0002.
Result<const KernelInfo*> find_kernel(const ModuleInfo& module, const std::string& name);

/// `inferred`: the element type to assume where the value names none; may be null. `room`: as of ValueContext.
Result<BoundBufferPointer> make_buffer(const std::string& name, const ValueSpec& value,
                                       const TypeInfo* inferred, const Allowance& allowed,
                                       const RoomMaker& room = {});

/// Some of a known buffer as a buffer of its own called `name`; `reference` has a size. Fails with
/// C0003 and C0026.
Result<BoundBufferPointer> slice_buffer(const std::string& name, const BufferReference& reference,
                                        const BufferTable& known);

/// `known` are the buffers that `buffer NAME` and `shared NAME` may mean, `queues` what `queue` and `queue NAME` may. Fails with C0003, C0022,
/// C0026 and what evaluate() says.
Result<BoundArgument> bind_argument(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                    const BufferTable& known, const Allowance& allowed,
                                    const KnownQueues& queues = {});

/// How large the arguments of a launch to start from are.
struct TemplateSizes {
  std::uint64_t elements = 1024;                  ///< of a buffer
  std::uint64_t packets = 1024;                   ///< of a pipe
  std::array<std::uint64_t, 3> image{64, 64, 4};  ///< width, height, depth or layers
  std::uint64_t local_bytes = 1024;
};

/// "y = float:zero:1024": how an argument for the parameter may be written; not for opaque ones.
std::string argument_template(const ParameterInfo& parameter, const TemplateSizes& sizes = {});
/// Elements of a buffer for the parameter: fewer where they are large.
std::uint64_t template_elements(const ParameterInfo& parameter, const TemplateSizes& sizes);

}  // namespace transpire::launch
