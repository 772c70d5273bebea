#include "base/checked.h"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TEST_CASE("checked: sums and products that fit are numbers") {
  CHECK((Checked(3) + 4).value() == 7);
  CHECK((Checked(3) * 4).value() == 12);
  CHECK((Checked(7) - 4).value() == 3);
  CHECK((Checked(kMost - 1) + 1).value() == kMost);
  CHECK((Checked(kMost - 1) + 1).valid());
  CHECK((Checked(1ull << 32) * 0xffffffffull).valid());
}

TEST_CASE("checked: overflow is a value that no limit admits") {
  for (const Checked sum : {Checked(kMost) + 1, Checked(1ull << 32) * (1ull << 32), Checked(3) - 4,
                            Checked(kMost).align_up(64), Checked(1).align_up(0)}) {
    CHECK_FALSE(sum.valid());
    CHECK_FALSE(sum.fits(kMost));
    CHECK_FALSE(sum.get());
    CHECK(sum.value() == kMost);
  }
}

TEST_CASE("checked: what is computed from an overflow stays one") {
  const Checked wrapped = Checked(kMost) + 5;
  CHECK_FALSE((wrapped + 1).valid());
  CHECK_FALSE((wrapped * 0).valid());
  CHECK_FALSE((Checked(0) * wrapped).valid());
  CHECK_FALSE(wrapped.align_up(4).valid());
  CHECK(wrapped == Checked::invalid());
  CHECK_FALSE(wrapped == Checked(4));
}

TEST_CASE("checked: rounding up to a multiple") {
  CHECK(Checked(0).align_up(64).value() == 0);
  CHECK(Checked(1).align_up(64).value() == 64);
  CHECK(Checked(64).align_up(64).value() == 64);
  CHECK(Checked(10).align_up(3).value() == 12);
  CHECK(Checked(kMost - 63).align_up(64).value() == kMost - 63);
}

TEST_CASE("checked: limits include their own value") {
  CHECK(Checked(10).fits(10));
  CHECK_FALSE(Checked(11).fits(10));
}

}  // namespace
}  // namespace transpire::test
