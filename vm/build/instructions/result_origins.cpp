#include "vm/build/instructions/result_origins.h"

#include "base/narrow.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/extinst.h"

namespace transpire::vm::builder {

void mark_results(Builder& b, const Instruction& i, std::uint16_t function) {
  if (b.failed() || b.ids.find_bound(i.result_id) == nullptr) return;
  for (const ValueId id : b.ids.value(i.result_id)) {
    lir::Value& result = b.writer.function().values[id];
    if (is_float(result.kind) && result.op != Op::kConst && result.op != Op::kLoad &&
        result.op != Op::kResult && result.op != Op::kArgument)
      result.function = function;
  }
}

void mark_function_results(Builder& b, const Instruction& i) {
  const extinst::Function* known = find_accuracy(i);
  if (known == nullptr || known->category > extinst::Category::kGeometric) return;
  mark_results(b, i, narrow<std::uint16_t>(known->number + 1));
}

}  // namespace transpire::vm::builder
