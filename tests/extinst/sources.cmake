set(TRANSPIRE_EXTINST_TESTS
    extinst/math_functions.cpp extinst/table_test.cpp extinst/accuracy_test.cpp
    extinst/special_values_test.cpp extinst/common_test.cpp extinst/fma_test.cpp
    extinst/integer_test.cpp extinst/reference_test.cpp)
