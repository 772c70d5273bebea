#include "launch/runner/element_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

using Maker = ValueSpec::Maker;

std::uint64_t truncated(std::uint64_t bits, ScalarType type) {
  return type == ScalarType::kBool ? std::uint64_t{bits != 0}
                                   : bits & (~std::uint64_t{0} >> (64 - 8 * size_bytes(type)));
}

/// Fills the span with copies of its first `done` bytes. Each copy doubles the filled part.
void repeat(std::span<std::byte> bytes, std::uint64_t done) {
  for (; done < bytes.size(); done *= 2)
    std::memcpy(bytes.data() + done, bytes.data(),
                std::min<std::uint64_t>(done, bytes.size() - done));
}

}  // namespace

bool ElementMaker::makes(Maker maker) {
  return maker == Maker::kZero || maker == Maker::kUninit || maker == Maker::kFill ||
         maker == Maker::kRange || maker == Maker::kRandom;
}

ElementMaker::ElementMaker(const ValueSpec& spec, const TypeInfo& type)
    : maker_(spec.maker), stride_(launch::stride_bytes(type)), generator_(spec.seed) {}

Result<ElementMaker> ElementMaker::create(const ValueSpec& spec, const TypeInfo& type) {
  ElementMaker made(spec, type);
  Status read = Unit{};
  if (spec.maker == Maker::kFill) read = made.read_pattern(spec, type);
  if (spec.maker == Maker::kRange || spec.maker == Maker::kRandom) {
    made.leaves_ = leaves_of(type);
    if (made.leaves_.empty())
      return command_error(kBadValue,
                           fmt::format("a {} cannot be made from numbers", text_of(type)));
    read = made.read_pair(spec);
  }
  if (!read) return read.errors();
  std::uint64_t covered = 0;
  for (const Leaf& leaf : made.leaves_) covered += size_bytes(leaf.type);
  made.has_gaps_ = covered != made.stride_;
  return made;
}

Status ElementMaker::read_pattern(const ValueSpec& spec, const TypeInfo& type) {
  const Signedness sign = spec.type ? Signedness::kStated : Signedness::kInferred;
  pattern_.resize(stride_);
  const Literal& value = spec.literals[0];
  if (value.is_list) return store_literal(type, value, sign, pattern_);
  for (const Leaf& leaf : leaves_of(type)) {
    const auto bits = parse_number(value.number, leaf.type, sign);
    if (!bits) return bits.errors();
    store_bits(std::span(pattern_).subspan(leaf.offset_bytes), leaf.type, *bits);
  }
  return Unit{};
}

Status ElementMaker::read_pair(const ValueSpec& spec) {
  const bool any_integer =
      std::ranges::any_of(leaves_, [](const Leaf& leaf) { return !is_float(leaf.type); });
  std::int64_t* const integers[] = {&pair_.low, &pair_.high};
  double* const reals[] = {&pair_.low_real, &pair_.high_real};
  for (int i = 0; i < 2; ++i) {
    const std::string& text = spec.literals[static_cast<std::size_t>(i)].number;
    const auto real = parse_number(text, ScalarType::kDouble);
    if (!real) return real.errors();
    *reals[i] = to_double(*real, ScalarType::kDouble);
    if (!any_integer) continue;
    const auto integer = parse_number(text, ScalarType::kLong, Signedness::kInferred);
    if (!integer) return integer.errors();
    *integers[i] = static_cast<std::int64_t>(*integer);
  }
  if (maker_ == Maker::kRandom && pair_.low_real > pair_.high_real)
    return command_error(kBadValue, fmt::format("the lower bound {} is above the upper bound {}",
                                                spec.literals[0].number, spec.literals[1].number));
  return Unit{};
}

std::uint64_t ElementMaker::range_number(ScalarType type) {
  const std::uint64_t k = count_++;
  if (is_float(type))
    return from_double(pair_.low_real + static_cast<double>(k) * pair_.high_real, type);
  return truncated(
      static_cast<std::uint64_t>(pair_.low) + k * static_cast<std::uint64_t>(pair_.high), type);
}

std::uint64_t ElementMaker::random_number(ScalarType type) {
  const std::uint64_t random = generator_.next();
  if (is_float(type)) {
    const double unit = static_cast<double>(random >> 11) * 0x1p-53;
    return from_double(pair_.low_real + (pair_.high_real - pair_.low_real) * unit, type);
  }
  const std::uint64_t span =
      static_cast<std::uint64_t>(pair_.high) - static_cast<std::uint64_t>(pair_.low) + 1;
  const auto scaled = static_cast<unsigned __int128>(random) * span >> 64;
  const std::uint64_t offset = span == 0 ? random : static_cast<std::uint64_t>(scaled);
  return truncated(static_cast<std::uint64_t>(pair_.low) + offset, type);
}

void ElementMaker::next(std::span<std::byte> to, bool is_zeroed) {
  if (to.empty()) return;
  switch (maker_) {
    case Maker::kUninit:
      std::memset(to.data(), static_cast<int>(kPoison), to.size());
      return;
    case Maker::kFill:
      std::memcpy(to.data(), pattern_.data(), stride_);
      return repeat(to, stride_);
    case Maker::kRange:
    case Maker::kRandom:
      break;
    default:
      if (!is_zeroed) std::memset(to.data(), 0, to.size());
      return;
  }
  if (!is_zeroed && has_gaps_) std::memset(to.data(), 0, to.size());
  for (std::uint64_t at = 0; at < to.size(); at += stride_)
    for (const Leaf& leaf : leaves_)
      store_bits(to.subspan(at + leaf.offset_bytes), leaf.type,
                 maker_ == Maker::kRange ? range_number(leaf.type) : random_number(leaf.type));
}

std::uint64_t ElementMaker::piece_bytes() const {
  return std::max<std::uint64_t>(kPieceBytes / stride_, 1) * stride_;
}

void ElementMaker::next(std::span<std::byte> to, bool is_zeroed, Pacer& pacer) {
  if (maker_ == Maker::kZero && is_zeroed) return;
  const std::uint64_t piece = piece_bytes();
  for (std::uint64_t at = 0; at < to.size(); at += piece) {
    pacer.look();
    next(to.subspan(at, std::min<std::uint64_t>(piece, to.size() - at)), is_zeroed);
  }
}

}  // namespace transpire::launch
