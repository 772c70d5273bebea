// OpExtInst: finds the function's row, or refuses it by name.
#include "vm/build/instructions/extinst.h"

#include <fmt/format.h>

#include <array>

#include "base/narrow.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/result_origins.h"
#include "vm/build/instructions/undefined.h"

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

}  // namespace

void extended(Builder& b, const Instruction& i, Op) {
  const decoder::ExtInstImport* import = b.request.module.ext_inst_import(b.ids.operand_id(i, 0));
  const std::uint32_t number = b.ids.operand_id(i, 1);
  if (b.failed() || !b.expect(import != nullptr, "the extended instruction's set is not imported"))
    return;
  using Set = decoder::InstructionSet;
  if (import->name == "OpenCL.DebugInfo.100") b.debug_notes.local(i);
  if (is_debug_set(import->set)) return;
  if (import->set != Set::kOpenCLStd)
    return b.refuse(Rule::kU0002, fmt::format("instruction {} of the set '{}' is not supported",
                                              number, import->name));
  const ExtendedRow* row = find_extended(number);
  if (row != nullptr) {
    b.ids.flush_results(computes(row->number));
    row->handler(b, i, *row);
    b.ids.flush_results(false);
    if (b.request.options.check_ub) check_function(b, i, number);
    if (b.request.options.record_results) mark_results(b, i, narrow<std::uint16_t>(number + 1));
    return;
  }
  const std::string_view name = decoder::opencl_std_name(number);
  b.refuse(Rule::kU0002, name.empty()
                             ? fmt::format("OpenCL.std has no instruction {}", number)
                             : fmt::format("the OpenCL.std function {} is not supported", name));
}

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
  const Values values = b.ids.operand(i, kFirstOperand + n);
  const std::size_t count = b.types.result_layout(i).kinds.size();
  if (values.size() == 1) return ValueList(count, values[0]);
  return {values.begin(), values.end()};
}

ValueId scalar_function_operand(Builder& b, const Instruction& i, std::size_t n) {
  return b.ids.scalar_operand(i, kFirstOperand + n);
}

}  // namespace transpire::vm::builder
