#include "vm/exec/related.h"

namespace transpire::vm::exec {

void report_with(Batch* batch, const Inst* ip, Rule rule, std::uint32_t lane, const OtherHalf& half,
                 std::uint64_t address, std::uint64_t bytes) {
  const Event event{.rule = static_cast<std::uint16_t>(rule),
                    .instruction = ip,
                    .lane = lane,
                    .address = address,
                    .size_bytes = bytes,
                    .other = &half};
  batch->sink->finding(*batch, event);
}

Related by_item(Relation relation, const Batch& batch, std::uint32_t lane,
                const Inst* instruction) {
  Related related;
  related.relation = relation;
  related.program = batch.program;
  related.instruction = instruction;
  related.by = Related::By::kItem;
  related.item = work_item(batch, lane);
  return related;
}

Related by_group(Relation relation, const Batch& batch, std::uint32_t lane,
                 const Inst* instruction) {
  Related related = by_item(relation, batch, lane, instruction);
  related.by = Related::By::kGroup;
  return related;
}

Related operand_of(const Batch& batch, std::uint32_t lane, std::string_view name,
                   std::uint64_t value) {
  Related related = by_item(Relation::kOperand, batch, lane, nullptr);
  related.name = name;
  related.value = value;
  return related;
}

}  // namespace transpire::vm::exec
