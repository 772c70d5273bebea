#include "vm/exec/long_work.h"

#include <algorithm>
#include <cstring>

#include "vm/exec/tags.h"

namespace transpire::vm::exec {
namespace {

bool lies_in_memory(const memory::AddressMap& map, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t plain = memory::untagged(map, address);
  const memory::Allocation* allocation = memory::allocation_at(map, plain);
  return allocation != nullptr && memory::holds(*allocation, plain, plain, bytes);
}

}  // namespace

bool is_cancelled(const Batch& batch) {
  return batch.cancel != nullptr && __atomic_load_n(batch.cancel, __ATOMIC_RELAXED);
}

bool count_extra(Batch* batch, std::uint64_t most, std::uint64_t sum) {
  __atomic_store_n(&batch->steps, batch->steps + sum, __ATOMIC_RELAXED);
  const std::uint64_t now = std::min(most, batch->steps_left);
  const std::uint64_t later = std::min(most - now, batch->steps_kept);
  batch->steps_left -= now;
  batch->steps_kept -= later;
  return now + later == most;
}

bool end_at(const Inst* ip, Batch* batch, Stop why) {
  batch->stop = why;
  batch->ip = ip;
  return false;
}

bool exceeds_limit(const Batch& batch, std::uint64_t bytes) {
  return batch.max_steps != 0 && extra_steps(bytes) >= batch.max_steps;
}

bool copy_exceeds_limit(const Batch& batch, std::uint64_t target, std::uint64_t source,
                        std::uint64_t bytes) {
  return exceeds_limit(batch, bytes) && lies_in_memory(*batch.memory, target, bytes) &&
         lies_in_memory(*batch.memory, source, bytes);
}

bool move_bytes(const Batch& batch, std::byte* target, const std::byte* source,
                std::uint64_t bytes) {
  // From the end where the target lies behind the source: what a piece writes, no later one reads.
  const bool backwards = target > source;
  for (std::uint64_t done = 0; done < bytes; done += kPieceBytes) {
    if (done != 0 && is_cancelled(batch)) return false;
    const std::uint64_t piece = std::min(kPieceBytes, bytes - done);
    const std::uint64_t at = backwards ? bytes - done - piece : done;
    std::memmove(target + at, source + at, piece);
  }
  return true;
}

}  // namespace transpire::vm::exec
