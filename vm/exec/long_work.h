// Instructions that may take long: copies of gigabytes, text without end. They are cut into pieces,
// look at Batch::cancel between them, and count as more than one step.
//
// Compiled once, shared by all instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

/// An instruction that copies or writes more bytes than this for a work-item counts as a step more
/// for each started piece of that size beyond the first.
inline constexpr std::uint64_t kBytesPerStep = 4096;

/// So many bytes are copied in some 50 microseconds, memory that nobody touched before included.
inline constexpr std::uint64_t kPieceBytes = std::uint64_t{128} << 10;

/// The steps beyond its first one.
constexpr std::uint64_t extra_steps(std::uint64_t bytes) {
  return bytes == 0 ? 0 : (bytes - 1) / kBytesPerStep;
}

/// Whether another thread wants the batch to stop. To be asked at least every millisecond.
bool is_cancelled(const Batch& batch);

/// Counts steps beyond the first of an instruction that has run: `most` of one work-item, `sum` of
/// all. False when the batch must stop behind it: the budget is used up.
bool count_extra(Batch* batch, std::uint64_t most, std::uint64_t sum);

/// Leaves `why` the launch is to end with the batch, which stands at `ip`. False.
bool end_at(const Inst* ip, Batch* batch, Stop why);

/// Whether so many bytes alone take more steps than a work-item has: then nothing is begun.
bool exceeds_limit(const Batch& batch, std::uint64_t bytes);

/// The same of a copy that would be made, for both ends lie in memory.
bool copy_exceeds_limit(const Batch& batch, std::uint64_t target, std::uint64_t source,
                        std::uint64_t bytes);

/// std::memmove in pieces. False when it was cancelled on the way.
bool move_bytes(const Batch& batch, std::byte* target, const std::byte* source,
                std::uint64_t bytes);

}  // namespace transpire::vm::exec
