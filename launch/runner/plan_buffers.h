// PlanBuffers: the memory of a run, found by name: memory that the plan declares, buffers of arguments, and variables of the
// module. Knows the bytes that all of these leave of the limit of memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/runner/element_view.h"
#include "launch/runner/run_plan.h"

namespace transpire::launch {

class PlanBuffers {
 public:
  /// `max_bytes` is the limit of memory. Keeps `limit`, which ends the making of buffers.
  PlanBuffers(Module module, Device device, std::uint64_t max_bytes, const StepLimit& limit);

  /// Makes shared memory at `base`, or else for the lowest address that a plan declares. Nothing if there is neither. Fails
  /// with L0004.
  Status make_shared(const std::vector<BufferSpec>& specs, std::optional<std::uint64_t> base);
  const std::optional<SharedMemory>& shared() const { return shared_; }
  /// Makes declared memory, which is found by its name from then on. A slice is declared behind its buffer. Fails with C0022,
  /// C0026, L0004, and as evaluate() does.
  Status declare(const BufferSpec& spec);

  /// Forgets the indices of the last kernel's parameters; names stay. The next kernel has `count` parameters.
  void begin_kernel(std::size_t count);
  /// The buffer of a parameter is found by its name, index and SET.BINDING from then on; null: the index has no buffer.
  void set_argument(std::size_t index, const ParameterInfo& parameter,
                    const BoundBufferPointer& buffer);

  /// Null if there is none of that name. `q.packets` is the number of packets in the pipe `q`.
  BoundBufferPointer find(const std::string& name) const;
  bool is_declared(const std::string& name) const { return declared_.contains(name); }
  /// Declared memory, and buffers of arguments.
  BufferTable known() const;
  /// The elements of a buffer, or of a part of its block: `params.scale`. Fails with C0026 for an unknown name, or for elements
  /// outside of the buffer, and with C0003 for an unknown part.
  Result<ElementView> view(const BufferSlice& slice, const std::optional<TypeWord>& type) const;

  std::uint64_t max_bytes() const { return max_bytes_; }
  std::uint64_t bytes_left() const;
  Allowance allowance() const { return {bytes_left(), limit_}; }

  /// Copies the packets of each pipe, after a launch. Fails with L0004.
  Status look_at_pipes();
  /// Watches the byte in every buffer.
  void watch(const WatchedByte& byte) const;
  /// Copies of all buffers, each with all of its names.
  std::vector<BufferReport> reports(const std::optional<WatchedByte>& watched) const;

 private:
  Result<BoundBufferPointer> made(const BufferSpec& spec) const;
  BoundBufferPointer find_with_part(const std::string& name, std::string& part) const;

  Module module_;
  Device device_;
  std::uint64_t max_bytes_;
  const StepLimit& limit_;
  std::optional<SharedMemory> shared_;
  BufferTable declared_;
  BufferTable of_arguments_;  ///< by the name of the argument that has or had it, after swaps
  BufferTable by_binding_;    ///< by SET.BINDING, likewise
  std::vector<BoundBufferPointer> by_index_;  ///< by the index of the current kernel's parameter
};

}  // namespace transpire::launch
