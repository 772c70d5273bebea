// Comparing buffers with what was expected of them: exact, within a tolerance, or within ULPs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/launch_plan.h"
#include "launch/texels.h"
#include "launch/text_room.h"

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
  std::string text{};                 ///< a line for people: "y[3]: expected 4, found 3.5 (...)"
  std::optional<TexelPlace> texel{};  ///< of an image
  std::string channel{};              ///< of an image: "R"
  std::string place{};                ///< "y[3]", "y[3].x", "img[3].R at (1,0)"
};

struct Comparison {
  std::uint64_t compared = 0;  ///< scalars
  std::uint64_t different = 0;
  std::uint64_t far = 0;             ///< of the different ones, those that no rounding explains
  std::uint64_t open = 0;            ///< what the specification does not bound
  std::string open_example;          ///< "y[3]: native_sin"
  std::vector<Mismatch> mismatches;  ///< the first few differences
};

/// The elements that are compared.
struct ComparedElements {
  TypeInfo type;
  std::string name;                ///< of the buffer
  std::uint64_t first_index = 0;   ///< of the first element
  bool nan_is_nan = true;          ///< any NaN equals any other, also in an exact comparison
  std::optional<Texels> texels{};  ///< of an image, whose channels are compared one by one
  std::uint64_t offset_bytes = 0;  ///< of the first element, in the image
};

/// What a log says of the number at an offset into the bytes that are compared.
using RangeAt =
    std::function<LegalRange(std::uint64_t offset_bytes, FloatType type, Profile profile)>;

/// Whether one of them asks what an implementation may give.
bool asks_for_ranges(std::span<const Tolerance> tolerances);

/// How many tolerances there may be beside one for all: numbers of an element, or channels of a texel.
std::size_t count_of_numbers(const ComparedElements& what);

/// Element by element; both spans have the same size. `tolerances`: none (exact), one for all, or one for each number of an
/// element. `range_at` is asked where a tolerance is of Kind::kSpec: then a number is right when an implementation may give it
/// in place of the one found, and numbers that nothing bounds are counted as open instead of compared.
Comparison compare(const ComparedElements& what, std::span<const std::byte> expected,
                   std::span<const std::byte> found, std::span<const Tolerance> tolerances,
                   const RangeAt& range_at = {});

/// Adds the comparison of later elements to that of earlier ones.
void append(Comparison& all, Comparison later);

/// A line for each number: "y[3] = 1, [0.99999976, 1] (cos, 4 ulp)".
void list_ranges(TextRoom& room, const TypeInfo& type, std::span<const std::byte> found,
                 const RangeAt& range_at, Profile profile, const std::string& name,
                 std::uint64_t first_index);

/// "exactly", "within 1e-05", "within 4 ulp"; of several "within (1, 1ulp, 0)".
std::string describe(std::span<const Tolerance> tolerances);

}  // namespace transpire::launch
