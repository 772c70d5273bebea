// The passes over LIR, each one function. Every pass keeps verify() silent; see lir.h.
#pragma once

#include "vm/lir/lir.h"
#include "vm/lir/lower_options.h"

namespace transpire::vm {

/// LIR -> LIR: promotes, simplifies, canonicalises loops, orders blocks, analyses divergence, folds
/// addresses. The order of passes stands in run_passes(). Throws BudgetSpent
/// where the function has a budget.
void run_passes(lir::Function& function, const LowerOptions& options);

}  // namespace transpire::vm

namespace transpire::vm::lir {

/// Splits and promotes private variables whose address does not escape to SSA values: every access
/// has a constant offset, and accesses of the same bytes agree in kind (or differ only int/float of
/// the same width, or are parts of a wider access of the same lane layout). Reading before any
/// write gives zero.
void promote_private(Function& function);

/// Shadows of all values, and checks where a value matters: see vm/passes/track_undefined.h.
void track_undefined(Function& function);

/// After promotion: finds possible sources of each checked undefined value, and removes Undefined
/// values.
void find_undefined_sources(Function& function);

/// After all other passes: finds the loads of shadows from which checked and stored values come,
/// and marks them as noted.
void name_undefined(Function& function);

/// Constant folding (with the engine's own lane functions), algebraic identities that are exact for
/// the kind, shl/ashr pairs as sign extension (and no extension at all where ids are known to fit),
/// copy and single-source phi removal, branch folding, unreachable blocks, block merging.
void simplify(Function& function, const LowerOptions& options);

/// Removes the tags of pointers (TagPointer) from the addresses of accesses.
/// eliminate_dead_values() removes unused tags afterwards.
void untag_addresses(Function& function);

/// Counts lives of variables whose addresses outlive them. Behind untag_addresses(), and before what moves or merges TagPointers.
void count_lives(Function& function, const LowerOptions& options);

/// Dominator-based value numbering of pure values; loads are merged only inside a block with no
/// effect between.
void eliminate_common_values(Function& function);

/// Moves pure loop-invariant values before the loop.
void hoist_invariants(Function& function);

void eliminate_dead_values(Function& function);

/// Turns small side-effect-free branches into Select where that is cheaper than divergence.
void convert_branches(Function& function);

/// Places RecordResult behind stores to memory that the host can read, and lists in
/// Function::result_sites the operations that may have made the stored values.
void record_results(Function& function);

/// Moves Address into the loads and stores that use it (MemAccess scale and offset, Value::extend).
void fold_addresses(Function& function);

/// Splits indexes into rows that every group of the launch repeats, and a shared part of the lanes:
/// loads and stores get the sum of both as their index (three address operands). After
/// analyse_divergence(), whose results it needs and keeps.
void split_indexes(Function& function, const LowerOptions& options);

/// Makes one load, or store, of those of neighbouring bytes in a block (MemAccess::parts).
void merge_accesses(Function& function);

/// Makes one value of a product in float or double and of the sum or difference in the same block
/// that alone uses it: FMulPlus and its like, which round both, so no bit changes. Products of
/// scalars stay apart from the sums of rows. After analyse_divergence(), whose results it needs and
/// keeps, and after the passes that look for products or sums; the products that are left over are
/// eliminate_dead_values()'s.
void combine_products(Function& function);

/// Gives every natural loop one preheader and one latch (a block of its own, all back edges go
/// there), and closes loops: a value defined in a loop and used outside goes through a phi (op Phi,
/// also with one operand) in the exit block, and exit blocks have predecessors in the loop only.
void canonicalise_loops(Function& function);

/// Cuts loops in which lanes may come on different ways to an instruction that a group meets at, so
/// that they wait there for each other: see gather_arrivals.cpp.
void gather_arrivals(Function& function, const LowerOptions& options);

/// Writes Function::order: reverse post-order, every loop contiguous, its latch last.
void order_blocks(Function& function);

/// Writes Value::spread and stride. Phis where lanes join after a divergent branch vary; exits of
/// loops that lanes leave at different iterations vary; irreducible cycles vary.
void analyse_divergence(Function& function, const LowerOptions& options);

}  // namespace transpire::vm::lir
