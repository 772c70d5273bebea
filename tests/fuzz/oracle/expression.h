// The arithmetic oracle's expressions, apart from SPIR-V and the VM.
//
// A kernel is a list of nodes, operands before users: leaves (loads, kernel arguments, constants,
// the work-item's number) and instructions on earlier nodes. Some nodes are its results: each is
// stored to a buffer of its own. A kernel uses few types, so that nodes find operands that are not
// leaves.
//
//   instructions.h, scalar_*.cpp  what each instruction gives for one component
//   expression_make.cpp           makes the nodes
//   expression_value.cpp          their values for one work-item: the expected results
//   expression_text.cpp           writes them as SPIR-V assembly
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness.h"
#include "instructions.h"

namespace transpire::oracle {

struct Shape {
  Scalar scalar;
  unsigned count = 1;  ///< components
  bool operator==(const Shape&) const = default;
  unsigned bytes() const { return scalar.width / 8 * (count == 3 ? 4 : count); }  ///< in memory
};
std::string name_of(const Shape& shape);

enum class Leaf : std::uint8_t { kNone, kLoad, kArgument, kConstant, kItem };

struct Node {
  Leaf leaf = Leaf::kNone;
  const Instruction* instruction = nullptr;
  Shape shape;
  std::vector<int> operands;
  std::vector<unsigned> literals;   ///< component numbers, as the instruction wants them
  int rounding = -1;                ///< FPRoundingMode, or none
  bool saturated = false;           ///< SaturatedConversion
  std::vector<std::uint64_t> bits;  ///< kConstant, kArgument: by component
  int buffer = -1;                  ///< kLoad: which of the inputs
};

struct Expressions {
  std::vector<Node> nodes;
  std::vector<int> inputs;     ///< nodes that load
  std::vector<int> arguments;  ///< nodes that are kernel arguments
  std::vector<int> results;    ///< nodes that are stored
  unsigned item_mask = 0;      ///< not 0: only items whose number has one of these bits compute
  const Instruction* corrupted = nullptr;  ///< gives wrong values, to see that they are found
};

/// `strict`: only what SPIRV-Tools' validator accepts for OpenCL 2.2 without extensions: no halves.
Expressions make_expressions(Random& random, bool strict);
/// A value of the type, often a special one.
std::uint64_t make_value(Random& random, const Scalar& scalar);

using Value = std::array<std::uint64_t, 16>;  ///< bits of each component
/// The values of all nodes for one work-item. `inputs`: by input and component.
std::vector<Value> values_of(const Expressions& expressions, std::uint32_t item,
                             const std::vector<Value>& inputs);
std::string text_of(const Expressions& expressions);

}  // namespace transpire::oracle
