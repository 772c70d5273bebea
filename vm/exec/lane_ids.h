// The work-item of a lane: the ids of OpenCL C, from the scheduler's data in the batch. Always
// inline, because handlers of every instruction set use it.
#pragma once

#include <bit>
#include <cstdint>

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

[[gnu::always_inline]] inline std::uint64_t local_id(const Batch& batch, std::uint64_t d,
                                                     std::uint32_t lane) {
  return batch.local_id[d][lane];
}

[[gnu::always_inline]] inline std::uint64_t group_id(const Batch& batch, std::uint64_t d,
                                                     std::uint32_t lane) {
  return batch.packed_group_id[d] != nullptr ? batch.packed_group_id[d][lane] : batch.group_id[d];
}

/// True if a lane is in a mask.
[[gnu::always_inline]] inline bool has_lane(const std::uint64_t* mask, std::uint32_t lane) {
  return (mask[lane / 64] >> (lane % 64) & 1) != 0;
}

/// The first lane of a mask, which has one.
[[gnu::always_inline]] inline std::uint32_t lowest_lane(const std::uint64_t mask[kMaxMaskWords]) {
  std::uint32_t word = 0;
  while (word + 1 < kMaxMaskWords && mask[word] == 0) ++word;
  return word * 64 + static_cast<std::uint32_t>(std::countr_zero(mask[word]));
}

/// Without the global offset.
[[gnu::always_inline]] inline std::uint64_t place_in_launch(const Batch& batch, std::uint64_t d,
                                                            std::uint32_t lane) {
  return group_id(batch, d, lane) * batch.launch->enqueued_local_size[d] + local_id(batch, d, lane);
}

[[gnu::always_inline]] inline std::uint64_t global_id(const Batch& batch, std::uint64_t d,
                                                      std::uint32_t lane) {
  return batch.launch->global_offset[d] + place_in_launch(batch, d, lane);
}

/// (z * size of y + y) * size of x + x, of places within a box.
[[gnu::always_inline]] inline std::uint64_t linear_id(const std::uint64_t size[3], std::uint64_t x,
                                                      std::uint64_t y, std::uint64_t z) {
  return (z * size[1] + y) * size[0] + x;
}

/// The place within a box that a linear id stands for.
[[gnu::always_inline]] inline void place_of(std::uint64_t linear, const std::uint64_t size[3],
                                            std::uint64_t place[3]) {
  place[0] = linear % size[0];
  linear /= size[0];
  place[1] = linear % size[1];
  place[2] = linear / size[1];
}

/// Linear ids within the group, of the group, and within the launch: each from 0 on, the last
/// without offset.
[[gnu::always_inline]] inline std::uint64_t local_linear_id(const Batch& batch,
                                                            std::uint32_t lane) {
  return linear_id(batch.local_size, local_id(batch, 0, lane), local_id(batch, 1, lane),
                   local_id(batch, 2, lane));
}
[[gnu::always_inline]] inline std::uint64_t group_linear_id(const Batch& batch,
                                                            std::uint32_t lane) {
  return linear_id(batch.launch->num_groups, group_id(batch, 0, lane), group_id(batch, 1, lane),
                   group_id(batch, 2, lane));
}
[[gnu::always_inline]] inline std::uint64_t global_linear_id(const Batch& batch,
                                                             std::uint32_t lane) {
  return linear_id(batch.launch->global_size, place_in_launch(batch, 0, lane),
                   place_in_launch(batch, 1, lane), place_in_launch(batch, 2, lane));
}

}  // namespace transpire::vm::exec
