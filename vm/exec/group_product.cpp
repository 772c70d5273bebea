// Products of matrices whose elements the work-items of a sub-group hold: see ProductOperation.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "vm/exec/group_items.h"
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

/// The elements of a matrix in a sub-group. Work-items that do not run hold zeros.
template <class T>
class MatrixElements {
 public:
  MatrixElements(const GroupPart& part, const std::uint32_t* components, std::uint32_t items)
      : part_(part),
        components_(components),
        shift_(static_cast<std::uint32_t>(std::countr_zero(items))),
        here_(bits_at(part.batch->mask, part.begin, part.end - part.begin)) {}

  T operator[](std::uint32_t element) const {
    const std::uint32_t component = element >> shift_, item = element - (component << shift_);
    if ((here_ >> item & 1) == 0) return T{0};
    return row<T>(*part_.batch, components_[component])[part_.begin + item];
  }

 private:
  const GroupPart& part_;
  const std::uint32_t* components_;  ///< offsets of their rows
  std::uint32_t shift_;
  std::uint64_t here_;
};

/// From the first product to the last, every product and sum rounded.
template <class T>
void multiply(const Inst* ip, GroupParts group) {
  const auto operation = ProductOperation::decode(ip->list->imm);
  const std::uint32_t inner = operation.inner, columns = operation.columns;
  const std::uint32_t last = operation.rows * columns - 1;
  const std::uint32_t first = operation.component * operation.items;
  const GroupPart& part = *group.parts;
  const std::uint32_t* const offsets = ip->list->offsets;
  const MatrixElements<T> left(part, offsets, operation.items);
  const MatrixElements<T> right(part, offsets + operation.components_of(operation.rows * inner),
                                operation.items);
  T results[64];  // the result's row may be an operand's
  each_item(group, [&](Batch&, std::uint32_t lane) {
    const std::uint32_t item = lane - part.begin, element = std::min(first + item, last);
    const std::uint32_t row_start = element / columns * inner, column = element % columns;
    T sum = product_of(left[row_start], right[column]);
    for (std::uint32_t k = 1; k < inner; ++k)
      sum = sum_of(sum, product_of(left[row_start + k], right[k * columns + column]));
    results[item] = sum;
  });
  each_item(group, [&](Batch& batch, std::uint32_t lane) {
    row<T>(batch, ip->d)[lane] = results[lane - part.begin];
  });
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
