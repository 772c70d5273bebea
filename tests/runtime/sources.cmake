# Test sources of the runtime, relative to tests/.
set(TRANSPIRE_RUNTIME_TESTS
  runtime/support.cpp
  runtime/module_test.cpp runtime/program_kernels_test.cpp runtime/shared_memory_test.cpp
  runtime/launch_test.cpp runtime/sizes_test.cpp runtime/load_limits_test.cpp runtime/long_instructions_test.cpp
  runtime/group_test.cpp runtime/flowing_test.cpp
  runtime/float_mode_test.cpp
  runtime/undefined_test.cpp runtime/result_log_test.cpp
  runtime/ulp_judge_test.cpp runtime/address_book_test.cpp)
