// fold_constant: runs the scalar form of an op's handler on a register block of four slots. No scalar
// form looks at the batch.
#include "vm/passes/constant_folder.h"

#include <cstring>

#include "vm/passes/bits.h"

namespace transpire::vm::lir {
namespace {

const Inst* stop(const Inst*, std::byte*, exec::Batch*) { return nullptr; }

Handler scalar_handler(const Function& function, const Value& value) {
  const HandlerTable& table = *function.scalar_handlers;
  const auto op = static_cast<std::size_t>(value.op);
  const auto kind = static_cast<std::size_t>(operand_kind(value));
  const Shape shape = info(value.op).shape;
  if (!is_lane_wise(shape)) return nullptr;
  if (shape == Shape::kConvert)
    return table.convert[op][static_cast<std::size_t>(value.from)][kind][1];
  return table.simple[op][kind][kUniform];
}

}  // namespace

std::optional<std::uint64_t> fold_constant(const Function& function, const Value& value) {
  if (function.scalar_handlers == nullptr) return std::nullopt;
  if (value.args.empty() || value.args.size() > 3) return std::nullopt;
  // A recorded result needs its operation, which a constant does not have.
  if (function.records_results && is_float(value.kind)) return std::nullopt;
  for (const ValueId arg : value.args) {
    if (function.values[arg].op != Op::kConst) return std::nullopt;
  }
  const Handler run = scalar_handler(function, value);
  if (run == nullptr) return std::nullopt;
  alignas(64) std::uint64_t slots[8] = {};
  for (std::size_t i = 0; i < value.args.size(); ++i)
    slots[i + 1] = function.values[value.args[i]].imm;
  Inst code[2] = {};
  code[0] = {run, 0, 8, 16, 24, {value.imm}};
  code[1].run = stop;
  auto* registers = reinterpret_cast<std::byte*>(slots);
  for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, registers, nullptr);
  std::uint64_t bits = 0;
  std::memcpy(&bits, slots, sizeof bits);
  return bits & kind_mask(value.kind);
}

}  // namespace transpire::vm::lir
