// Entry into the threaded code, and the choice of an instruction set.
#include "vm/exec/engine.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "vm/program/program.h"
#include "vm/simd/float_control.h"

namespace transpire::vm {

#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) \
  namespace isa_##name {                            \
    const HandlerTable& table();                    \
  }
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET

namespace exec {

const HandlerTable& handlers(Isa isa) {
  switch (isa) {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) \
  case Isa::k##enumerator:                          \
    return isa_##name::table();
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
    default:
      std::abort();  // not of this build
  }
}

bool supported(Isa isa) {
  return std::find(std::begin(kIsas), std::end(kIsas), isa) != std::end(kIsas) &&
         processor_runs(isa);
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
