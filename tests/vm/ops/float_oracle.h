// Floats as bits and as numbers, for the oracles: independent of the handlers' own conversions.
#pragma once

#include <cstdint>

#include "vm/simd/kind.h"
#include "vm/simd/rounding.h"

namespace transpire::test {

inline constexpr vm::Rounding kRoundings[] = {vm::Rounding::kRte, vm::Rounding::kRtz,
                                              vm::Rounding::kRtp, vm::Rounding::kRtn};

bool is_nan(vm::Kind kind, std::uint64_t bits);
/// The NaN with its quiet bit set.
std::uint64_t quiet(vm::Kind kind, std::uint64_t bits);
/// What an invalid operation gives: negative, quiet, no payload.
std::uint64_t default_nan(vm::Kind kind);

/// The exact value of a float of any kind, not a NaN.
long double to_number(vm::Kind kind, std::uint64_t bits);

/// The float that a number rounds to.
std::uint64_t from_number(vm::Kind kind, long double number,
                          vm::Rounding mode = vm::Rounding::kRte);

}  // namespace transpire::test
