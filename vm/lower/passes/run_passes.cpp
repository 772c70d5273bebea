// run_passes: the order in which lowering applies the passes, and why.
#include "vm/lower/lower.h"
#include "vm/lower/passes.h"

namespace transpire::vm {
namespace {

// The shape that emission needs: canonical loops, the linear order, spreads.
void analyse(lir::Function& function, const LowerOptions& options) {
  lir::canonicalise_loops(function);
  lir::order_blocks(function);
  lir::analyse_divergence(function, options);
}

void optimise(lir::Function& function, const LowerOptions& options) {
  // Constant offsets must be seen as such before variables can be promoted; what they held folds after.
  lir::simplify(function, options);
  lir::promote_private(function);
  lir::simplify(function, options);
  lir::eliminate_common_values(function);
  lir::eliminate_dead_values(function);
  // Only divergent branches are worth converting.
  analyse(function, options);
  lir::convert_branches(function);
  // Preheaders are where invariants go; what the first analysis left in the way is cleaned up after.
  lir::canonicalise_loops(function);
  lir::hoist_invariants(function);
  lir::simplify(function, options);
  lir::eliminate_common_values(function);
  lir::eliminate_dead_values(function);
}

}  // namespace

void run_passes(lir::Function& function, const LowerOptions& options) {
  if (options.optimise) optimise(function, options);
  analyse(function, options);
  if (!options.optimise) return;
  // What accesses take over depends on spreads, and changes none.
  lir::fold_addresses(function);
  lir::eliminate_dead_values(function);
}

}  // namespace transpire::vm
