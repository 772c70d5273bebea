// Pointer types that a module declares more than once, as one type.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace transpire::validator {

/// The words with one id for all OpTypePointer of the same storage class and pointee, wherever a type is named; empty when
/// no pointer type is repeated. Instructions keep their places.
std::vector<std::uint32_t> with_pointers_unified(std::span<const std::uint32_t> words);

}  // namespace transpire::validator
