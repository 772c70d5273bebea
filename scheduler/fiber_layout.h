// Where the arrays of a fiber lie in its memory.
#pragma once

#include <cstdint>

#include "base/checked.h"
#include "scheduler/aligned.h"
#include "vm/program/program.h"

namespace transpire::scheduler {

/// | registers | lives | pending | pending_set | private_live | private memory |
struct FiberLayout {
  /// `private_lanes`: lanes that have private memory, see GeometryPlan::private_lanes().
  FiberLayout(const vm::Program& program, std::uint32_t private_lanes) {
    const Checked words = program.mask_words;
    const std::uint64_t blocks = program.block_entry.size();
    const auto place = [this](Checked size) {
      all = all + size.align_up(kRowAlign);
      return all.value();
    };
    lives = place(program.register_bytes);
    lives_bytes = std::uint64_t{program.life_counters} * private_lanes * sizeof(std::uint16_t);
    pending = place(lives_bytes);
    pending_set = place(words * 8 * blocks);
    private_live = place(Checked(blocks).align_up(64));
    private_memory = place(words * 8 * program.private_variables.size());
    private_bytes = of_lanes(program, private_lanes);
    // Handlers read and write whole rows, also those at the end of private memory.
    const bool is_row = private_lanes == program.lanes || program.private_bytes_per_lane == 0;
    place(private_bytes + (is_row ? 0 : std::uint64_t{program.lanes} * 4));
  }
  /// Bytes of private memory for `lanes` lanes.
  static Checked of_lanes(const vm::Program& program, std::uint64_t lanes) {
    return Checked(program.private_bytes_per_lane).align_up(4) * lanes;
  }
  /// Offsets of the arrays in bytes, and `lives_bytes`, the size of `lives`.
  std::uint64_t lives, lives_bytes, pending, pending_set, private_live, private_memory;
  Checked private_bytes;  ///< private memory, without the padding behind its last row
  Checked all;            ///< bytes of a fiber
};

}  // namespace transpire::scheduler
