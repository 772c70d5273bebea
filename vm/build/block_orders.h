// BlockOrders: in which order the blocks of a SPIR-V function are built.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vm/build/names.h"

namespace transpire::vm::builder {

/// The labels that a terminator leads to.
void append_targets(const decoder::Module& module, const Instruction& terminator,
                    std::vector<Id>& labels);

class BlockOrders {
 public:
  explicit BlockOrders(const decoder::Module& module) : module_(module) {}

  /// The blocks that control can reach, in reverse post-order: definitions come before their uses.
  const std::vector<std::uint32_t>& of(const decoder::Function& function);

 private:
  const decoder::Module& module_;
  std::unordered_map<Id, std::vector<std::uint32_t>> orders_;
};

}  // namespace transpire::vm::builder
