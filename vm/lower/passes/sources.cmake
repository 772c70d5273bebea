# The passes over LIR and the analyses they share.
set(TRANSPIRE_PASSES_SOURCES
    lower/passes/run_passes.cpp lower/passes/cfg.cpp lower/passes/dominators.cpp
    lower/passes/loops.cpp lower/passes/ssa_updater.cpp lower/passes/reducible.cpp
    lower/passes/unsigned_bounds.cpp lower/passes/private_layout.cpp lower/passes/lifetime_walk.cpp
    lower/passes/promote_private.cpp lower/passes/constant_folder.cpp
    lower/passes/value_rules.cpp lower/passes/value_rules_logic.cpp
    lower/passes/value_rules_address.cpp lower/passes/simplify_flow.cpp
    lower/passes/simplify.cpp lower/passes/split_indexes.cpp lower/passes/divergence_joins.cpp
    lower/passes/eliminate_common_values.cpp lower/passes/hoist_invariants.cpp
    lower/passes/convert_branches.cpp lower/passes/fold_addresses.cpp
    lower/passes/eliminate_dead_values.cpp lower/passes/canonicalise_loops.cpp
    lower/passes/order_blocks.cpp lower/passes/constant_privates.cpp
    lower/passes/narrow_indexes.cpp lower/passes/merge_accesses.cpp
    lower/passes/combine_products.cpp lower/passes/untag_addresses.cpp
    lower/passes/analyse_divergence.cpp lower/passes/record_results.cpp)
