// run_passes: the order in which lowering applies the passes, and why.
#include "vm/lower/lower.h"
#include "vm/lower/passes.h"

namespace transpire::vm {

void run_passes(lir::Function& function, const LowerOptions& options) {
  if (options.optimise) {
    lir::simplify(function, options);
    lir::promote_private(function);
    lir::simplify(function, options);
    lir::eliminate_dead_values(function);
  }
  lir::canonicalise_loops(function);
  lir::order_blocks(function);
  lir::analyse_divergence(function, options);
}

}  // namespace transpire::vm
