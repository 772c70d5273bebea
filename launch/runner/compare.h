// Compares buffers with expected values: exactly, within a tolerance, or within a number of ULPs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/language/launch_plan.h"
#include "launch/pictures/texels.h"
#include "launch/report/mismatch.h"
#include "launch/runner/text_room.h"

namespace transpire::launch {

struct Comparison {
  std::uint64_t compared = 0;  ///< scalars
  std::uint64_t different = 0;
  double sum_of_squares = 0;         ///< sum over the differences, for kRootMeanSquare
  std::uint64_t far = 0;             ///< differences too large for rounding errors
  std::uint64_t open = 0;            ///< numbers that the specification does not bound
  std::string open_example;          ///< "y[3]: native_sin"
  std::vector<Mismatch> mismatches;  ///< the first few differences
};

/// The elements to compare.
struct ComparedElements {
  TypeInfo type;
  std::string name;                ///< the buffer's name
  std::uint64_t first_index = 0;   ///< index of the first element in the buffer
  bool nan_is_nan = true;          ///< any NaN equals any other, also in an exact comparison
  std::optional<Texels> texels{};  ///< set for an image: its channels are compared one by one
  std::uint64_t offset_bytes = 0;  ///< images: offset of the first element
};

/// Gives the legal results for the number at an offset into the compared bytes, from a ResultLog.
using RangeAt =
    std::function<LegalRange(std::uint64_t offset_bytes, FloatType type, Profile profile)>;

/// True if one of the tolerances is Kind::kSpec: it needs the legal results of other implementations.
bool asks_for_ranges(std::span<const Tolerance> tolerances);

/// Number of numbers in an element, or of channels in a texel. Each may have a tolerance of its own.
std::size_t count_of_numbers(const ComparedElements& what);

/// Compares element by element; both spans have the same size. `tolerances` has no element (exact), one for all numbers, or
/// one for each number of an element. With a tolerance of Kind::kSpec, the expected number must be a legal result in place
/// of the found one, by `range_at`. Numbers without a bound are not compared but counted as open.
Comparison compare(const ComparedElements& what, std::span<const std::byte> expected,
                   std::span<const std::byte> found, std::span<const Tolerance> tolerances,
                   const RangeAt& range_at = {});

/// Adds the comparison of later elements to that of earlier ones.
void append(Comparison& all, Comparison later);

/// Writes a line for each number with its legal results: "y[3] = 1, [0.99999976, 1] (cos, 4 ulp)".
void list_ranges(TextRoom& room, const TypeInfo& type, std::span<const std::byte> found,
                 const RangeAt& range_at, Profile profile, const std::string& name,
                 std::uint64_t first_index);

/// Text of tolerances: "exactly", "within 1e-05", "within 4 ulp"; "within (1, 1ulp, 0)" for several.
std::string describe(std::span<const Tolerance> tolerances);

}  // namespace transpire::launch
