// Indexes of a module's functions: definitions, uses and places of their instructions. They are made on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "decoder/module.h"

namespace transpire::analysis {

/// Position of an instruction in its function.
struct Spot {
  std::uint32_t block = 0, index = 0;
};

struct FunctionIndex {
  FunctionIndex(const decoder::Module& module, const decoder::Function& indexed);

  const decoder::Instruction& at(Spot spot) const {
    return function.blocks[spot.block].instructions[spot.index];
  }

  const decoder::Function& function;
  std::unordered_map<decoder::Id, Spot> definitions;
  std::unordered_map<decoder::Id, std::vector<Spot>> users;
  std::unordered_map<std::uint32_t, Spot> at_word;
  std::unordered_map<decoder::Id, std::uint32_t> parameters;  ///< index of each parameter
  std::vector<std::vector<std::uint32_t>> predecessors;       ///< by block, without duplicates
  std::vector<decoder::Id> returned;                          ///< values that it returns
};

/// The value operands of an instruction, without types, labels, functions and instruction sets.
std::vector<decoder::Id> value_operands(const decoder::Instruction& instruction);

/// Calls visit(instruction) for each instruction of the module's functions.
template <class Visit>
void each_instruction(const decoder::Module& module, const Visit& visit) {
  for (const decoder::Function& function : module.functions)
    for (const decoder::Block& block : function.blocks)
      for (const decoder::Instruction& instruction : block.instructions) visit(instruction);
}

class FunctionIndexes {
 public:
  explicit FunctionIndexes(const decoder::Module& module) : module_(module) {}
  /// The index of a function; null if the id is not a function's.
  const FunctionIndex* of(decoder::Id function);

 private:
  const decoder::Module& module_;
  std::unordered_map<decoder::Id, std::unique_ptr<const FunctionIndex>> made_;
};

}  // namespace transpire::analysis
