set(TRANSPIRE_EXEC_TESTS vm/exec/memory_test.cpp)
