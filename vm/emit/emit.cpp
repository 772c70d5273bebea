// Emission: linearise, select, allocate, resolve. A stage reads what the stages before it made, and
// nothing else but the arguments of emit(). Resolution takes the accesses and the private memory out of the selection.
#include "vm/emit/emit.h"

#include <algorithm>

#include "vm/emit/allocate.h"
#include "vm/emit/debug_info.h"
#include "vm/emit/linear_order.h"
#include "vm/emit/phase.h"
#include "vm/emit/resolve.h"
#include "vm/emit/select.h"

namespace transpire::vm {
namespace {

/// Copies what the program says of its kernel, besides its code.
void copy_facts(const lir::Function& f, const LowerOptions& options, Program* program) {
  Program& p = *program;
  p.sources = f.sources;
  p.remarks = f.remarks;
  p.result_sites = f.result_sites;
  p.undefined_uses = f.undefined_uses;
  p.undefined_loads = f.undefined_loads;
  p.clamps_accesses = options.robust == Robust::kClamp;
  if (options.check_uninit) p.shadow_distance = memory::shadow_distance(f.module->pointer_bytes());
  p.reference_math = f.reference_math;
  p.float_modes = f.float_modes;
  p.parameters = f.parameters;
  p.workgroup_variables = f.workgroup_variables;
  p.program_variables = f.program_variables;
  p.argument_slots = f.argument_slots;
  p.uses_barrier = f.uses_barrier;
  p.uses_pipes = f.uses_pipes;
  p.keeps_notes = f.keeps_notes;
  p.uses_queue = f.uses_queue;
  p.uses_subgroups = f.uses_subgroups;
  p.uses_named_barrier = f.uses_named_barrier;
  p.orders_finely = f.fine_orders.any();
  p.stores_atomically = f.fine_orders.stores;
  p.subgroup_size = f.subgroup_size;
  p.checks_sync = options.check_sync;
  if (options.poison) p.local_memory_start = kPoison;
  p.observed = options.observed;
  p.watched = options.watched();
  p.announces_rows = options.announces_rows();
  p.counts_instructions = options.count_instructions;
  p.printfs = f.printfs;
  p.enqueues = f.enqueues;
  for (const PrivateVariable& variable : p.private_variables) {
    p.life_counters = std::max(p.life_counters, variable.life_counter);
    p.initial_lifetimes.insert(p.initial_lifetimes.end(), p.mask_words,
                               variable.begins_dead ? 0 : ~std::uint64_t{0});
  }
}

}  // namespace

Result<std::unique_ptr<Program>> emit(const lir::Function& function, const LowerOptions& options,
                                      const HandlerTable& handlers) {
  const emission::Input input{function, options, handlers};
  const emission::LinearOrder order = emission::linearise(function);
  TRANSPIRE_TRY(emission::Selection selection, emission::select(input, order));
  const emission::Allocation allocation = emission::allocate(input, order, selection);
  emission::Resolved resolved = emission::resolve(input, order, allocation, &selection);
  Program& program = *resolved.program;
  program.register_phase = emission::best_phase(function, order, resolved);
  if (options.keeps_values())
    program.debug = emission::debug_info(function, order, selection, allocation, resolved);
  copy_facts(function, options, &program);
  return std::move(resolved.program);
}

}  // namespace transpire::vm
