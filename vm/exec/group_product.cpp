// Products of matrices whose elements the work-items of a sub-group hold: see ProductOperation.
#include <algorithm>
#include <bit>
#include <span>
#include <type_traits>
#include <vector>

#include "vm/exec/group_items.h"
#include "vm/exec/long_work.h"
#include "vm/simd/x86_nan.h"

namespace transpire::vm::exec {
namespace {

template <class T>
T product_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::common_type_t<T, unsigned>;  // narrow ones would multiply as int
    return static_cast<T>(Wide{a} * Wide{b});
  } else {
    return with_x86_nan(a, b, a * b);
  }
}

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(a + b);
  else
    return with_x86_nan(a, b, a + b);
}

/// The running work-items of a sub-group, a bit each from its first on.
std::uint64_t running(const GroupPart& part) {
  return bits_at(part.batch->mask, part.begin, part.end - part.begin);
}

/// The elements of a matrix in a sub-group, of which `offsets` are its components' rows. Work-items that do not run hold zeros.
template <class T>
std::vector<T> elements_of(const GroupPart& part, const std::uint32_t* offsets, std::uint32_t items,
                           std::uint32_t count) {
  std::vector<T> elements(count);
  for (std::uint64_t here = running(part); here != 0; here &= here - 1) {
    const auto item = static_cast<std::uint32_t>(std::countr_zero(here));
    for (std::uint32_t element = item; element < count; element += items)
      elements[element] = row<T>(*part.batch, offsets[element / items])[part.begin + item];
  }
  return elements;
}

/// From the first product to the last, every product and sum rounded.
template <class T>
void add_up(std::span<const T> left_row, std::span<const T> right, std::span<T> sums) {
  for (std::size_t k = 0; k < left_row.size(); ++k) {
    const T* const right_row = &right[k * sums.size()];
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const T product = product_of(left_row[k], right_row[c]);
      sums[c] = k == 0 ? product : sum_of(sums[c], product);
    }
  }
}

/// The operands are read before a result is written, which may have the row of one.
template <class T>
void multiply(const Inst* ip, GroupParts group) {
  const auto operation = ProductOperation::decode(ip->list->imm);
  const std::uint32_t inner = operation.inner, columns = operation.columns;
  const GroupPart& part = *group.parts;
  const std::uint32_t* const right_offsets =
      ip->list->offsets + operation.components_of(operation.rows * inner);
  const std::vector<T> left =
      elements_of<T>(part, ip->list->offsets, operation.items, operation.rows * inner);
  const std::vector<T> right =
      elements_of<T>(part, right_offsets, operation.items, inner * columns);
  std::vector<T> product(std::size_t{operation.rows} * columns);
  for (std::uint32_t r = 0; r < operation.rows; ++r) {
    if (is_cancelled(*part.batch)) return;
    add_up<T>(std::span(left).subspan(std::size_t{r} * inner, inner), right,
              std::span(product).subspan(std::size_t{r} * columns, columns));
  }
  const std::uint64_t here = running(part);
  for (std::uint32_t element = 0; element < operation.results() * operation.items; ++element) {
    const std::uint32_t item = element % operation.items;
    if ((here >> item & 1) == 0) continue;
    row<T>(*part.batch, ip->list->results[element / operation.items])[part.begin + item] =
        product[std::min<std::size_t>(element, product.size() - 1)];
  }
}

}  // namespace

void group_product(const Inst* ip, GroupParts group) {
  switch (ProductOperation::decode(ip->list->imm).kind) {
    case Kind::kI8:
      return multiply<std::uint8_t>(ip, group);
    case Kind::kI16:
      return multiply<std::uint16_t>(ip, group);
    case Kind::kI32:
      return multiply<std::uint32_t>(ip, group);
    case Kind::kI64:
      return multiply<std::uint64_t>(ip, group);
    case Kind::kF32:
      return multiply<float>(ip, group);
    default:
      return multiply<double>(ip, group);
  }
}

}  // namespace transpire::vm::exec
