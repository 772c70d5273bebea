// Comparison of buffers: exact, tolerant, in ULPs.
#include "launch/runner/compare.h"

#include <cmath>
#include <limits>

#include "tests/launch/support.h"

namespace transpire::test {
namespace {

using Kind = Tolerance::Kind;

template <class T>
std::uint64_t differences(const char* type, const std::vector<T>& expected,
                          const std::vector<T>& found, Tolerance tolerance,
                          bool nan_is_nan = true) {
  return compare({type_of(*type_word(type)), "y", 0, nan_is_nan},
                 std::as_bytes(std::span(expected)), std::as_bytes(std::span(found)),
                 std::span(&tolerance, 1))
      .different;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST_CASE("exact comparison is of bits, NaNs aside") {
  CHECK(differences<float>("float", {1, 2}, {1, 2}, {}) == 0);
  CHECK(differences<float>("float", {0.0F}, {-0.0F}, {}) == 1);
  CHECK(differences<float>("float", {kNan}, {-kNan}, {}) == 0);
  CHECK(differences<float>("float", {kNan}, {-kNan}, {}, false) == 1);
  CHECK(differences<float>("float", {kNan}, {1}, {}) == 1);
}

TEST_CASE("absolute and relative tolerance") {
  CHECK(differences<float>("float", {1, 100}, {1.001F, 100.001F}, {Kind::kAbsolute, 0.01}) == 0);
  CHECK(differences<float>("float", {1, 100}, {1.001F, 100.1F}, {Kind::kAbsolute, 0.01}) == 1);
  CHECK(differences<float>("float", {1, 100}, {1.1F, 100.1F}, {Kind::kRelative, 0.01}) == 1);
  CHECK(differences<float>("float", {kInf, -kInf}, {kInf, kInf}, {Kind::kAbsolute, 1e30}) == 1);
  CHECK(differences<float>("float", {kInf}, {1}, {Kind::kRelative, 1}) == 1);
  CHECK(differences<float>("float", {1}, {kNan}, {Kind::kAbsolute, 1e30}) == 1);
  CHECK(differences<int>("int", {10}, {12}, {Kind::kAbsolute, 2}) == 0);
}

TEST_CASE("tolerance in units in the last place") {
  const float next = std::nextafter(1.0F, 2.0F);
  CHECK(differences<float>("float", {1}, {next}, {Kind::kUlp, 1}) == 0);
  CHECK(differences<float>("float", {1}, {std::nextafter(next, 2.0F)}, {Kind::kUlp, 1}) == 1);
  CHECK(differences<float>("float", {0.0F}, {-0.0F}, {Kind::kUlp, 0}) == 0);
  CHECK(differences<int>("int", {3}, {-1}, {Kind::kUlp, 4}) == 0);
}

TEST_CASE("mismatches name the element and the distance, and the first ones are kept") {
  const std::vector<float> expected{1, 2, 3};
  const std::vector<float> found{1, 2.5, std::nextafter(3.0F, 4.0F)};
  const Comparison result =
      compare({type_of({ScalarType::kFloat, 1}), "y", 4}, std::as_bytes(std::span(expected)),
              std::as_bytes(std::span(found)), {});
  CHECK(result.compared == 3);
  REQUIRE(result.mismatches.size() == 2);
  CHECK(result.mismatches[0].text == "y[5]: expected 2, found 2.5 (difference 0.5, 2097152 ulp)");
  CHECK(result.mismatches[1].ulp == 1);
  CHECK(result.mismatches[1].element == 6);
  CHECK(result.mismatches[1].expected == "3");
  CHECK(!result.mismatches[1].leaf);
  CHECK(result.mismatches[1].text ==
        "y[6]: expected 3, found 3.0000002 (difference 2.38e-07, 1 ulp)");
  const std::vector<int> zeros(100);
  const std::vector<int> ones(100, 1);
  const Comparison many =
      compare({type_of({ScalarType::kInt, 2}), "y"}, std::as_bytes(std::span(zeros)),
              std::as_bytes(std::span(ones)), {});
  CHECK(many.different == 100);
  CHECK(many.mismatches.size() == 64);
  CHECK(many.mismatches[3].text == "y[1].1: expected 0, found 1");
}

TEST_CASE("padding of vectors of three is not compared") {
  CHECK(differences<int>("int3", {1, 2, 3, 4}, {1, 2, 3, 99}, {}) == 0);
  CHECK(differences<int>("int3", {1, 2, 3, 4}, {1, 2, 4, 4}, {}) == 1);
}

TEST_CASE("numbers are compared with what may be given in place of what was found") {
  const std::vector<float> expected = {1, 2, kNan, 4, 0},
                           found = {1.5F, 2.5F, kNan, 4.5F, 0x1p-140F};
  const auto range_at = [&](std::uint64_t offset_bytes, FloatType type, Profile) {
    CHECK(type == FloatType::kFloat);
    const double value = found[offset_bytes / 4];
    LegalRange range = legal_range(value, type, offset_bytes == 0 ? 0x1p22 : 2, true);
    range.operation = "sin";
    if (offset_bytes == 12) range.kind = LegalRange::Kind::kOpen;
    return range;
  };
  const Tolerance spec{Tolerance::Kind::kSpec};
  const Comparison result =
      compare({type_of(*type_word("float")), "y", 5}, std::as_bytes(std::span(expected)),
              std::as_bytes(std::span(found)), std::span(&spec, 1), range_at);
  CHECK(result.compared == 5);
  CHECK(result.different == 1);
  CHECK(result.open == 1);
  CHECK(result.open_example == "y[8]: sin");
  REQUIRE(result.mismatches.size() == 1);
  CHECK(result.mismatches[0].text ==
        "y[6]: 2 is not within [2.4999995, 2.5000005] (sin, 2 ulp), 2.5 here");
  CHECK(describe(std::span(&spec, 1)) == "within what the full profile allows");
}

TEST_CASE("each number is asked for with the profile of its own tolerance") {
  const Tolerance full{Kind::kSpec, 0, Profile::kFull};
  const Tolerance embedded{Kind::kSpec, 0, Profile::kEmbedded};
  const std::vector<Tolerance> tolerances{embedded, full};
  const std::vector<float> numbers{1, 1};
  std::vector<Profile> asked;
  compare({type_of(*type_word("float2")), "y"}, std::as_bytes(std::span(numbers)),
          std::as_bytes(std::span(numbers)), tolerances,
          [&](std::uint64_t, FloatType type, Profile profile) {
            asked.push_back(profile);
            return legal_range(1, type, 1, true);
          });
  CHECK(asked == std::vector{Profile::kEmbedded, Profile::kFull});
}

TEST_CASE("each number of an element has a tolerance of its own") {
  const std::vector<Tolerance> tolerances{
      {Kind::kAbsolute, 0}, {Kind::kAbsolute, 2}, {Kind::kUlp, 1}, {Kind::kRelative, 0.5}};
  const std::vector<int> expected{1, 1, 1, 10, 1, 1, 1, 10}, found{1, 3, 2, 15, 2, 4, 3, 16};
  const Comparison result =
      compare({type_of(*type_word("int4")), "y"}, std::as_bytes(std::span(expected)),
              std::as_bytes(std::span(found)), tolerances);
  CHECK(result.compared == 8);
  CHECK(result.different == 4);
  CHECK(result.mismatches[0].element == 1);
  CHECK(describe(tolerances) == "within (0, 2, 1ulp, 0.5rel)");
  CHECK(describe({}) == "exactly");
}

}  // namespace
}  // namespace transpire::test
