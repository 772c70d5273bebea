// Values that a launch of a kernel that clspv compiled puts into the blocks of its shader, and the samplers of its source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decoder/clspv_reflection.h"
#include "runtime/clspv_regions.h"
#include "transpire/transpire.hpp"

namespace transpire::runtime {

/// The bytes of a fact's value: an argument's, or what the shader asks for about an argument or the launch. Empty for facts that have
/// no such value. At most as many bytes as the fact says. `ids` are those of the launch.
std::vector<std::byte> value_of(const decoder::ClspvFact& fact, const Launch& launch,
                                const vm::exec::LaunchIds& ids, const Region& region);

/// Writes what there is room for.
void write(std::span<std::byte> target, std::uint64_t offset, std::span<const std::byte> bytes);

/// The sampler of a LiteralSampler's mask, which the decoder has checked.
Sampler sampler_of(std::uint32_t mask);

}  // namespace transpire::runtime
