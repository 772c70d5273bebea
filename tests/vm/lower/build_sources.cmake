set(TRANSPIRE_BUILD_TESTS
    vm/lower/build_support.cpp vm/lower/budget_test.cpp fuzz/hostile_modules.cpp fuzz/module_words.cpp fuzz/small_lowering.cpp
    vm/lower/build_atomic_test.cpp vm/lower/build_clang_test.cpp
    vm/lower/build_control_flow_test.cpp
    vm/lower/build_extinst_test.cpp vm/lower/build_function_test.cpp vm/lower/build_group_test.cpp vm/lower/build_memory_test.cpp
    vm/lower/build_refusal_test.cpp vm/lower/build_value_test.cpp
    vm/lower/build_variable_test.cpp vm/lower/build_verify_test.cpp)
