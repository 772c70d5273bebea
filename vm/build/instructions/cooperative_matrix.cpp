#include "vm/build/instructions/cooperative_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/narrow.h"
#include "decoder/newer_opcodes.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/group_scope.h"
#include "vm/build/instructions/guarded.h"
#include "vm/build/instructions/memory.h"

namespace transpire::vm::builder::cooperative_matrix {
namespace {

using memory_access::Pointer;

constexpr spv::Scope kSubgroup = spv::Scope::Subgroup;

/// Each element has a work-item to hold it where work-groups consist of whole sub-groups, as Vulkan wants them.
bool expect_whole_subgroups(Builder& b) {
  const auto [x, y, z] = group_size(b.request.entry);
  const std::uint32_t items = b.groups.subgroup_size();
  const std::uint64_t all = std::uint64_t{x} * y * z;
  if (all != 0 && all % items == 0) return true;
  b.refuse(
      Rule::kU0001,
      fmt::format("cooperative matrices in work-groups of {} x {} x {} are not supported: they "
                  "need whole sub-groups of {} work-items, or of another 'subgroup-size'",
                  x, y, z, items));
  return false;
}

/// Operand `index`, if its type is a cooperative matrix.
const Type* matrix_operand(Builder& b, const Instruction& i, std::size_t index) {
  const Type* type = b.ids.operand_type(i, index);
  const bool is_matrix = !b.failed() && type->is_cooperative_matrix();
  return b.expect(is_matrix, "the operand is no cooperative matrix") ? type : nullptr;
}

std::uint32_t elements_of(const Type& matrix) {
  return matrix.cooperative.rows * matrix.cooperative.columns;
}

/// x / y and x % y of an i32.
struct Division {
  ValueId quotient, rest;
};

Division divide(Builder& b, ValueId x, std::uint32_t y) {
  if (!std::has_single_bit(y))
    return {b.ops.emit(Op::kUDiv, {x, i32(b, y)}), b.ops.emit(Op::kUMod, {x, i32(b, y)})};
  const auto bits = narrow<std::uint32_t>(std::countr_zero(y));
  return {b.ops.emit(Op::kShiftRightLogical, {x, i32(b, bits)}),
          b.ops.emit(Op::kBitwiseAnd, {x, i32(b, y - 1)})};
}

/// The memory of a matrix: `lines` are rows, or columns where the layout is ColumnMajorKHR.
struct Place {
  Pointer pointer;
  ValueId line_bytes = kNoValue;  ///< from one line to the next, an i64
  bool has_columns = false;       ///< lines are columns
  MemoryOperands operands{};
};

/// --check=sync: operands that differ within the sub-group.
void check_uniform(Builder& b, const Place& place) {
  check_same(b, kSubgroup, place.pointer.address, "the matrix's address");
  if (!b.ops.constant_bits(place.line_bytes))
    check_same(b, kSubgroup, place.line_bytes, "the matrix's stride");
}

/// The operands of a load or store.
std::optional<Place> place_of(Builder& b, const Instruction& i) {
  using memory_access::Direction;
  const bool loads = i.op == decoder::kOpCooperativeMatrixLoadKHR;
  const std::size_t at = loads ? 1 : 2;  // the layout's
  const std::optional<Pointer> pointer = memory_access::pointer_operand(b, i, 0);
  if (!pointer) return std::nullopt;
  constexpr std::uint64_t kColumnMajor = 1;
  const std::optional<std::uint64_t> layout = b.ids.constant_of(b.ids.operand_id(i, at));
  if (b.failed()) return std::nullopt;
  if (!layout || *layout > kColumnMajor) {
    b.refuse(Rule::kU0001,
             "the layout of a cooperative matrix must be RowMajorKHR (0) or "
             "ColumnMajorKHR (1), a constant");
    return std::nullopt;
  }
  if (!b.expect(at + 1 < i.operands.size(), "the matrix has no stride")) return std::nullopt;
  const Type* const stride_type = b.ids.operand_type(i, at + 1);
  const ValueId stride = b.ids.scalar_operand(i, at + 1);
  if (b.failed() || !b.expect(is_int(b.ops.kind_of(stride)), "the stride is no integer"))
    return std::nullopt;
  const ValueId bytes = i64(b, pointer->pointee->size_bytes);
  Place place{*pointer};
  place.line_bytes =
      b.ops.emit(Op::kIMul, {b.ops.resize(stride, Kind::kI64, stride_type->is_signed), bytes});
  place.has_columns = *layout == kColumnMajor;
  std::size_t next = at + 2;
  place.operands = memory_access::memory_operands(b, i, next, *pointer,
                                                  loads ? Direction::kLoad : Direction::kStore);
  return place;
}

/// --check=ub: Vulkan wants the address and the stride aligned to 16 bytes, or to a row or column that has less
/// (VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
void check_alignment(Builder& b, const Type& matrix, const Place& place) {
  if (!b.request.options.check_ub || !b.request.module.has_capability(spv::Capability::Shader))
    return;
  constexpr std::uint64_t kMost = 16;
  const auto [rows, columns, use] = matrix.cooperative;
  const std::uint64_t line = (place.has_columns ? rows : columns) * matrix.element->size_bytes;
  const std::uint64_t align = line >= kMost ? kMost : line & (~line + 1);
  const ValueId both = b.ops.emit(
      Op::kBitwiseOr, {b.ops.resize(place.pointer.address, Kind::kI64, false), place.line_bytes});
  const ValueId rest = b.ops.emit(Op::kBitwiseAnd, {both, i64(b, align - 1)});
  b.checks.never(Rule::kR0023, b.ops.emit(Op::kINotEqual, {rest, i64(b, 0)}),
                 fmt::format("the address or stride of a cooperative matrix, expected multiples of "
                             "{} bytes",
                             align));
}

/// place_of() for the instruction itself: the sub-group is to meet here.
std::optional<Place> met_place_of(Builder& b, const Instruction& i, const Type& matrix) {
  if (!expect_whole_subgroups(b)) return std::nullopt;
  const std::optional<Place> place = place_of(b, i);
  if (!place) return std::nullopt;
  b.groups.sync();
  check_uniform(b, *place);
  check_alignment(b, matrix, *place);
  return place;
}

/// The element that component `c` of this work-item is, an i32.
ValueId element_of(Builder& b, const Type& matrix, std::uint32_t c) {
  const ValueId element =
      b.ops.emit(Op::kIAdd, {b.groups.lane(), i32(b, c * b.groups.subgroup_size())});
  const std::uint32_t all = elements_of(matrix);
  if ((c + 1) * b.groups.subgroup_size() <= all) return element;
  return b.ops.emit(Op::kUMin, {element, i32(b, all - 1)});
}

ValueId address_of(Builder& b, const Type& matrix, const Place& place, ValueId element) {
  Division at = divide(b, element, matrix.cooperative.columns);
  if (place.has_columns) std::swap(at.quotient, at.rest);
  const ValueId line =
      b.ops.emit(Op::kIMul, {b.ops.resize(at.quotient, Kind::kI64, false), place.line_bytes});
  const ValueId start = b.pointers.address(place.pointer.address, line, 1, 0);
  return b.pointers.address(start, b.ops.resize(at.rest, Kind::kI64, false),
                            static_cast<std::int64_t>(matrix.element->size_bytes), 0);
}

/// The operands for one element: Aligned says where the whole matrix begins.
MemoryOperands for_element(const Place& place, const Type& element) {
  MemoryOperands operands = place.operands;
  if (operands.align_bytes >= element.align_bytes) operands.align_bytes = 0;
  return operands;
}

/// Control comes to what `write` places only where the element is one of the matrix.
template <class F>
void where_inside(Builder& b, const Type& matrix, std::uint32_t c, F write) {
  const std::uint32_t items = b.groups.subgroup_size(), all = elements_of(matrix);
  if ((c + 1) * items <= all) return write();
  const ValueId is_inside = b.ops.emit(Op::kULessThan, {b.groups.lane(), i32(b, all - c * items)});
  where(b, is_inside, write);
}

/// A component as an operand of products and sums of a kind.
ValueId widened(Builder& b, ValueId value, Kind kind, bool is_signed) {
  if (is_int(kind)) return b.ops.resize(value, kind, is_signed);
  return b.ops.kind_of(value) == kind ? value : b.ops.convert(Op::kFConvert, kind, value);
}

ValueList all_widened(Builder& b, Values values, Kind kind, bool is_signed) {
  ValueList result;
  for (const ValueId value : values) result.push_back(widened(b, value, kind, is_signed));
  return result;
}

/// The operands of OpCooperativeMatrixMulAddKHR.
struct Operands {
  const Type *left, *right, *added;
  bool signed_left = false, signed_right = false, signed_added = false, signed_result = false,
       saturates = false;
};

/// The matrices have the shapes and uses that a product needs.
bool fit_together(const Operands& operands, const Type& result) {
  enum Use : std::uint32_t { kA, kB, kAccumulator };
  const auto& a = operands.left->cooperative;
  const auto& b = operands.right->cooperative;
  const auto& c = operands.added->cooperative;
  const auto& r = result.cooperative;
  const bool ints = result.element->kind == Type::Kind::kInt;
  const auto same_class = [&](const Type* matrix) {
    return (matrix->element->kind == Type::Kind::kInt) == ints;
  };
  return a.use == kA && b.use == kB && c.use == kAccumulator && r.use == kAccumulator &&
         a.rows == r.rows && a.columns == b.rows && b.columns == r.columns && c.rows == r.rows &&
         c.columns == r.columns && same_class(operands.left) && same_class(operands.right) &&
         same_class(operands.added);
}

std::optional<Operands> multiplied(Builder& b, const Instruction& i) {
  const Type& result = b.types.result_type(i);
  Operands operands{matrix_operand(b, i, 0), matrix_operand(b, i, 1), matrix_operand(b, i, 2)};
  if (b.failed() || !expect_whole_subgroups(b) ||
      !b.expect(result.is_cooperative_matrix() && fit_together(operands, result),
                "the matrices of a product do not fit together"))
    return std::nullopt;
  const std::uint32_t mask = i.operands.size() > 3 ? i.operands[3] : 0;
  operands.signed_left = (mask & 0x1) != 0;
  operands.signed_right = (mask & 0x2) != 0;
  operands.signed_added = (mask & 0x4) != 0;
  operands.signed_result = (mask & 0x8) != 0;
  operands.saturates = (mask & 0x10) != 0;
  if ((mask & ~0x1fu) == 0) return operands;
  b.refuse(Rule::kU0001,
           fmt::format("the cooperative matrix operands {:#x} are not supported", mask));
  return std::nullopt;
}

/// The kind in which products and sums are computed.
Kind computed_kind(Builder& b, const Operands& operands, const Type& result) {
  const Kind kind = b.types.scalar_kind(*result.element);
  if (is_int(kind)) return kind;
  const Type* const all[] = {operands.left, operands.right, operands.added, &result};
  return std::ranges::any_of(all, [](const Type* each) { return each->element->width_bits == 64; })
             ? Kind::kF64
             : Kind::kF32;
}

}  // namespace

void load(Builder& b, const Instruction& i, Op) {
  const Type& matrix = b.types.result_type(i);
  if (!b.expect(matrix.is_cooperative_matrix(), "the result is no cooperative matrix")) return;
  const std::optional<Place> place = met_place_of(b, i, matrix);
  if (!place) return;
  ValueList values;
  for (std::uint32_t c = 0; c < matrix.count && !b.failed(); ++c) {
    const ValueId address = address_of(b, matrix, *place, element_of(b, matrix, c));
    values.push_back(b.memory
                         .load(*matrix.element, address, place->pointer.space,
                               for_element(*place, *matrix.element), place->pointer.align_limit)
                         .front());
  }
  b.ids.define(i, std::move(values));
}

void store(Builder& b, const Instruction& i, Op) {
  const Type* const matrix = matrix_operand(b, i, 1);
  if (matrix == nullptr) return;
  const std::optional<Place> place = met_place_of(b, i, *matrix);
  if (!place) return;
  const Values values = b.ids.operand(i, 1);
  for (std::uint32_t c = 0; c < values.size() && !b.failed(); ++c)
    where_inside(b, *matrix, c, [&] {
      const ValueId address = address_of(b, *matrix, *place, element_of(b, *matrix, c));
      b.memory.store(*matrix->element, address, values.subspan(c, 1), place->pointer.space,
                     for_element(*place, *matrix->element), place->pointer.align_limit);
    });
}

std::vector<Element> elements(Builder& b, const Instruction& i) {
  const bool loads = i.op == decoder::kOpCooperativeMatrixLoadKHR;
  const Type* const matrix = loads ? &b.types.result_type(i) : matrix_operand(b, i, 1);
  std::vector<Element> all;
  if (b.failed() || matrix == nullptr ||
      !b.expect(matrix->is_cooperative_matrix(), "the result is no cooperative matrix"))
    return all;
  const std::optional<Place> place = place_of(b, i);
  for (std::uint32_t c = 0; place && c < matrix->count && !b.failed(); ++c)
    all.push_back(
        {address_of(b, *matrix, *place, element_of(b, *matrix, c)), matrix->element->size_bytes});
  return all;
}

void multiply_add(Builder& b, const Instruction& i, Op op) {
  const std::optional<Operands> operands = multiplied(b, i);
  if (!operands) return;
  const Type& result = b.types.result_type(i);
  const Kind kind = computed_kind(b, *operands, result);
  if (is_float(kind) && !b.float_mode.expect_usual(kind)) return;
  lir::Value product;
  product.op = op;
  product.kind = product.from = kind;
  product.args = all_widened(b, b.ids.operand(i, 0), kind, operands->signed_left);
  for (const ValueId value : all_widened(b, b.ids.operand(i, 1), kind, operands->signed_right))
    product.args.push_back(value);
  const ValueList added = all_widened(b, b.ids.operand(i, 2), kind, operands->signed_added);
  const Op add = is_float(kind)            ? Op::kFAdd
                 : !operands->saturates    ? Op::kIAdd
                 : operands->signed_result ? Op::kSAddSat
                                           : Op::kUAddSat;
  ProductOperation operation{.items = b.groups.subgroup_size(), .kind = kind};
  operation.rows = result.cooperative.rows;
  operation.inner = operands->left->cooperative.columns;
  operation.columns = result.cooperative.columns;
  product.imm = operation.encode();
  b.writer.function().uses_subgroups = true;
  b.writer.budget().take(product.args.size() * sizeof(ValueId));
  ValueList values;
  for (const ValueId component : b.writer.place_all(std::move(product), operation.results())) {
    const ValueId sum = b.ops.emit(add, {component, added[values.size()]});
    values.push_back(widened(b, sum, b.types.scalar_kind(*result.element), false));
  }
  b.ids.define(i, std::move(values));
}

void length(Builder& b, const Instruction& i, Op) {
  const Type* const matrix = b.request.module.type(b.ids.operand_id(i, 0));
  const Kind kind = b.types.scalar_kind(b.types.result_type(i));
  if (b.failed() ||
      !b.expect(matrix != nullptr && matrix->is_cooperative_matrix(),
                "the operand is no cooperative matrix type") ||
      !b.expect(kind == Kind::kI32, "the length of a cooperative matrix is no 32-bit integer"))
    return;
  b.ids.define(i, {i32(b, narrow<std::uint32_t>(matrix->count))});
}

}  // namespace transpire::vm::builder::cooperative_matrix
