// Entry into the threaded code, and the choice of an instruction set.
#include "vm/exec/engine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "vm/program/program.h"
#include "vm/simd/float_control.h"

namespace transpire::vm {

#define TRANSPIRE_BUILT(isa)     \
  namespace isa_##isa {          \
    const HandlerTable& table(); \
  }
#include "vm/exec/built_isas.def"
#undef TRANSPIRE_BUILT

namespace exec {
namespace {

struct Built {
  std::string_view name;
  const HandlerTable& (*table)();
};

constexpr Built kBuilt[] = {
#define TRANSPIRE_BUILT(isa) {#isa, isa_##isa::table},
#include "vm/exec/built_isas.def"
#undef TRANSPIRE_BUILT
};

}  // namespace

std::span<const Isa> built_isas() {
  static constexpr auto kIsas = [] {
    std::array<Isa, std::size(kBuilt)> isas{};
    std::ranges::transform(kBuilt, isas.begin(),
                           [](const Built& each) { return *isa_named(each.name); });
    return isas;
  }();
  return kIsas;
}

const HandlerTable& handlers(Isa isa) {
  for (const Built& each : kBuilt)
    if (each.name == isa_name(isa)) return each.table();
  std::abort();  // not of this build
}

bool supported(Isa isa) {
  const auto built = built_isas();
  return std::ranges::find(built, isa) != built.end() && processor_runs(isa);
}

void run(Batch& batch) {
  batch.block_entry = batch.program->block_entry.data();
  batch.block_count = static_cast<std::uint32_t>(batch.program->block_entry.size());
  const Inst* ip = batch.ip;
  // Optimised builds tail-call from handler to handler and come back once; other builds loop here.
  while (ip != nullptr) ip = ip->run(ip, batch.registers, &batch);
}

}  // namespace exec
}  // namespace transpire::vm
