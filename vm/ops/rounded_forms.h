// The ops that round to nearest even, and those of rounded.def that do the same in the mode of their
// imm.
#pragma once

#include "vm/ops/op.h"

namespace transpire::vm {

struct RoundedForm {
  Op usual, rounded;
};
inline constexpr RoundedForm kRoundedForms[] = {
    {Op::kFAdd, Op::kFAddRounded}, {Op::kFSub, Op::kFSubRounded}, {Op::kFMul, Op::kFMulRounded},
    {Op::kFDiv, Op::kFDivRounded}, {Op::kFma, Op::kFmaRounded},   {Op::kSqrt, Op::kSqrtRounded}};

/// The form of an op that rounds by imm; kConst where there is none.
constexpr Op rounded_form(Op usual) {
  for (const RoundedForm& form : kRoundedForms)
    if (form.usual == usual) return form.rounded;
  return Op::kConst;
}

/// The op of which that is the rounded form; others are what they are.
constexpr Op usual_form(Op op) {
  for (const RoundedForm& form : kRoundedForms)
    if (form.rounded == op) return form.usual;
  return op;
}

}  // namespace transpire::vm
