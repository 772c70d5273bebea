set(TRANSPIRE_BASE_TESTS
  base/checked_test.cpp
  base/inline_list_test.cpp
  base/work_limit_test.cpp)
