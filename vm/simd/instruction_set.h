// The instruction sets: a row each in vm/simd/instruction_sets.def. A build has some of them: exec::built_isas().
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace transpire::vm {

enum class Isa : std::uint8_t {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) k##enumerator,
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
};

/// All of them as users name them, e.g. "avx2".
inline constexpr std::string_view kIsaNames[] = {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) #name,
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
};

constexpr std::string_view isa_name(Isa isa) { return kIsaNames[static_cast<std::size_t>(isa)]; }

/// Searches all, also those that this build lacks.
constexpr std::optional<Isa> isa_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kIsaNames); ++i)
    if (kIsaNames[i] == name) return static_cast<Isa>(i);
  return std::nullopt;
}

}  // namespace transpire::vm
