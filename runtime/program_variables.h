// Program-scope variables of one module on one device: CrossWorkgroup variables keep their values
// from launch to launch, UniformConstant ones never change. Every variable of the module has its
// virtual address from the start, so pointers between them mean the same in every launch; storage
// is made when the first program that uses a variable runs. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "decoder/module.h"
#include "memory/address_space.h"
#include "scheduler/aligned.h"
#include "vm/program.h"

namespace transpire::runtime {

class ProgramVariables {
 public:
  explicit ProgramVariables(const decoder::Module& module);

  /// Makes storage for what the program uses and nobody used before. Fails with L0004.
  Status materialise(const vm::Program& program, std::uint64_t max_bytes);

  /// Adds the variables' ranges to a space that has none yet.
  Status add_to(memory::AddressSpace& space) const;
  std::uint64_t address(decoder::Id id) const;

  /// Changes when storage was made, so that spaces made before are out of date.
  std::uint64_t version() const { return version_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Variable {
    std::string name;
    decoder::Id id = 0;
    bool is_constant = false;
    bool has_storage = false;
    std::uint64_t size_bytes = 0;
    std::uint64_t address = 0;
    scheduler::AlignedArray<std::byte> storage;
  };
  memory::Allocation allocation(const Variable& variable) const;

  std::uint32_t pointer_bytes_;
  std::vector<Variable> variables_;  ///< in the module's order
  std::unordered_map<decoder::Id, std::size_t> index_;
  Diagnostics failure_;       ///< the variables do not fit
  mutable std::mutex mutex_;  ///< guards the storage of variables
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace transpire::runtime
