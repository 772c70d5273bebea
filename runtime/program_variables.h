// Program-scope variables of one module on one device: CrossWorkgroup variables keep their values
// from launch to launch, UniformConstant ones never change. Every variable of the module has its
// virtual address from the start, so pointers between them mean the same in every launch; storage
// is made when the first program that uses a variable runs, or when the host asks for it.
// Thread-safe.
//
// Shared virtual memory takes the lowest addresses of a launch, so the first launch that has some
// moves the variables behind it, and pointers in their initial values with them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "decoder/module.h"
#include "memory/address_space.h"
#include "scheduler/aligned.h"
#include "vm/program/program.h"

namespace transpire::runtime {

class ProgramVariables {
 public:
  explicit ProgramVariables(const decoder::Module& module);

  /// Makes storage for what the program uses and nobody used before. Fails with L0004.
  Status materialise(const vm::Program& program, std::uint64_t max_bytes);

  /// The bytes of ModuleInfo::variables[index], and storage for what its initial value points to.
  /// `module` is the one that this was made from. Fails with L0004 and U0003.
  Result<std::span<std::byte>> bytes_of(const decoder::Module& module, std::size_t index,
                                        std::uint64_t max_bytes);

  /// Adds the variables' ranges to a space that has none yet; `version` is that of what it holds.
  Status add_to(memory::AddressSpace& space, std::uint64_t& version);
  std::uint64_t address(decoder::Id id) const;

  /// Changes when storage was made or variables moved, so that spaces made before are out of date.
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
    std::uint64_t address = 0;
    scheduler::AlignedArray<std::byte> storage;
    std::vector<Relocation> relocations;  ///< pointers in its initial value
  };
  memory::Allocation allocation(const Variable& variable) const;
  Status make_storage(const vm::ProgramVariable& initial, std::uint64_t max_bytes);
  Status make_initial_storage(const decoder::Module& module, decoder::Id id,
                              std::uint64_t max_bytes);
  void move_to(const std::vector<std::uint64_t>& addresses);

  std::uint32_t pointer_bytes_;
  std::vector<Variable> variables_;  ///< in the module's order
  std::unordered_map<decoder::Id, std::size_t> index_;
  Diagnostics failure_;       ///< the variables do not fit
  mutable std::mutex mutex_;  ///< guards addresses and storage of variables
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace transpire::runtime
