// Formats by name and by the API's values.
#include "memory/image_format.h"

#include <iterator>

namespace transpire::memory {
namespace {

/// Orders and types of the API. Rows of shaders follow.
constexpr std::size_t kApiOrders = 20, kApiTypes = 17;

/// Rows stand where their enumerators say, which are SPIR-V's, and the API's values count on.
template <class Row, std::size_t kCount>
constexpr bool counts_on(const Row (&rows)[kCount], std::size_t of_api) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (rows[i].api != (i < of_api ? rows[0].api + i : 0)) return false;
  return true;
}
static_assert(counts_on(kChannelOrders, kApiOrders) && counts_on(kChannelTypes, kApiTypes));

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

template <class Enumerator, class Row, std::size_t kCount>
std::optional<Enumerator> named(const Row (&rows)[kCount], std::string_view name) {
  constexpr std::string_view kPrefix = "CL_";
  if (same(name.substr(0, kPrefix.size()), kPrefix)) name.remove_prefix(kPrefix.size());
  for (std::size_t i = 0; i < kCount; ++i)
    if (same(rows[i].spelling, name)) return static_cast<Enumerator>(i);
  return std::nullopt;
}

}  // namespace

std::optional<ImageFormat> format_of_api(std::uint32_t order, std::uint32_t type) {
  const std::uint32_t o = order - kChannelOrders[0].api, t = type - kChannelTypes[0].api;
  if (o >= kApiOrders || t >= kApiTypes) return std::nullopt;
  const ImageFormat format{static_cast<ChannelOrder>(o), static_cast<ChannelType>(t)};
  return is_format(format) ? std::optional(format) : std::nullopt;
}

std::optional<ChannelOrder> order_named(std::string_view name) {
  return named<ChannelOrder>(kChannelOrders, name);
}

std::optional<ChannelType> type_named(std::string_view name) {
  return named<ChannelType>(kChannelTypes, name);
}

std::string name_of(ImageFormat format) {
  return std::string(row_of(format.order).spelling) + " " +
         std::string(row_of(format.type).spelling);
}

}  // namespace transpire::memory
