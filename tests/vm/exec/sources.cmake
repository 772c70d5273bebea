set(TRANSPIRE_EXEC_TESTS vm/exec/memory_test.cpp vm/exec/address_space_test.cpp vm/exec/index_rows_test.cpp vm/exec/printf_format_test.cpp)
