// RecordResult: tells the sink what every running lane has just stored.
#include "extinst/reference/format.h"
#include "vm/exec/access.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/lane_values.h"
#include "vm/exec/tags.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {

using extinst::reference::to_double;

void record_lanes(const Inst* ip, const std::byte* r, const Batch* batch, Kind kind) {
  if (batch->observer == nullptr) return;
  for (std::uint32_t lane = 0; lane < batch->program->lanes; ++lane) {
    if (!has_lane(batch->mask, lane)) continue;
    StoredResult result;
    result.address = memory::untagged(*batch->memory, lane_bits(r, ip->a, Kind::kI64, lane));
    result.bytes = lane_bytes(kind);
    result.site = static_cast<std::uint32_t>(ip->imm);
    if (is_float(kind)) {
      result.low = to_double(kind, lane_bits(r, ip->b, kind, lane));
      result.high = to_double(kind, lane_bits(r, ip->c, kind, lane));
    }
    batch->observer->stored(*batch, result);
  }
}

}  // namespace transpire::vm::exec
