// run_passes: the order in which lowering applies the passes, and why.
#include <algorithm>

#include "vm/passes/narrow_indexes.h"
#include "vm/passes/passes.h"

namespace transpire::vm {
namespace {

// The shape that emission needs: canonical loops, the linear order, spreads.
void analyse(lir::Function& function, const LowerOptions& options) {
  lir::canonicalise_loops(function);
  lir::order_blocks(function);
  lir::analyse_divergence(function, options);
}

bool accesses_private_variables(const lir::Function& function) {
  if (function.private_variables.empty()) return false;
  const std::uint64_t first = function.private_slot(0);
  return std::any_of(function.values.begin(), function.values.end(), [&](const lir::Value& value) {
    return std::any_of(value.args.begin(), value.args.end(), [&](lir::ValueId arg) {
      return function.values[arg].op == Op::kArgument && function.values[arg].imm >= first;
    });
  });
}

void optimise(lir::Function& function, const LowerOptions& options) {
  // Constant offsets must be seen as such before variables can be promoted; what they held folds
  // after. A variable that held the address of another keeps that one from being promoted until it
  // is gone itself: pointers to pointers to variables are as deep as sources get.
  constexpr int kPromotions = 3;
  lir::simplify(function, options);
  const int promotions = options.keeps_values() ? 0 : kPromotions;
  for (int i = 0; i < promotions && accesses_private_variables(function); ++i) {
    lir::promote_private(function);
    lir::simplify(function, options);
  }
  if (options.check_uninit) {
    lir::find_undefined_sources(function);
    lir::simplify(function, options);
  }
  lir::untag_addresses(function);
  lir::count_lives(function, options);
  lir::eliminate_common_values(function);
  lir::eliminate_dead_values(function);
  // Only divergent branches are worth converting.
  analyse(function, options);
  lir::convert_branches(function);
  // Preheaders are where invariants go; what the first analysis left in the way is cleaned up
  // after.
  lir::canonicalise_loops(function);
  lir::hoist_invariants(function);
  lir::simplify(function, options);
  lir::eliminate_common_values(function);
  lir::eliminate_dead_values(function);
}

void keep_as_built(lir::Function& function, const LowerOptions& options) {
  if (options.check_uninit) lir::find_undefined_sources(function);
  lir::count_lives(function, options);
}

void run_all(lir::Function& function, const LowerOptions& options) {
  if (options.check_uninit) lir::track_undefined(function);
  if (options.optimises())
    optimise(function, options);
  else
    keep_as_built(function, options);
  // Promoted variables are values by now, and addresses are still whole.
  if (options.record_results) lir::record_results(function);
  lir::gather_arrivals(function, options);
  analyse(function, options);
  if (!options.optimises()) return;
  // Folding into accesses depends on spreads and changes none.
  lir::fold_addresses(function);
  lir::narrow_indexes(function, options);
  // By now addresses that differ by a constant differ in their offset only, and indexes are still
  // whole.
  // Merged stores come at once, which a variable's reader would see.
  if (!options.keeps_values()) lir::merge_accesses(function);
  lir::split_indexes(function, options);
  // Last: no other pass knows what it makes.
  lir::combine_products(function);
  lir::eliminate_dead_values(function);
}

}  // namespace

void run_passes(lir::Function& function, const LowerOptions& options) {
  run_all(function, options);
  if (options.check_uninit) lir::name_undefined(function);
}

}  // namespace transpire::vm
