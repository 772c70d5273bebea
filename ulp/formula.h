// The functions that are judged by a formula: a row of ulp/formulas.def.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulp/formula_numbers.h"

namespace transpire::ulp {

using extinst::reference::Bits;

/// A call's operands, and which of the result's scalars is asked for. All are finite for Exact and Permitted.
struct FormulaCall {
  std::span<const double> operands;
  std::size_t component;
};

/// The numbers that Vulkan permits as a result, from `low` to `high`; nothing if it permits all.
using PermittedRange = std::optional<std::pair<double, double>>;

struct Formula {
  std::string_view name;         ///< with the size, "Length3"
  std::string_view instruction;  ///< without it, "Length", "OpDot"
  std::size_t size;
  std::string_view operands, result;  ///< shapes of formulas.def
  bool rounded_once;
  Near<double> (*near)(const FormulaCall& call);
  Near<long double> (*near_of_double)(const FormulaCall& call);
  Exact (*exact)(const FormulaCall& call);
  PermittedRange (*permitted)(vm::Kind kind, const FormulaCall& call);

  /// Scalars of a shape, of all operands, of the result.
  std::size_t scalars(char shape) const;
  std::size_t operand_count() const;
  std::size_t result_count() const { return scalars(result[0]); }
};

std::span<const Formula> formulas();
/// Null if it is none.
const Formula* find_formula(std::string_view name);

}  // namespace transpire::ulp
