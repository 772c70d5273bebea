// Makes the registers of values when instructions name them.
#include "vm/emit/registers.h"

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::emission {

ValueHome register_home(const lir::Value& value, std::uint32_t offset) {
  ValueHome home{.kind = value.kind, .offset = offset};
  home.place = is_scalar(value) ? ValueHome::Place::kScalar : ValueHome::Place::kRow;
  home.stride = value.spread == lir::Spread::kAffine ? value.stride : 0;
  return home;
}

VReg Registers::add(Kind kind, bool is_scalar, bool persistent) {
  function->work();
  all.push_back({.kind = kind, .is_scalar = is_scalar, .persistent = persistent});
  return narrow<VReg>(all.size() - 1);
}

VReg Registers::scalar_of(ValueId id) {
  VReg& reg = scalar_of_value[id];
  const lir::Value& v = function->values[id];
  if (reg == kNoReg) reg = add(v.kind, true, v.op == Op::kConst || v.op == Op::kArgument);
  return reg;
}

VReg Registers::row_of(ValueId id) {
  VReg& reg = row_of_value[id];
  const lir::Value& v = function->values[id];
  if (reg == kNoReg) reg = add(v.kind, false, v.op == Op::kConst);
  return reg;
}

VReg Registers::result_of(ValueId id) {
  return is_scalar(function->values[id]) ? scalar_of(id) : row_of(id);
}

VReg Registers::zero_scalar() {
  if (zero == kNoReg) zero = add(Kind::kI64, true, true);
  return zero;
}

}  // namespace transpire::vm::emission
