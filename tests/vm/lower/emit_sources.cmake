set(TRANSPIRE_EMIT_TESTS
    vm/lower/lir_engine.cpp vm/lower/emit_coalesce_test.cpp vm/lower/emit_lifetimes_test.cpp)
