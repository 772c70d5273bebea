// Chooses where register blocks begin within a page of memory.
//
// By the low 12 bits of an address, processors decide if a load may read the data of an earlier
// store that is still under way. If these bits agree, the load waits for the store. All execution
// waits for two kinds of loads: of the next instruction and, at the end of a block, of the next
// block's begin (Program::block_entry). Rows stored just before should therefore lie elsewhere in
// the page. Moving register blocks on Zen 5 showed the effect: Black-Scholes takes 1 to 1.38 of the
// time (AVX-512), SHA-256 1 to 1.14 (AVX2), most kernels 1 to 1.06; Mandelbrot (AVX2) takes 1.08 if
// the last row of its loop hides the entry of the loop's block.
#include <algorithm>
#include <array>

#include "base/narrow.h"
#include "vm/emit/emitter.h"

namespace transpire::vm::emission {
namespace {

constexpr std::uint64_t kLineBytes = 64, kPhases = Program::kPhasePeriod / kLineBytes;
/// Number of rows whose stores may still be under way: as many as a processor holds instructions
/// of.
constexpr std::size_t kWindow = 6;
/// Each loop multiplies the weight of its instructions, by this power of two.
constexpr std::uint32_t kLoopShift = 3, kMostLoops = 6;

/// The cost of each phase, as the difference to the phase before.
class Costs {
 public:
  /// Adds the cost of a store of `bytes` at `offset` into the register block, before a load that
  /// lies `place` bytes behind the code's begin, modulo 2^64.
  void add(std::uint64_t place, std::uint64_t offset, std::uint64_t bytes, std::int64_t cost) {
    const std::uint64_t count = std::min(bytes / kLineBytes, kPhases);
    const std::uint64_t first = (place / kLineBytes - offset / kLineBytes - count + 1) % kPhases;
    const std::uint64_t end = first + count;
    change_[first] += cost;
    if (end > kPhases) change_[0] += cost;  // continues at the begin of the page
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

/// Notes that the next instruction of the code stores to this register.
void Emitter::note_row(VReg reg) {
  if (reg == kNoReg) return;
  const Register& place = registers_[find(reg)];
  if (place.is_scalar) return;
  row_writes_.push_back(
      {program_->code.size(), place.offset, row_bytes(place.kind, program_->lanes)});
}

/// Number of loops around a block, up to kMostLoops.
std::uint32_t Emitter::loops_around(std::size_t block) const {
  std::uint32_t loops = 0;
  for (std::uint32_t c = cycle_of_block_[block]; c != kNoCycle && loops < kMostLoops;
       c = cycles_[c].parent)
    ++loops;
  return loops;
}

/// The best distance of a register block's begin behind the code's, a multiple of 64 modulo a page.
/// `starts` and `ends` have the first and the last instruction of each block.
std::uint32_t Emitter::best_phase(const std::vector<std::size_t>& starts,
                                  const std::vector<std::size_t>& ends) const {
  Costs costs;
  std::size_t written = 0;  // row_writes_ before the instruction
  const auto address = [](const auto* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const std::uint64_t code = address(program_->code.data()) / kLineBytes * kLineBytes;
  for (std::size_t n = 0; n < starts.size(); ++n) {
    const std::uint32_t shift = kLoopShift * loops_around(n);
    // Notes a load `place` bytes behind the code's begin, after the stores so far.
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
