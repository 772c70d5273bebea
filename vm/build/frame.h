// Frame: a function that is being expanded, with the meaning of its ids in this call. Calls are
// expanded in place, so a function that is called twice has two frames. Position: the frame and
// instruction that are being built.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vm/build/names.h"
#include "vm/build/object_place.h"

namespace transpire::vm::builder {

/// The meaning of an <id> in a frame.
struct Bound {
  Values values;
  std::uint32_t input = 0;  ///< index + 1 of an InputPointer
  /// Pointer to a part of a matrix that has a layout of its own: the part with that layout. Null: as the pointer's type says.
  const Type* laid_out = nullptr;
  /// Pointer to an array of blocks: the array. The value is the place of the descriptors, each an address and the buffer's size.
  const Type* blocks = nullptr;
  /// Pointer, for the race check: see pointer::known_coherence().
  std::optional<bool> is_coherent{};
  std::uint32_t align_limit = 0;  ///< pointer into a CPacked struct: 1; else 0
  Id cast_from = 0;               ///< pointer: the pointer of another type that it was cast from
  ObjectPlace
      place;  ///< pointer, with --check=uninit: its target, if that differs from the pointer's type
};

struct Frame {
  const decoder::Function* function = nullptr;
  Frame* caller = nullptr;
  std::uint32_t called_from = 0;  ///< index into lir::Function::sources
  std::uint32_t first_variable =
      0;  ///< index of the first private variable that is its own, or a callee's
  bool forwards_entry = false;  ///< the entry point, and it only calls another function
  std::unordered_map<Id, Bound> bound;
  std::vector<BlockId> start;  ///< by SPIR-V block index; kNoBlock when unreachable
  std::vector<BlockId> end;    ///< where its terminator stands; kNoBlock until processed
  struct PendingPhi {
    const Instruction* instruction;
    ValueList values;
    ValueId incoming = kNoValue;  ///< for a value in memory: the temporary that predecessors fill
  };
  std::vector<PendingPhi> phis;
  struct Exit {
    BlockId block;
    ValueList values;
  };
  std::vector<Exit> exits;  ///< returns; their blocks have no terminator yet
  /// Private variables that pointers may outlive: dead once the function has returned.
  std::vector<std::uint32_t> ending;

  /// True if the frame, or one that it was called from, is of the function.
  bool is_within(const decoder::Function& other) const {
    for (const Frame* frame = this; frame != nullptr; frame = frame->caller)
      if (frame->function == &other) return true;
    return false;
  }
  /// Number of frames, from the kernel's on.
  std::uint32_t depth() const {
    std::uint32_t frames = 0;
    for (const Frame* frame = this; frame != nullptr; frame = frame->caller) ++frames;
    return frames;
  }
};

/// The place that is being built: named by refusals, and the source of new values.
struct Position {
  Frame* frame = nullptr;
  const Instruction* instruction = nullptr;
  std::uint32_t source = 0;  ///< index into lir::Function::sources, 0 until it is needed
  Id parameter = 0;          ///< the kernel's parameter while it is bound; no instruction exists
                             ///< yet

  void begin(const Instruction& next) {
    instruction = &next;
    source = 0;
  }
};

}  // namespace transpire::vm::builder
