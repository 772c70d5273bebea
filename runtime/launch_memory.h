// LaunchMemory: the state of one running launch besides its program: the address space, the argument slots, the workers' memory.
// A later launch of the same kernel with the same sizes reuses it.
//
// A launch with the same buffers reuses the address space; only the argument slots are written again.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/checked.h"
#include "memory/address_book.h"
#include "memory/address_space.h"
#include "runtime/launch_part.h"
#include "runtime/program_variables.h"
#include "runtime/shared_state.h"
#include "runtime/state.h"
#include "runtime/undefined_shadows.h"
#include "scheduler/launch.h"

namespace transpire::runtime {

class LaunchMemory {
 public:
  /// All references must outlive this object. `kernel` is the kernel's number (ModuleState), `threads` is as in
  /// scheduler::Team.
  LaunchMemory(const ModuleState& module, std::uint32_t kernel, const vm::Program& program,
               const scheduler::GeometryPlan& plan, ProgramVariables& variables,
               memory::AddressHistory& history, unsigned threads);

  /// Checks the arguments against the kernel's parameters and prepares the launch. The caller keeps the result, and `part`, until
  /// the kernel has ended. `part`: null if the launch is no part of another one. Errors: C0003, L0002, L0004.
  Result<ProgramVariables::Use> bind(const Launch& launch, const LaunchPart* part,
                                     const WorkLimit& limit);

  /// Prepares a child of `root`'s launch, which is bound and has not ended. The child has all memory of `root` at the same
  /// addresses, and its own argument buffers behind that. Errors: L0004.
  Status bind_within(const Launch& launch, const LaunchMemory& root);

  /// The scheduler's description of the bound launch, valid until the next bind.
  scheduler::LaunchSpec spec(const Launch& launch) const;
  scheduler::Team& team() { return *team_; }
  const memory::AddressSpace& space() const { return space_; }
  const vm::Program& program() const { return program_; }
  /// Addresses of buffers in this and in earlier launches.
  memory::AddressBook& book() const {
    return shared_.expired() ? history_.buffers : history_.beside_shared;
  }
  /// Bytes that the bound launch leaves of its limit of memory.
  std::uint64_t bytes_left() const { return bytes_left_; }

 private:
  /// The properties of an argument that the address space depends on.
  struct Bound {
    std::weak_ptr<BufferState> buffer;
    bool read_only = false;
    bool write_only = false;
    std::weak_ptr<UndefinedBits> undefined;
    std::uint64_t local_bytes = 0;
    std::uint64_t address = 0;  ///< address of its first byte
  };

  Result<ProgramVariables::Use> bind_objects(const Launch& launch, const WorkLimit& limit);
  bool is_bound(const Launch& launch) const;
  Status build_space(const Launch& launch);
  Status build_space_within(const Launch& launch, const LaunchMemory& root);
  void make_room();
  Status add_own_memory(const Launch& launch);
  Status begin(const Launch& launch);
  std::uint64_t uncut(std::uint64_t slots) const;
  /// First slot of local and private memory, in slots of the current size.
  std::uint64_t first_own_slot() const { return own_slot_ << space_.cut_bits(); }
  std::uint64_t begin_of_many(std::uint64_t begin) const;
  Status add_buffers(const Launch& launch);
  Result<std::uint64_t> add_buffer(const BufferState& buffer, const std::string& parameter,
                                   std::uint64_t slot);
  void add_shadow(std::uint64_t address, memory::Allocation allocation, const BufferState& buffer);
  Status add_range(memory::Region region, std::uint64_t size_bytes, std::uint64_t offset,
                   const std::string& name, std::uint64_t& address);
  Status check_local_memory(const Launch& launch) const;
  Status add_variables(std::uint64_t workgroup_bytes);
  Status make_team(std::uint64_t workgroup_bytes);
  Status check_memory(const Limits& limits);
  const std::vector<LaunchPart::Address>& addresses() const;
  std::size_t object_count(const Launch& launch) const;
  const Argument& object_at(const Launch& launch, std::size_t index) const;
  const std::string& name_of(const Launch& launch, std::size_t object) const;
  std::span<const std::byte> bytes_of(const Launch& launch, std::size_t index);
  Status write_addresses(const Launch& launch) const;
  void write_argument(const Launch& launch, std::size_t index);

  const ModuleState& module_;
  const vm::Program& program_;
  const scheduler::GeometryPlan& plan_;
  ProgramVariables& variables_;
  memory::AddressHistory& history_;
  unsigned threads_;
  const LaunchPart* part_ = nullptr;  ///< while bind() runs: the launch's

  memory::AddressSpace space_;
  /// For a program that enqueues: a copy of space_ without local and private memory. Children's spaces start from it.
  std::optional<memory::AddressSpace> shared_space_;
  const std::uint32_t kernel_number_;
  std::uint64_t own_slot_ = 0;  ///< first slot of local and private memory
  std::uint64_t variables_version_ = 0;
  ProgramVariables::Addresses variable_addresses_;
  std::weak_ptr<SharedState> shared_;  ///< shared memory at the beginning of space_
  std::uint64_t shared_version_ = 0;
  bool built_ = false;
  std::vector<Bound> bound_;  ///< arguments, then pointees of addresses
  Checked buffer_bytes_;
  std::uint64_t reservation_bytes_ = 0;  ///< see LaunchSpec
  std::uint64_t bytes_left_ = 0;
  std::vector<std::uint64_t> slots_;
  std::vector<scheduler::PrivateImage> images_;
  std::vector<std::vector<std::byte>> values_;  ///< arguments in which addresses stand
  std::vector<scheduler::LocalRange> zeroed_local_;
  /// For a program that tracks undefined values: ranges of local memory by address, and the shadows of buffers.
  std::vector<std::pair<std::uint64_t, memory::Allocation>> local_shadows_;
  UndefinedShadows buffer_shadows_;
  std::vector<std::shared_ptr<UndefinedBits>> shared_shadows_;  ///< for shared virtual memory
  std::unique_ptr<scheduler::Team> team_;
};

}  // namespace transpire::runtime
