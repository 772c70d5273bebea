// Entry into the threaded code, and the choice of an instruction set.
#include "vm/exec/engine.h"

#include "vm/program/program.h"

namespace transpire::vm {

namespace isa_baseline {
const HandlerTable& table();
}
namespace isa_avx2 {
const HandlerTable& table();
}
namespace isa_avx512 {
const HandlerTable& table();
}

namespace exec {

const HandlerTable& handlers(Isa isa) {
  switch (isa) {
    case Isa::kAvx512:
      return isa_avx512::table();
    case Isa::kAvx2:
      return isa_avx2::table();
    default:
      return isa_baseline::table();
  }
}

bool supported(Isa isa) {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
                    __builtin_cpu_supports("lzcnt");
  switch (isa) {
    case Isa::kAvx512:
      return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512cd");
    case Isa::kAvx2:
      return avx2;
    default:
      return true;
  }
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
