// Where register blocks begin within a page of memory.
//
// Processors tell by the low 12 bits of an address whether a load may read what an earlier store has not yet written, and
// wait for the store's data where these bits agree. All that runs waits for two kinds of loads: that of the next instruction,
// and, where a block ends, that of where the next block begins (Program::block_entry). So rows that were stored just before
// had better lie elsewhere in the page. What that is worth was measured on Zen 5 by moving register blocks: Black-Scholes
// takes 1 to 1.38 of the time (AVX-512), SHA-256 1 to 1.14 (AVX2), most kernels 1 to 1.06; Mandelbrot (AVX2) 1.08 where the
// last row of its loop hides the entry of the loop's block.
#include <algorithm>
#include <array>

#include "base/narrow.h"
#include "vm/emit/emitter.h"

namespace transpire::vm::emission {
namespace {

constexpr std::uint64_t kLineBytes = 64, kPhases = Program::kPhasePeriod / kLineBytes;
/// Rows whose stores may still be under way: as many as a processor holds instructions of.
constexpr std::size_t kWindow = 6;
/// A loop's instructions count for so many times those around it, as a power of two.
constexpr std::uint32_t kLoopShift = 3, kMostLoops = 6;

/// What each phase costs, as differences to the one before it.
class Costs {
 public:
  /// Of a store of `bytes` at `offset` into the register block before a load that lies `place` bytes behind the code's begin,
  /// modulo 2^64.
  void add(std::uint64_t place, std::uint64_t offset, std::uint64_t bytes, std::int64_t cost) {
    const std::uint64_t count = std::min(bytes / kLineBytes, kPhases);
    const std::uint64_t first = (place / kLineBytes - offset / kLineBytes - count + 1) % kPhases;
    const std::uint64_t end = first + count;
    change_[first] += cost;
    if (end > kPhases) change_[0] += cost;  // goes on where the page begins
    if (end != kPhases) change_[end % kPhases] -= cost;
  }

  std::uint32_t cheapest() const {
    std::int64_t cost = 0, least = 0;
    std::uint64_t best = 0;
    for (std::uint64_t phase = 0; phase < kPhases; ++phase) {
      cost += change_[phase];
      if (phase != 0 && cost >= least) continue;
      least = cost;
      best = phase;
    }
    return narrow<std::uint32_t>(best * kLineBytes);
  }

 private:
  std::array<std::int64_t, kPhases> change_{};
};

}  // namespace

/// The next instruction of the code stores in this register.
void Emitter::note_row(VReg reg) {
  if (reg == kNoReg) return;
  const Register& place = registers_[find(reg)];
  if (place.is_scalar) return;
  row_writes_.push_back(
      {program_->code.size(), place.offset, row_bytes(place.kind, program_->lanes)});
}

/// How many loops are around a block, as far as they count.
std::uint32_t Emitter::loops_around(std::size_t block) const {
  std::uint32_t loops = 0;
  for (std::uint32_t c = cycle_of_block_[block]; c != kNoCycle && loops < kMostLoops;
       c = cycles_[c].parent)
    ++loops;
  return loops;
}

/// The multiple of 64 by which a register block's begin had better lie behind the code's, modulo a page. `starts` and `ends`
/// have the first and the last instruction of each block.
std::uint32_t Emitter::best_phase(const std::vector<std::size_t>& starts,
                                  const std::vector<std::size_t>& ends) const {
  Costs costs;
  std::size_t written = 0;  // row_writes_ before the instruction
  const auto address = [](const auto* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const std::uint64_t code = address(program_->code.data()) / kLineBytes * kLineBytes;
  for (std::size_t n = 0; n < starts.size(); ++n) {
    const std::uint32_t shift = kLoopShift * loops_around(n);
    // A load `place` bytes behind the code's begin, after what is written by now.
    const auto loads = [&](std::uint64_t place) {
      const std::size_t window = std::min(written, kWindow);
      f_.work(window);
      for (std::size_t back = 1; back <= window; ++back) {
        const RowWrite& write = row_writes_[written - back];
        costs.add(place, write.offset, write.bytes,
                  static_cast<std::int64_t>(kWindow + 1 - back) << shift);
      }
    };
    for (std::size_t at = starts[n]; at <= ends[n]; ++at) {
      while (written < row_writes_.size() && row_writes_[written].at < at) ++written;
      loads(at * sizeof(Inst));
    }
    for (const std::uint32_t target : blocks_[n].targets)
      loads(address(&program_->block_entry[final_target(target)]) - code);
  }
  return costs.cheapest();
}

}  // namespace transpire::vm::emission
