// Long instructions, such as copies of gigabytes or endless text. They are cut into pieces, check
// Batch::cancel between them, and count as more than one step.
//
// Compiled once, shared by all instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

/// An instruction that copies or writes more bytes than this for a work-item counts as one step
/// more for each begun piece of that size beyond the first.
inline constexpr std::uint64_t kBytesPerStep = 4096;

/// Bytes copied in about 50 microseconds, even if the memory is touched for the first time.
inline constexpr std::uint64_t kPieceBytes = std::uint64_t{128} << 10;

/// The steps beyond its first one.
constexpr std::uint64_t extra_steps(std::uint64_t bytes) {
  return bytes == 0 ? 0 : (bytes - 1) / kBytesPerStep;
}

/// True if another thread wants the batch to stop. Call it at least every millisecond.
bool is_cancelled(const Batch& batch);

/// Counts the additional steps of an executed instruction: `most` of one work-item, `sum` of all.
/// Returns false if the batch must stop behind it: the budget is used up.
bool count_extra(Batch* batch, std::uint64_t most, std::uint64_t sum);

/// Leaves the reason why the launch ends with the batch, which stands at `ip`. Returns false.
bool end_at(const Inst* ip, Batch* batch, Stop why);

/// True if the bytes alone take more steps than a work-item has: then nothing is begun.
bool exceeds_limit(const Batch& batch, std::uint64_t bytes);

/// As exceeds_limit(), for a copy whose two ends lie in memory.
bool copy_exceeds_limit(const Batch& batch, std::uint64_t target, std::uint64_t source,
                        std::uint64_t bytes);

/// std::memmove in pieces. Returns false if it was cancelled on the way.
bool move_bytes(const Batch& batch, std::byte* target, const std::byte* source,
                std::uint64_t bytes);

}  // namespace transpire::vm::exec
