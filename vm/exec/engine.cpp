// Entry into the threaded code, and the choice of an instruction set.
#include "vm/exec/engine.h"

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
  constexpr const HandlerTable& (*kTables[])() = {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) isa_##name::table,
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
  };
  return kTables[static_cast<std::size_t>(isa)]();
}

bool supported(Isa isa) { return processor_runs(isa); }

void run(Batch& batch) {
  batch.block_entry = batch.program->block_entry.data();
  batch.block_count = static_cast<std::uint32_t>(batch.program->block_entry.size());
  const Inst* ip = batch.ip;
  // Optimised builds tail-call from handler to handler and come back once; other builds loop here.
  while (ip != nullptr) ip = ip->run(ip, batch.registers, &batch);
}

}  // namespace exec
}  // namespace transpire::vm
