// Source texts inside a module, by OpSource: findings show their lines wherever the module goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transpire/transpire.hpp"

namespace transpire::compiler {

/// A text of more bytes is left out: it would make the module larger than it is worth.
inline constexpr std::size_t kMostEmbeddedBytes = std::size_t{4} << 20;

/// The module with an OpSource for each text whose name is that of a file of its lines. A text with a zero
/// byte is left out, for no literal string can hold it.
std::vector<std::byte> with_sources(std::span<const std::byte> module,
                                    std::span<const SourceText> sources);

/// The texts that a module has by OpSource and OpSourceContinued, under the names of their files.
std::vector<SourceText> embedded_sources(std::span<const std::uint32_t> words);

}  // namespace transpire::compiler
