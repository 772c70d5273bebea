// Compares the contents of a buffer after two orders of work-items: see launch/fuzz/fuzz.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/counted.h"
#include "launch/fuzz/fuzz.h"
#include "launch/language/parameters.h"

namespace transpire::launch {
namespace {

using Kind = Tolerance::Kind;

/// True if the tolerances hold between two runs. `spec` does not: it says which results a single run may have.
bool is_tolerant(const ExpectBufferStep& expect) {
  return std::ranges::any_of(expect.tolerances,
                             [](const Tolerance& each) {
                               return each.kind != Kind::kExact && each.kind != Kind::kSpec;
                             }) &&
         !asks_for_ranges(expect.tolerances);
}

bool is_about(const ExpectBufferStep& expect, const BufferReport& buffer) {
  return std::ranges::find(buffer.names, expect.slice.name) != buffer.names.end();
}

/// Elements of a type without scalars are compared as bytes.
TypeInfo comparable(const TypeInfo& type) { return leaves_of(type).empty() ? byte_type() : type; }

ComparedElements elements_of(const BufferReport& buffer, const TypeInfo& type,
                             std::uint64_t first) {
  ComparedElements what{type, buffer.name, first, false};
  what.offset_bytes = first * stride_bytes(type);
  what.texels = buffer.texels;
  return what;
}

/// Replaces the elements of `b` by those of `a` where both are within the expectation's tolerance.
void take_tolerated(const ExpectBufferStep& expect, const BufferReport& a,
                    std::vector<std::byte>& b) {
  const TypeInfo type = expect.value.type && !expect.value.raw_bytes ? type_of(*expect.value.type)
                                                                     : comparable(a.type);
  const std::uint64_t stride = stride_bytes(type), elements = b.size() / stride;
  const std::uint64_t first = expect.slice.all ? 0 : expect.slice.first;
  const std::uint64_t end = expect.slice.all || !expect.slice.last
                                ? elements
                                : std::min(*expect.slice.last + 1, elements);
  for (std::uint64_t i = first; i < end; ++i) {
    const auto mine = std::span(a.bytes).subspan(i * stride, stride);
    const auto theirs = std::span(b).subspan(i * stride, stride);
    if (std::memcmp(mine.data(), theirs.data(), stride) == 0) continue;
    ComparedElements what = elements_of(a, type, i);
    what.nan_is_nan = true;
    if (expect.tolerances.size() > 1 && expect.tolerances.size() != count_of_numbers(what)) return;
    if (compare(what, mine, theirs, expect.tolerances).different == 0)
      std::ranges::copy(mine, theirs.begin());
  }
}

/// True if an element has no padding.
bool is_dense(const TypeInfo& type) {
  std::uint64_t end = 0;
  for (const Leaf& leaf : leaves_of(type)) {
    if (leaf.offset_bytes != end) return false;
    end += size_bytes(leaf.type);
  }
  return end != 0 && end == stride_bytes(type);
}

/// True if no parameter of the buffer's name points to a type with padding, which kernels may leave unwritten.
bool has_dense_parameters(const BufferReport& buffer, const LaunchPlan& plan,
                          const ModuleInfo& module) {
  bool has_one = false;
  for (const Step& step : plan.steps) {
    const auto* const launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    const auto kernel = find_kernel(module, launch->kernel);
    if (!kernel) return false;
    for (const ParameterInfo& parameter : (*kernel)->parameters) {
      if (std::ranges::find(buffer.names, parameter.name) == buffer.names.end()) continue;
      if (parameter.type.elements.empty() || !is_dense(parameter.type.elements[0])) return false;
      has_one = true;
    }
  }
  return has_one;
}

/// Differences in bytes outside the elements that the launch declares.
std::optional<BufferDifference> difference_of_padding(const BufferReport& a,
                                                      std::span<const std::byte> b,
                                                      const LaunchPlan& plan,
                                                      const ModuleInfo& module) {
  if (a.texels || a.is_pipe || !has_dense_parameters(a, plan, module)) return std::nullopt;
  BufferDifference difference;
  for (std::size_t i = b.size(); i-- > 0;) {
    if (a.bytes[i] == b[i]) continue;
    ++difference.count;
    difference.offset_bytes = i;
  }
  if (difference.count == 0) return std::nullopt;
  const std::uint64_t at = difference.offset_bytes;
  difference.first.buffer = a.name;
  difference.first.element = at / stride_bytes(a.type);
  difference.first.place = fmt::format("{}, byte {}", a.name, at);
  difference.first.expected = fmt::format("{:#04x}", std::to_integer<unsigned>(a.bytes[at]));
  difference.first.found = fmt::format("{:#04x}", std::to_integer<unsigned>(b[at]));
  return difference;
}

/// Bits of the number: "0x7fc00001".
std::string bits_text(std::span<const std::byte> number) {
  std::uint64_t bits = 0;
  for (std::size_t i = std::min<std::size_t>(number.size(), 8); i-- > 0;)
    bits = bits << 8 | std::to_integer<std::uint64_t>(number[i]);
  return fmt::format("{:#0{}x}", bits, 2 + 2 * std::min<std::size_t>(number.size(), 8));
}

}  // namespace

std::optional<BufferDifference> difference_of(const BufferReport& a, const BufferReport& b,
                                              const LaunchPlan& plan, const ModuleInfo& module) {
  if (a.bytes == b.bytes) return std::nullopt;
  const TypeInfo type = comparable(a.type);
  const std::uint64_t stride = stride_bytes(type);
  if (a.bytes.size() != b.bytes.size()) {
    BufferDifference difference;
    difference.first.buffer = difference.first.place = a.name;
    difference.first.expected = count_text(a.bytes.size() / stride, "packet");
    difference.first.found = fmt::format("{}", b.bytes.size() / stride);
    difference.count = 1;
    difference.is_of_packets = true;
    return difference;
  }
  std::vector<std::byte> bytes = b.bytes;
  for (const Step& step : plan.steps)
    if (const auto* const expect = std::get_if<ExpectBufferStep>(&step);
        expect != nullptr && is_about(*expect, a) && is_tolerant(*expect))
      take_tolerated(*expect, a, bytes);
  Comparison comparison = compare(elements_of(a, type, 0), a.bytes, bytes, {});
  if (comparison.different == 0) return difference_of_padding(a, bytes, plan, module);
  BufferDifference difference{std::move(comparison.mismatches[0]), comparison.different};
  std::uint64_t at = difference.first.element * stride, bytes_of_number = stride;
  if (difference.first.leaf && !a.texels) {
    const Leaf leaf = leaves_of(type)[*difference.first.leaf];
    at += leaf.offset_bytes;
    bytes_of_number = size_bytes(leaf.type);
  }
  if (difference.first.expected == difference.first.found && !a.texels)  // NaNs
    for (auto [text, all] : {std::pair(&difference.first.expected, std::span(a.bytes)),
                             std::pair(&difference.first.found, std::span<const std::byte>(bytes))})
      *text += fmt::format(" ({})", bits_text(all.subspan(at, bytes_of_number)));
  while (at + 1 < bytes.size() && a.bytes[at] == bytes[at]) ++at;
  difference.offset_bytes = at;
  return difference;
}

}  // namespace transpire::launch
