// OpExtInst: finds the function's row, or refuses it by name.
#include "vm/build/instructions/extinst.h"

#include <fmt/format.h>

#include "vm/build/builder.h"
#include "vm/build/instructions/result_origins.h"

namespace transpire::vm::builder {
namespace {

using decoder::ExtendedSet;

/// Null for sets that do not compute.
const ExtendedFunctions* functions_of(ExtendedSet set) {
  switch (set) {
#define TRANSPIRE_COMPUTING_SET(name, import_name, grammar) \
  case ExtendedSet::k##name:                                \
    return &k##name##Functions;
#include "decoder/extended_sets.def"
    default:
      return nullptr;
  }
}

void refuse(Builder& b, const Instruction& i) {
  const std::string_view set = b.request.module.ext_inst_import(i.operands[0])->name;
  b.refuse(
      Rule::kU0002,
      computes(i.set)
          ? fmt::format("the {} function {} is not supported", set, decoder::ext_inst_name(i))
          : fmt::format("instruction {} of the set '{}' is not supported", i.operands[1], set));
}

}  // namespace

void extended(Builder& b, const Instruction& i, Op) {
  if (i.set == ExtendedSet::kOpenCLDebugInfo || i.set == ExtendedSet::kShaderDebugInfo)
    b.debug_notes.local(i);
  if (is_debug_set(i.set)) return;
  const ExtendedRow* row = find_extended(i);
  if (row == nullptr) return refuse(b, i);
  b.ids.flush_results((row->flags & kMovesBits) == 0);
  row->handler(b, i, *row);
  b.ids.flush_results(false);
  const ExtendedFunctions& functions = *functions_of(i.set);
  if (b.request.options.check_ub && functions.check != nullptr && !b.failed())
    functions.check(b, i);
  if (b.request.options.record_results) mark_function_results(b, i);
}

const ExtendedRow* find_extended(const Instruction& i) {
  if (const ExtendedFunctions* functions = functions_of(i.set))
    for (const ExtendedFunctions::Rows rows : functions->rows)
      for (const ExtendedRow& row : rows())
        if (row.number == i.operands[1]) return &row;
  return nullptr;
}

const extinst::Function* find_accuracy(const Instruction& i) {
  const ExtendedFunctions* functions = functions_of(i.set);
  return functions != nullptr && functions->accuracy != nullptr ? functions->accuracy(i.operands[1])
                                                                : nullptr;
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

namespace each_component {

void unary(Builder& b, const Instruction& i, const ExtendedRow& row) {
  b.ids.define(i, b.ops.each(row.op, function_operand(b, i, 0)));
}

void binary(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const ValueList x = function_operand(b, i, 0);
  b.ids.define(i, b.ops.each(row.op, x, function_operand(b, i, 1)));
}

void ternary(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const ValueList x = function_operand(b, i, 0);
  const ValueList y = function_operand(b, i, 1);
  b.ids.define(i, b.ops.each(row.op, x, y, function_operand(b, i, 2)));
}

}  // namespace each_component

}  // namespace transpire::vm::builder
