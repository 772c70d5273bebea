// The arithmetic oracle's expressions, apart from SPIR-V and the VM.
//
// A kernel is a list of nodes, operands before users: leaves (loads, kernel arguments, constants,
// the work-item's number) and instructions on earlier nodes. Some nodes are its results, which are
// stored. A kernel uses few types, so that nodes find operands that are not leaves. Loads and
// stores go to an element by the work-item's number: one by one, in steps, backwards, all to the
// same, or by a value.
//
//   instructions.h, scalar_*.cpp  what each instruction gives for one component
//   expression_make.cpp           makes the nodes
//   expression_value.cpp          their values for one work-item: the expected results
//   expression_text.cpp           writes them as SPIR-V assembly
#pragma once

#include <array>

#include "tests/fuzz/oracle/harness.h"
#include "tests/fuzz/oracle/instructions.h"

namespace transpire::oracle {

struct Shape {
  Scalar scalar;
  unsigned count = 1;  ///< components
  bool operator==(const Shape&) const = default;
  unsigned bytes() const { return scalar.width / 8 * (count == 3 ? 4 : count); }  ///< in memory
};
/// As the short form of assembly names it: "v4uint".
std::string name_of(const Shape& shape);

enum class Leaf : std::uint8_t { kNone, kLoad, kArgument, kConstant, kItem };

/// An element of a buffer: scale * item + offset, or offset + what node `by` is worth.
struct Place {
  int buffer = -1;
  int scale = 1;
  std::uint32_t offset = 0;
  int by = -1;
  bool narrow = false;  ///< computed with 32 bits
  bool hidden = false;  ///< plus an argument that is zero
};
struct Array {
  Shape shape;
  std::uint64_t elements = 0;
};
struct Stored {
  int node = -1;
  Place place;
};

struct Node {
  Leaf leaf = Leaf::kNone;
  const Instruction* instruction = nullptr;
  Shape shape;
  std::vector<int> operands;
  std::vector<unsigned> literals;   ///< component numbers, as the instruction wants them
  int rounding = -1;                ///< FPRoundingMode, or none
  bool saturated = false;           ///< SaturatedConversion
  std::vector<std::uint64_t> bits;  ///< kConstant, kArgument: by component
  Place place;                      ///< kLoad
};

struct Expressions {
  std::vector<Node> nodes;
  std::vector<Array> inputs, outputs;
  std::vector<int> arguments;   ///< nodes that are kernel arguments
  std::vector<Stored> results;  ///< each element of the outputs is stored once
  unsigned item_mask = 0;       ///< not 0: only items whose number has one of these bits compute
  FloatModes modes;             ///< that the launch asks for
  const Instruction* corrupted = nullptr;  ///< gives wrong values, to see that they are found
};

/// `strict`: only what SPIRV-Tools' validator accepts for OpenCL 2.2 without extensions: no halves.
Expressions make_expressions(Random& random, std::uint32_t items, bool strict);
/// A value of the type, often a special one.
std::uint64_t make_value(Random& random, const Scalar& scalar);

using Value = std::array<std::uint64_t, 16>;     ///< bits of each component
using Inputs = std::vector<std::vector<Value>>;  ///< by buffer, then element
/// The values of all nodes for one work-item.
std::vector<Value> values_of(const Expressions& expressions, std::uint32_t item,
                             const Inputs& inputs);
inline std::size_t element_of(const Place& place, std::uint32_t item) {
  return static_cast<std::size_t>(place.scale * static_cast<std::int64_t>(item) + place.offset);
}
std::string text_of(const Expressions& expressions);

}  // namespace transpire::oracle
