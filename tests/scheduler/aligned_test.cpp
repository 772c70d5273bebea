// Zeroed memory at a place of the caller's choice.
#include "scheduler/aligned.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace transpire::test {
namespace {

using scheduler::AlignedArray;

std::uintptr_t address_of(const AlignedArray<std::byte>& array) {
  return reinterpret_cast<std::uintptr_t>(array.data());
}

TEST_CASE("zeroed memory lies where it was asked for, and is zero") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{5000}, std::size_t{3} << 20}) {
    const auto plain = AlignedArray<std::byte>::zeroed(count);
    CHECK(address_of(plain) % 64 == 0);
    for (const std::size_t place : {std::size_t{0}, std::size_t{64}, std::size_t{4032}}) {
      const auto placed = AlignedArray<std::byte>::zeroed(count, 4096, place);
      CHECK(address_of(placed) % 4096 == place);
      CHECK(placed.size() == count);
      CHECK(std::all_of(placed.data(), placed.data() + count,
                        [](std::byte byte) { return byte == std::byte{0}; }));
    }
  }
}

TEST_CASE("zeroed memory of a size that no number says is refused") {
  CHECK_THROWS_AS(AlignedArray<std::byte>::zeroed(~std::size_t{0}, 4096, 64), std::bad_alloc);
}

}  // namespace
}  // namespace transpire::test
