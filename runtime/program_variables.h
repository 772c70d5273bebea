// Program-scope variables of one module on one device. CrossWorkgroup variables keep their values from launch to launch;
// UniformConstant variables never change. Each variable has its virtual address from the start, so pointers between variables
// stay valid in all launches. Storage is allocated when the first program that uses a variable runs, or when the host asks
// for it. Thread-safe, except for the variables' bytes.
//
// Shared virtual memory has the lowest addresses of a launch, and the variables follow it. Launches with different shared
// memory, or none, therefore have the variables at different addresses; each launch stores its own. Pointers in initial
// values, which are in the variables' bytes, fit only one of these addresses at a time. While a launch runs, its Use keeps
// them valid for it, and launches with other addresses wait. Without such pointers no launch waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/work_limit.h"
#include "decoder/module.h"
#include "memory/address_space.h"
#include "memory/pipe.h"
#include "scheduler/aligned.h"
#include "vm/program/program.h"

namespace transpire::runtime {

class ProgramVariables {
 public:
  /// Addresses of all variables in one launch's space, in the module's order.
  using Addresses = std::vector<std::uint64_t>;
  struct EndOfUse {
    void operator()(ProgramVariables* variables) const { variables->end_use(); }
  };
  /// While a Use exists, pointers in initial values do not change. It is null if there are none. The variables must outlive
  /// it.
  using Use = std::unique_ptr<ProgramVariables, EndOfUse>;

  explicit ProgramVariables(const decoder::Module& module);

  /// Allocates storage for the variables that the program uses and that have none. Fails with L0004.
  Status materialise(const vm::Program& program, std::uint64_t max_bytes);

  /// Allocates storage for all of the module's variables. Fails with L0004.
  Status materialise_all(const decoder::Module& module, std::uint64_t max_bytes);

  /// The bytes of ModuleInfo::variables[index]. Allocates storage for it and for variables that its initial value points to.
  /// `module` is the module of the constructor. Fails with L0004 and U0003.
  Result<std::span<std::byte>> bytes_of(const decoder::Module& module, std::size_t index,
                                        std::uint64_t max_bytes);

  /// Adds the variables to an address space and returns their addresses. `version` gets the version() of their storage.
  Result<Addresses> add_to(memory::AddressSpace& space, std::uint64_t& version) const;
  /// The address of one variable in the addresses from add_to().
  std::uint64_t address(const Addresses& addresses, decoder::Id id) const;

  /// Sets pointers in initial values for a launch with these addresses. It waits until no launch with other addresses runs; no
  /// later launch overtakes it then. The launch holds the result from before its kernel runs until its end.
  /// Fails with L0002.
  Result<Use> use(const Addresses& addresses, const WorkLimit& limit);

  /// Changes whenever storage is allocated. Address spaces made before are then out of date.
  std::uint64_t version() const { return version_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  using Relocation = vm::ProgramVariable::Relocation;
  struct Variable {
    std::string name;
    decoder::Id id = 0;
    bool is_constant = false;
    bool is_table = false;  ///< a constant table, which only the kernel that has it can read
    bool has_storage = false;
    std::uint64_t size_bytes = 0;
    scheduler::AlignedArray<std::byte> storage;
    std::vector<Relocation> relocations;              ///< pointers in its initial value
    std::unique_ptr<memory::Pipe> pipe;               ///< pipe storage: set once allocated
    std::uint32_t packet_bytes = 0, max_packets = 0;  ///< pipe storage: its sizes
  };
  memory::Allocation allocation(const Variable& variable) const;
  Status make_bytes(Variable& variable, const vm::ProgramVariable& initial);
  bool add(Variable variable, memory::AddressSpace& space);
  Status make_storage(const vm::ProgramVariable& initial, std::uint64_t max_bytes);
  Status make_initial_storage(const decoder::Module& module, decoder::Id id,
                              std::uint64_t max_bytes);
  void move_to(const Addresses& addresses);
  void end_use();

  std::uint32_t pointer_bytes_;
  std::uint32_t cut_bits_ = 0;       ///< for address spaces, see AddressSpace::cut_slots()
  std::vector<Variable> variables_;  ///< in the module's order
  std::unordered_map<decoder::Id, std::size_t> index_;
  Diagnostics failure_;  ///< the variables do not fit

  /// Guards all members below, and storage and relocations of variables.
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< signals changes of `uses_` and `is_arriving_`
  std::uint64_t uses_ = 0;           ///< number of existing uses, all of them for `addresses_`
  bool is_arriving_ = false;         ///< a launch with other addresses waits; no other may enter
  Addresses addresses_;              ///< addresses that pointers in initial values are set for
  // The members below are also read without the lock.
  std::atomic<bool> has_pointers_{false};  ///< some storage has relocations
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace transpire::runtime
