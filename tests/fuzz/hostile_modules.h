// Modules that are small or plain and ask for much: of lowering's time and memory, and of the
// memory of a launch. Valid as the validator sees it, or nearly. Each is made of a size `n`, which
// most families are linear in, so that time per byte can be compared.
#pragma once

#include <span>

#include "tests/fuzz/module_words.h"

namespace transpire::fuzz {

struct HostileFamily {
  std::string_view name;
  Words (*make)(std::uint32_t n);
};

/// n functions, each of which the one before calls once.
Words calls(std::uint32_t n);
/// n functions, each with two calls of the next: 2^n calls.
Words call_tree(std::uint32_t n);
/// The same with branches, constants and phis and no other instruction in the functions.
Words branching_call_tree(std::uint32_t n);
/// A loop with n numbers that take each other's place.
Words rotating_phis(std::uint32_t n);
/// A loop with n arrays of `components` 64-bit integers that take each other's place.
Words rotating_arrays(std::uint32_t n, std::uint64_t components);
/// n times: an array of 4,096 64-bit integers loaded whole and stored whole.
Words aggregates(std::uint32_t n);
/// n branches one behind the other, taken by some lanes each.
Words blocks(std::uint32_t n);
/// n loops within each other.
Words nested_loops(std::uint32_t n);
/// n functions with a loop around 40 additions.
Words loops(std::uint32_t n);
/// n blocks that may each be entered from outside of the cycle that they make.
Words irreducible(std::uint32_t n);
/// A pointer stepped on n times, and read after each.
Words chains(std::uint32_t n);
/// n constants and a composite of each, all used.
Words constants(std::uint32_t n);
/// n pointers with a decoration each.
Words decorations(std::uint32_t n);
Words names(std::uint32_t n);
/// A switch of n cases to n blocks that meet.
Words switch_cases(std::uint32_t n);
/// n types, each a struct of the one before and a number, n pointers to them, and a variable.
Words types(std::uint32_t n);
/// n vectors of 16 64-bit integers that are all computed before the first is stored.
Words live_values(std::uint32_t n);

/// The families that the scaling test doubles.
std::span<const HostileFamily> hostile_families();

}  // namespace transpire::fuzz
