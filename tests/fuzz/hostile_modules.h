// Modules that are small or plain and ask for much: of lowering's time and memory, and of the
// memory of a launch. Valid as the validator sees it, or nearly. Each is made of a size `n`, which
// most families are linear in, so that time per byte can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace transpire::fuzz {

struct HostileFamily {
  std::string_view name;
  std::vector<std::uint32_t> (*make)(std::uint32_t n);
};

/// n functions, each of which the one before calls once.
std::vector<std::uint32_t> calls(std::uint32_t n);
/// n functions, each with two calls of the next: 2^n calls.
std::vector<std::uint32_t> call_tree(std::uint32_t n);
/// The same with branches, constants and phis and no other instruction in the functions.
std::vector<std::uint32_t> branching_call_tree(std::uint32_t n);
/// A loop with n numbers that take each other's place.
std::vector<std::uint32_t> rotating_phis(std::uint32_t n);
/// A loop with n arrays of `components` 64-bit integers that take each other's place.
std::vector<std::uint32_t> rotating_arrays(std::uint32_t n, std::uint64_t components);
/// n times: an array of 4,096 64-bit integers loaded whole and stored whole.
std::vector<std::uint32_t> aggregates(std::uint32_t n);
/// n branches one behind the other, taken by some lanes each.
std::vector<std::uint32_t> blocks(std::uint32_t n);
/// n loops within each other.
std::vector<std::uint32_t> nested_loops(std::uint32_t n);
/// n blocks that may each be entered from outside of the cycle that they make.
std::vector<std::uint32_t> irreducible(std::uint32_t n);
/// A pointer stepped on n times, and read after each.
std::vector<std::uint32_t> chains(std::uint32_t n);
/// n constants and a composite of each, all used.
std::vector<std::uint32_t> constants(std::uint32_t n);
/// n pointers with a decoration each.
std::vector<std::uint32_t> decorations(std::uint32_t n);
std::vector<std::uint32_t> names(std::uint32_t n);
/// A switch of n cases to n blocks that meet.
std::vector<std::uint32_t> switch_cases(std::uint32_t n);
/// n types, each a struct of the one before and a number, n pointers to them, and a variable.
std::vector<std::uint32_t> types(std::uint32_t n);
/// n vectors of 16 64-bit integers that are all computed before the first is stored.
std::vector<std::uint32_t> live_values(std::uint32_t n);

/// The twelve families that the scaling test doubles.
std::span<const HostileFamily> hostile_families();

}  // namespace transpire::fuzz
