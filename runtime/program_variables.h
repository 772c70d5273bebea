// Program-scope variables of one module on one device: CrossWorkgroup variables keep their values
// from launch to launch, UniformConstant ones never change. Every variable of the module has its
// virtual address from the start, so pointers between them mean the same in every launch; storage
// is made when the first program that uses a variable runs, or when the host asks for it.
// Thread-safe; the bytes themselves are the kernels' and the host's to guard.
//
// Shared virtual memory takes the lowest addresses of a launch, and the variables lie behind it, so
// launches with other shared memory, or none, have them at other addresses. Each launch keeps its
// own. Only what lies in the variables' bytes can be right for one place at a time, the pointers in
// initial values: while a launch runs, its Use keeps them as it needs them, and launches that have
// the variables elsewhere wait. Without such pointers nobody waits.
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
  /// While it lives, pointers in initial values stay as they are. Null when there are none. The
  /// variables outlive it.
  using Use = std::unique_ptr<ProgramVariables, EndOfUse>;

  explicit ProgramVariables(const decoder::Module& module);

  /// Makes storage for what the program uses and nobody used before. Fails with L0004.
  Status materialise(const vm::Program& program, std::uint64_t max_bytes);

  /// The same for all of the module's variables.
  Status materialise_all(const decoder::Module& module, std::uint64_t max_bytes);

  /// The bytes of ModuleInfo::variables[index], and storage for what its initial value points to.
  /// `module` is the one that this was made from. Fails with L0004 and U0003.
  Result<std::span<std::byte>> bytes_of(const decoder::Module& module, std::size_t index,
                                        std::uint64_t max_bytes);

  /// Adds the variables' ranges to a space that has none yet; `version` is that of what it holds.
  Result<Addresses> add_to(memory::AddressSpace& space, std::uint64_t& version) const;
  /// Of one variable, of those that add_to() gave.
  std::uint64_t address(const Addresses& addresses, decoder::Id id) const;

  /// For a launch that has the variables at these addresses, from before its kernel runs until it
  /// ended: moves pointers in initial values there, for which it waits until no launch runs that has
  /// the variables elsewhere. Who is next is not overtaken. Fails with L0002.
  Result<Use> use(const Addresses& addresses, const WorkLimit& limit);

  /// Changes when storage was made, so that spaces made before are out of date.
  std::uint64_t version() const { return version_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  using Relocation = vm::ProgramVariable::Relocation;
  struct Variable {
    std::string name;
    decoder::Id id = 0;
    bool is_constant = false;
    bool has_storage = false;
    std::uint64_t size_bytes = 0;
    scheduler::AlignedArray<std::byte> storage;
    std::vector<Relocation> relocations;              ///< pointers in its initial value
    std::unique_ptr<memory::Pipe> pipe;               ///< of pipe storage, once it is there
    std::uint32_t packet_bytes = 0, max_packets = 0;  ///< likewise
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
  std::uint32_t cut_bits_ = 0;       ///< of launches' spaces, see AddressSpace::cut_slots()
  std::vector<Variable> variables_;  ///< in the module's order
  std::unordered_map<decoder::Id, std::size_t> index_;
  Diagnostics failure_;  ///< the variables do not fit

  /// Guards all below, and storage and relocations of variables.
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< one of the next two
  std::uint64_t uses_ = 0;           ///< that live, all of them for addresses_
  bool is_arriving_ = false;         ///< a launch is next, and waits until it may go
  Addresses addresses_;              ///< for which the pointers in initial values are
  // These are read without the lock, too.
  std::atomic<bool> has_pointers_{false};  ///< some storage has relocations
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace transpire::runtime
