#include "tests/fuzz/small_lowering.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "decoder/module.h"
#include "transpire/setting_table.hpp"
#include "vm/exec/engine.h"
#include "vm/lower/lower.h"

namespace transpire::fuzz {
namespace {

constexpr std::size_t kMaxKernels = 2;
constexpr std::size_t kOptionsAt = 8;  // bytes: the generator's word
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxSteps = 4'000'000;
constexpr std::uint64_t kMaxInstructions = 20'000;
constexpr std::uint64_t kMaxRegisterBytes = 1 << 20;

void need(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

vm::LowerOptions options_from(std::span<const std::byte> bytes) {
  std::uint32_t bits = 0;
  if (bytes.size() >= kOptionsAt + 4) std::memcpy(&bits, bytes.data() + kOptionsAt, 4);
  const auto next = [&] {
    const bool bit = (bits & 1) != 0;
    bits >>= 1;
    return bit;
  };
  vm::LowerOptions options;
  options.packed = next();
  options.linear_x = next();
  options.id_bits = next() ? 31 : 64;
  options.record_results = next();
  for (const Setting& setting : kSettings)
    if (is_switch(setting)) setting.set(options, next() ? 1 : 0);
  if (options.observed) options.packed = false;  // as devices ask for it
  options.max_instructions = kMaxInstructions;
  options.limits.bytes = kMaxBytes;
  options.limits.steps = kMaxSteps;
  options.limits.register_bytes = kMaxRegisterBytes;
  return options;
}

}  // namespace

int lower_small(std::span<const std::byte> bytes) {
  const auto module = decoder::decode(bytes, {.input_name = "fuzzed"});
  if (!module.ok()) return 0;
  vm::LowerOptions options = options_from(bytes);
  int made = 0;
  for (std::size_t k = 0; k < module->entry_points.size() && k < kMaxKernels; ++k) {
    for (const vm::Isa isa : vm::exec::built_isas()) {
      if (!vm::exec::supported(isa)) continue;
      const vm::HandlerTable& table = vm::exec::handlers(isa);
      options.lanes = table.lanes;
      const auto program = vm::lower(*module, module->entry_points[k], options, table);
      if (!program.ok()) {
        need(!program.errors().empty() && !program.errors()[0].message.empty(),
             "a refusal gives no reason");
        continue;
      }
      ++made;
      need((*program)->register_bytes <= kMaxRegisterBytes + 64, "more registers than allowed");
      need((*program)->private_bytes_per_lane <= vm::kMaxPrivateBytes + 8,
           "more private memory than allowed");
    }
  }
  return made;
}

}  // namespace transpire::fuzz
