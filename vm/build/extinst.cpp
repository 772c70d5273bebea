// OpExtInst: finds the function's row, or refuses it by name.
#include "vm/build/extinst.h"

#include <fmt/format.h>

#include <array>

namespace transpire::vm::builder {
namespace {

constexpr std::size_t kNumbers = 256;

/// Whether denormals count as zeros where a kernel asks for it; other functions move bits.
bool computes(OpenCLLIB::Entrypoints function) {
  switch (function) {
    case OpenCLLIB::Fabs:
    case OpenCLLIB::Copysign:
    case OpenCLLIB::Nan:
    case OpenCLLIB::Bitselect:
    case OpenCLLIB::Select:
    case OpenCLLIB::Shuffle:
    case OpenCLLIB::Shuffle2:
    case OpenCLLIB::Vloadn:
      return false;
    default:
      return true;
  }
}

void extended(Builder& b, const Instruction& i, Op) {
  const decoder::ExtInstImport* import = b.module().ext_inst_import(b.operand_id(i, 0));
  const std::uint32_t number = b.operand_id(i, 1);
  if (b.failed() || !b.expect(import != nullptr, "the extended instruction's set is not imported"))
    return;
  using Set = decoder::InstructionSet;
  if (import->name == "OpenCL.DebugInfo.100") b.note_local(i);
  if (import->set == Set::kDebugInfo || import->set == Set::kNonSemantic) return;
  if (import->set != Set::kOpenCLStd)
    return b.refuse(Rule::kU0002, fmt::format("instruction {} of the set '{}' is not supported",
                                              number, import->name));
  const ExtendedRow* row = find_extended(number);
  if (row != nullptr) {
    b.flush_results(computes(row->number));
    row->handler(b, i, *row);
    b.flush_results(false);
    if (b.options().check_ub) b.check_function(i, number);
    if (b.options().record_results) b.mark_results(i, static_cast<std::uint16_t>(number + 1));
    return;
  }
  const std::string_view name = decoder::opencl_std_name(number);
  b.refuse(Rule::kU0002, name.empty()
                             ? fmt::format("OpenCL.std has no instruction {}", number)
                             : fmt::format("the OpenCL.std function {} is not supported", name));
}

constexpr Row kRows[] = {{spv::Op::OpExtInst, extended}};

}  // namespace

std::span<const Row> extended_rows() { return kRows; }

const ExtendedRow* find_extended(std::uint32_t number) {
  static const std::array<const ExtendedRow*, kNumbers> index = [] {
    std::array<const ExtendedRow*, kNumbers> rows{};
    for (const auto table :
         {componentwise_rows(), expanded_rows(), geometric_rows(), data_rows(), printf_rows()})
      for (const ExtendedRow& row : table) rows[row.number] = &row;
    return rows;
  }();
  return number < kNumbers ? index[number] : nullptr;
}

ValueList function_operand(Builder& b, const Instruction& i, std::size_t n) {
  const Values values = b.operand(i, kFirstOperand + n);
  const std::size_t count = b.result_layout(i).kinds.size();
  if (values.size() == 1) return ValueList(count, values[0]);
  return {values.begin(), values.end()};
}

ValueId float_constant(Builder& b, Kind kind, const FloatConstant& number) {
  b.expect(is_float(kind), "a floating-point operand was expected");
  return b.constant(kind, kind == Kind::kF16   ? number.half
                          : kind == Kind::kF32 ? number.single
                                               : number.twice);
}

ValueId element_address(Builder& b, ValueId base, ValueId index, std::uint64_t stride_bytes) {
  const std::optional<std::uint64_t> known = b.constant_bits(index);
  if (!known) return b.address(base, index, static_cast<std::int64_t>(stride_bytes), 0);
  const unsigned unused = 64 - width_bits(b.kind_of(index));
  const auto steps =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(*known << unused) >> unused);
  return b.address(base, kNoValue, 0, static_cast<std::int64_t>(steps * stride_bytes));
}

}  // namespace transpire::vm::builder
