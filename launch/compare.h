// Comparing buffers with what was expected of them: exact, within a tolerance, or within ULPs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/launch_plan.h"

namespace transpire::launch {

/// A number that is not what was expected.
struct Mismatch {
  std::string buffer;
  std::uint64_t element = 0;  ///< index into the buffer
  std::optional<std::size_t>
      leaf{};  ///< of an element that has several numbers, its place among them
  std::string expected{}, found{};
  /// Numbers that lie between, and one; nothing where no such count is (NaN, integers).
  std::optional<std::uint64_t> ulp{};
  std::string text{};  ///< a line for people: "y[3]: expected 4, found 3.5 (...)"
};

struct Comparison {
  std::uint64_t compared = 0;  ///< scalars
  std::uint64_t different = 0;
  std::uint64_t open = 0;            ///< of compare_legal()
  std::string open_example;          ///< "y[3]: native_sin"
  std::vector<Mismatch> mismatches;  ///< the first few differences
};

/// Element by element; both spans have the same size. `nan_is_nan`: any NaN equals any other, also
/// in an exact comparison. `name` and `first_index` are for the examples.
Comparison compare(const TypeInfo& type, std::span<const std::byte> expected,
                   std::span<const std::byte> found, const Tolerance& tolerance, bool nan_is_nan,
                   const std::string& name, std::uint64_t first_index);

/// What a log says of the number at an offset into the bytes that are compared.
using RangeAt = std::function<LegalRange(std::uint64_t offset_bytes, FloatType type)>;

/// As above, but a number is right when an implementation may give it in place of the one found;
/// other scalars must be equal. `open` counts the numbers that nothing bounds, which are not
/// compared.
Comparison compare_legal(const TypeInfo& type, std::span<const std::byte> expected,
                         std::span<const std::byte> found, const RangeAt& range_at, bool nan_is_nan,
                         const std::string& name, std::uint64_t first_index);

/// A line for each number: "y[3] = 1, [0.99999976, 1] (cos, 4 ulp)".
std::string list_ranges(const TypeInfo& type, std::span<const std::byte> found,
                        const RangeAt& range_at, const std::string& name,
                        std::uint64_t first_index);

/// "exactly", "within 1e-05", "within 4 ulp".
std::string describe(const Tolerance& tolerance);

}  // namespace transpire::launch
