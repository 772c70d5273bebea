// Random LIR functions for tests of passes: any control flow (irreducible too), phis, integer
// arithmetic in three widths, products and sums in float and double, divergent and uniform
// conditions, private variables, loads and stores.
#pragma once

#include <cstdint>

#include "vm/lir/lir.h"

namespace transpire::test {

using namespace vm;
using namespace vm::lir;

struct RandomLirOptions {
  std::uint32_t max_blocks = 20;
  std::uint32_t private_variables = 0;  ///< accessed at constant offsets, sometimes at others
  bool structured = false;              ///< nested ifs and counted loops only
  /// No loads and private variables: a work-item stores in its own kOwnBytes from argument 2 on.
  /// More switches, whose cases fall through at times, and phis that keep a value on most edges.
  bool own_stores = false;
  bool groups = false;  ///< local and group ids too, and accesses indexed by what they make
};

inline constexpr std::uint32_t kOwnBytes = 256;

/// The same function for the same seed. verify() is silent on it; blocks may be unreachable.
vm::lir::Function random_lir(std::uint32_t seed, const RandomLirOptions& options);

}  // namespace transpire::test
