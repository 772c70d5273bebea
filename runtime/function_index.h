// Definitions, uses and places of the instructions of a module's functions, made by need.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "decoder/module.h"

namespace transpire::runtime {

/// Where an instruction stands in its function.
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
  std::unordered_map<decoder::Id, std::uint32_t> parameters;  ///< their numbers
  std::vector<std::vector<std::uint32_t>> predecessors;       ///< by block, each once
  std::vector<decoder::Id> returned;                          ///< values
};

/// The values that an instruction works on: without types, labels, functions and sets of instructions.
std::vector<decoder::Id> value_operands(const decoder::Instruction& instruction);

class FunctionIndexes {
 public:
  explicit FunctionIndexes(const decoder::Module& module) : module_(module) {}
  /// Null when the id names no function.
  const FunctionIndex* of(decoder::Id function);

 private:
  const decoder::Module& module_;
  std::unordered_map<decoder::Id, std::unique_ptr<const FunctionIndex>> made_;
};

}  // namespace transpire::runtime
