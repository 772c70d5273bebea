// The instruction sets that the engine is compiled for: a row each in vm/simd/instruction_sets.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace transpire::vm {

enum class Isa : std::uint8_t {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) k##enumerator,
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
};

/// All of them, worst first. Whether a machine can run one: exec::supported().
inline constexpr Isa kIsas[] = {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) Isa::k##enumerator,
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
};

/// As users name it, e.g. "avx2".
constexpr std::string_view isa_name(Isa isa) {
  constexpr std::string_view kNames[] = {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) #name,
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
  };
  return kNames[static_cast<std::size_t>(isa)];
}

}  // namespace transpire::vm
