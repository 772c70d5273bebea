// Findings with another half: an event is reported with the places that it is also about.
#pragma once

#include <cstdint>

#include "base/rule.h"
#include "vm/exec/work_item.h"

namespace transpire::vm::exec {

/// As report_access(). The half of the first such event is kept.
void report_with(Batch* batch, const Inst* ip, Rule rule, std::uint32_t lane, const OtherHalf& half,
                 std::uint64_t address = 0, std::uint64_t bytes = 0);

/// Relates a finding to the work-item of a lane, or to its whole group.
Related by_item(Relation relation, const Batch& batch, std::uint32_t lane, const Inst* instruction);
Related by_group(Relation relation, const Batch& batch, std::uint32_t lane,
                 const Inst* instruction);
/// Relates a finding to the work-item that it is about.
inline Related by_same_item(Relation relation, const Inst* instruction) {
  Related related;
  related.relation = relation;
  related.instruction = instruction;
  related.by = Related::By::kSameItem;
  return related;
}
/// An operand, called `name`, has a value in the work-item of a lane.
Related operand_of(const Batch& batch, std::uint32_t lane, std::string_view name,
                   std::uint64_t value);

}  // namespace transpire::vm::exec
