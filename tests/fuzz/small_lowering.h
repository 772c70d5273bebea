// Lowers what any bytes say, with a small budget, as the fuzzer and its test do.
#pragma once

#include <cstddef>
#include <span>

namespace transpire::fuzz {

/// Decodes the bytes and, where that works, lowers the first kernels for each instruction set. How
/// (packed, linear, checks, reference path) is taken from the header's generator word. Ends the
/// process when something is refused without a reason, or more was made than the limits allow.
/// Returns how many programs were made.
int lower_small(std::span<const std::byte> bytes);

}  // namespace transpire::fuzz
