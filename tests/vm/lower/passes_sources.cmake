set(TRANSPIRE_PASSES_TESTS
    vm/lower/lir_text.cpp vm/lower/lir_machine.cpp vm/lower/random_graph.cpp
    vm/lower/random_lir.cpp
    vm/lower/passes_loops_test.cpp vm/lower/passes_divergence_test.cpp vm/lower/passes_promote_test.cpp
    vm/lower/passes_simplify_test.cpp vm/lower/passes_values_test.cpp
    vm/lower/passes_products_test.cpp
    vm/lower/passes_branches_test.cpp vm/lower/passes_merge_test.cpp
    vm/lower/passes_indexes_test.cpp vm/lower/passes_pointers_test.cpp)
