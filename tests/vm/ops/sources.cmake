set(TRANSPIRE_OPS_TESTS
    vm/ops/row_runner.cpp vm/ops/float_oracle.cpp vm/ops/table_test.cpp vm/ops/move_test.cpp
    vm/ops/arithmetic_test.cpp vm/ops/bit_test.cpp vm/ops/relational_logical_test.cpp
    vm/ops/conversion_test.cpp vm/ops/rounded_test.cpp)
