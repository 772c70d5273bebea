// Binds the arguments of a plan to a kernel's parameters: checks types, and makes buffers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "launch/language/launch_plan.h"
#include "launch/runner/known_queues.h"
#include "launch/runner/value_maker.h"
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

}  // namespace transpire::launch
