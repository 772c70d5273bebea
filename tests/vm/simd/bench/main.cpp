// transpire-vector-bench: prints a table in Markdown of what the vector layer has in place of xsimd's, for each
// instruction set that the machine runs. A ratio is the layer's time over the other: 0.5 is twice as fast.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>

#include "tests/vm/simd/bench/measure.h"
#include "vm/exec/engine.h"

namespace transpire::vm {

#define TRANSPIRE_BUILT(name)      \
  namespace isa_##name {           \
    bench::Pairs measured_pairs(); \
  }
#include "vm/exec/built_isas.def"
#undef TRANSPIRE_BUILT

}  // namespace transpire::vm

namespace {

using namespace transpire;

struct InstructionSet {
  vm::Isa isa;
  bench::Pairs (*pairs)();
};
constexpr InstructionSet kInstructionSets[] = {
#define TRANSPIRE_BUILT(name) {*vm::isa_named(#name), vm::isa_##name::measured_pairs},
#include "vm/exec/built_isas.def"
#undef TRANSPIRE_BUILT
};

/// The least of many runs, in turn with the other.
void time_both(const bench::Pair& pair, bench::Rows& rows, double& ours, double& other) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 300, kRepeats = 20;
  const auto time = [&](void (*run)(bench::Rows&)) {
    const auto start = Clock::now();
    for (int i = 0; i < kRepeats; ++i) run(rows);
    const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
    return taken.count() / kRepeats * 64 / static_cast<double>(pair.lanes);
  };
  ours = other = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    ours = std::min(ours, time(pair.ours));
    other = std::min(other, time(pair.other));
  }
}

}  // namespace

int main() {
  const auto rows = std::make_unique<bench::Rows>();
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < bench::kRowBytes; i += 8) {
    // Halves of 1 to 2 and small floats in every place: no subnormal numbers.
    const std::uint64_t a = 0x3c003c003c003c00u | (random() & 0x03ff03ff03ff03ffu);
    const std::uint64_t b = 0x3c003c003c003c00u | (random() & 0x03ff03ff03ff03ffu);
    std::memcpy(rows->a + i, &a, 8);
    std::memcpy(rows->b + i, &b, 8);
  }
  std::printf(
      "| instruction set | what | lanes | ns for 64 lanes | the other way | ns for 64 lanes | "
      "ratio |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const InstructionSet& set : kInstructionSets) {
    if (!vm::exec::supported(set.isa)) continue;
    const bench::Pairs pairs = set.pairs();
    for (std::size_t i = 0; i < pairs.count; ++i) {
      const bench::Pair& pair = pairs.first[i];
      double ours, other;
      time_both(pair, *rows, ours, other);
      std::printf("| %s | %s | %s | %.2f | %s | %.2f | %.2f |\n", vm::isa_name(set.isa).data(),
                  pair.what, pair.type, ours, pair.other_way, other, ours / other);
    }
  }
}
