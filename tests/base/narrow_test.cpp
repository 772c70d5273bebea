// Numbers that go into narrower types and parts of words: at each limit, and one past it.
#include "base/narrow.h"

#include <doctest/doctest.h>

#include <limits>

#include "vm/program/immediates.h"

namespace transpire::test {
namespace {

template <class To, class From>
bool is_refused(From from) {
  try {
    return (void)narrow<To>(from), false;
  } catch (const TooWide& number) {
    CHECK(number.field_bits == 8 * sizeof(To));
    return true;
  }
}

/// All of a type, one above and one below.
template <class To>
void check_limits() {
  using Limits = std::numeric_limits<To>;
  const std::int64_t least = Limits::min(), most = Limits::max();
  CHECK(narrow<To>(least) == Limits::min());
  CHECK(narrow<To>(most) == Limits::max());
  CHECK(is_refused<To>(least - 1));
  CHECK(is_refused<To>(most + 1));
  CHECK(is_refused<To>(~std::uint64_t{0}));
}

template <class Encoded>
bool is_refused_as_immediate(const Encoded& value) {
  try {
    return (void)value.encode(), false;
  } catch (const TooWide&) {
    return true;
  }
}

/// A member of what an immediate carries: comes back as it went in, up to the limit.
template <class Encoded, class Member>
void check_member(Member Encoded::*member, std::uint64_t most) {
  Encoded value{};
  for (const std::uint64_t fits : {std::uint64_t{0}, std::uint64_t{1}, most / 2, most}) {
    value.*member = static_cast<Member>(fits);
    CHECK(Encoded::decode(value.encode()).*member == static_cast<Member>(fits));
  }
  if (most >= std::numeric_limits<Member>::max()) return;  // the member's type has no more
  for (const std::uint64_t more : {most + 1, std::uint64_t{std::numeric_limits<Member>::max()}}) {
    value.*member = static_cast<Member>(more);
    CHECK(is_refused_as_immediate(value));
  }
}

enum class Few : std::uint8_t { kNone, kLast = 15, kOther = 16 };

TEST_CASE("a number keeps its value in a narrower type, or is refused") {
  check_limits<std::uint8_t>();
  check_limits<std::uint16_t>();
  check_limits<std::uint32_t>();
  check_limits<std::int8_t>();
  check_limits<std::int16_t>();
  check_limits<std::int32_t>();
  CHECK(narrow<std::uint8_t>(Few::kOther) == 16);
  CHECK(narrow<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) == ~std::uint64_t{0} >> 1);
  CHECK(is_refused<std::uint64_t>(-1));
}

TEST_CASE("a part of a word keeps its value, or is refused") {
  using Low = BitField<0, 4>;
  using High = BitField<60, 4>;
  using All = BitField<0, 64>;
  CHECK(High::put(15) == std::uint64_t{15} << 60);
  CHECK(Low::get(High::put(15) | Low::put(9)) == 9);
  CHECK(All::put(~std::uint64_t{0}) == ~std::uint64_t{0});
  CHECK(Low::as<Few>(Low::put(Few::kLast)) == Few::kLast);
  CHECK_THROWS_AS((void)High::put(16), TooWide);
  CHECK_THROWS_AS((void)Low::put(Few::kOther), TooWide);
}

TEST_CASE("immediates carry what fits into them, and nothing else") {
  check_member(&vm::GroupOperation::size, 255);
  check_member(&vm::WaitOperation::event_bytes, 255);
  check_member(&vm::CopyCheck::bytes, ~std::uint64_t{0} >> 1);
  check_member(&vm::AliasCheck::parameter, 0xffffffff);
  check_member(&vm::RuleCheck::rule, 0xffff);
  check_member(&vm::RuleCheck::remark, 0xffffffff);
  check_member(&vm::RuleCheck::signed_reported, 0xff);
  check_member(&vm::RuleCheck::components, 0xff);
  check_member(&vm::ImageOperation::dimensions, 15);
  check_member(&vm::ImageOperation::components, 15);
  check_member(&vm::ImageQuery::dimension, 0xff);
  check_member(&vm::ImageQuery::dimensions, 0xff);
}

}  // namespace
}  // namespace transpire::test
