#include "vm/build/instructions/result_origins.h"

#include "extinst/table.h"
#include "vm/build/builder.h"

namespace transpire::vm::builder {

void mark_results(Builder& b, const Instruction& i, std::uint16_t function) {
  if (b.failed() || b.ids.find_bound(i.result_id) == nullptr) return;
  const extinst::Function* known = extinst::find_opencl_std(function - 1u);
  if (known != nullptr && known->category > extinst::Category::kGeometric) return;
  for (const ValueId id : b.ids.value(i.result_id)) {
    lir::Value& result = b.writer.function().values[id];
    if (is_float(result.kind) && result.op != Op::kConst && result.op != Op::kLoad &&
        result.op != Op::kResult && result.op != Op::kArgument)
      result.function = function;
  }
}

}  // namespace transpire::vm::builder
