// Where the arrays of a fiber lie in its memory.
#pragma once

#include <cstdint>

#include "base/checked.h"
#include "scheduler/aligned.h"
#include "vm/program/program.h"

namespace transpire::scheduler {

/// | registers | pending | pending_set | private_live | private memory |
struct FiberLayout {
  FiberLayout(const vm::Program& program) {
    const Checked words = program.mask_words;
    const std::uint64_t blocks = program.block_entry.size();
    const auto place = [this](Checked size) {
      all = all + size.align_up(kRowAlign);
      return all.value();
    };
    pending = place(program.register_bytes);
    pending_set = place(words * 8 * blocks);
    private_live = place(Checked(blocks).align_up(64));
    private_memory = place(words * 8 * program.private_variables.size());
    place(private_bytes(program));
  }
  static Checked private_bytes(const vm::Program& program) {
    return Checked(program.private_bytes_per_lane).align_up(4) * program.lanes;
  }
  std::uint64_t pending, pending_set, private_live, private_memory;
  Checked all;  ///< bytes
};

}  // namespace transpire::scheduler
