// By the low 12 bits of an address, processors decide if a load may read the data of an earlier
// store that is still under way. If these bits agree, the load waits for the store. All execution
// waits for two kinds of loads: of the next instruction and, at the end of a block, of the next
// block's begin (Program::block_entry). Rows stored just before should therefore lie elsewhere in
// the page. Moving register blocks on Zen 5 showed the effect: Black-Scholes takes 1 to 1.38 of the
// time (AVX-512), SHA-256 1 to 1.14 (AVX2), most kernels 1 to 1.06; Mandelbrot (AVX2) takes 1.08 if
// the last row of its loop hides the entry of the loop's block.
#include "vm/emit/phase.h"

#include <algorithm>
#include <array>

#include "base/narrow.h"
#include "vm/lir/budget.h"

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

std::uint32_t best_phase(const lir::Function& function, const LinearOrder& order,
                         const Resolved& resolved) {
  const Program& program = *resolved.program;
  Costs costs;
  std::size_t written = 0;  // row writes before the instruction
  const auto address = [](const auto* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const std::uint64_t code = address(program.code.data()) / kLineBytes * kLineBytes;
  for (std::size_t n = 0; n < resolved.blocks.size(); ++n) {
    const std::uint32_t shift = kLoopShift * order.depth(n, kMostLoops);
    // Notes a load `place` bytes behind the code's begin, after the stores so far.
    const auto loads = [&](std::uint64_t place) {
      const std::size_t window = std::min(written, kWindow);
      function.work(window);
      for (std::size_t back = 1; back <= window; ++back) {
        const RowWrite& write = resolved.row_writes[written - back];
        costs.add(place, write.offset, write.bytes,
                  static_cast<std::int64_t>(kWindow + 1 - back) << shift);
      }
    };
    for (std::size_t at = resolved.blocks[n].first; at <= resolved.blocks[n].last; ++at) {
      while (written < resolved.row_writes.size() && resolved.row_writes[written].at < at)
        ++written;
      loads(at * sizeof(Inst));
    }
    for (const std::uint32_t target : order.blocks[n].targets)
      loads(address(&program.block_entry[resolved.entered[target]]) - code);
  }
  return costs.cheapest();
}

}  // namespace transpire::vm::emission
