// Session: all that one launch at a time needs beside the program, kept for the next launch of the
// same kernel with the same sizes: the address space, the argument slots, the workers' memory.
//
// Binding the same buffers again reuses the address space; only the argument slots are written
// anew.
#pragma once

#include <memory>
#include <vector>

#include "base/checked.h"
#include "memory/address_space.h"
#include "runtime/address_book.h"
#include "runtime/buffer_shadows.h"
#include "runtime/program_variables.h"
#include "runtime/shared_state.h"
#include "runtime/state.h"
#include "scheduler/launch.h"

namespace transpire::runtime {

class Session {
 public:
  /// All outlive the session. `kernel`: its number (ModuleState). `threads`: as of scheduler::Team.
  Session(const ModuleState& module, std::uint32_t kernel, const vm::Program& program,
          const scheduler::GeometryPlan& plan, ProgramVariables& variables, AddressHistory& history,
          unsigned threads);

  /// Checks the arguments against the kernel's parameters and makes the launch ready. What it gives
  /// is kept until the kernel ended. Errors: C0003, L0002, L0004.
  Result<ProgramVariables::Use> bind(const Launch& launch, const WorkLimit& limit);

  /// The same of a launch that a kernel enqueued in the course of `root`'s launch, bound and not ended: what root can reach
  /// is at the same addresses, and the buffers of the arguments, which are the launch's own, beside it. Errors: L0004.
  Status bind_within(const Launch& launch, const Session& root);

  /// Only after a successful bind; valid until the next.
  scheduler::LaunchSpec spec(const Launch& launch) const;
  scheduler::Team& team() { return *team_; }
  const memory::AddressSpace& space() const { return space_; }
  const vm::Program& program() const { return program_; }
  /// Which buffers had which addresses, in the launches before too.
  AddressBook& book() const {
    return shared_.expired() ? history_.buffers : history_.beside_shared;
  }
  /// Bytes that the bound launch leaves of its limit of memory.
  std::uint64_t bytes_left() const { return bytes_left_; }

 private:
  /// What of an argument decides the address space.
  struct Bound {
    std::weak_ptr<BufferState> buffer;
    bool read_only = false;
    bool write_only = false;
    std::weak_ptr<UndefinedBits> undefined;
    std::uint64_t local_bytes = 0;
    std::uint64_t address = 0;  ///< of its first byte
  };

  bool is_bound(const Launch& launch) const;
  Status build_space(const Launch& launch);
  Status build_space_within(const Launch& launch, const Session& root);
  void make_room();
  Status add_own_memory(const Launch& launch);
  void begin(const Launch& launch);
  std::uint64_t uncut(std::uint64_t slots) const;
  /// In slots as they are now cut.
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
  void write_argument(const Launch& launch, std::size_t index);

  const ModuleState& module_;
  const vm::Program& program_;
  const scheduler::GeometryPlan& plan_;
  ProgramVariables& variables_;
  AddressHistory& history_;
  unsigned threads_;

  memory::AddressSpace space_;
  /// Of a program that enqueues: space_ before local and private memory came in. That is where the children's begin.
  std::optional<memory::AddressSpace> shared_space_;
  const std::uint32_t kernel_number_;
  std::uint64_t own_slot_ = 0;  ///< from here on lie local and private memory
  std::uint64_t variables_version_ = 0;
  ProgramVariables::Addresses variable_addresses_;
  std::weak_ptr<SharedState> shared_;  ///< what space_ begins with
  std::uint64_t shared_version_ = 0;
  bool built_ = false;
  std::vector<Bound> bound_;
  Checked buffer_bytes_;
  std::uint64_t reservation_bytes_ = 0;  ///< see LaunchSpec
  std::uint64_t bytes_left_ = 0;
  std::vector<std::uint64_t> slots_;
  std::vector<scheduler::PrivateImage> images_;
  /// Of a program that tracks undefined values: the ranges of local memory by address, and the shadows of buffers.
  std::vector<std::pair<std::uint64_t, memory::Allocation>> local_shadows_;
  BufferShadows buffer_shadows_;
  std::vector<std::shared_ptr<UndefinedBits>> shared_shadows_;  ///< of shared virtual memory
  std::unique_ptr<scheduler::Team> team_;
};

}  // namespace transpire::runtime
