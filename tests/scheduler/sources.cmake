# Test sources of the scheduler, relative to tests/.
set(TRANSPIRE_SCHEDULER_TESTS
  scheduler/fake_program.cpp
  scheduler/geometry_test.cpp
  scheduler/barrier_test.cpp
  scheduler/limits_test.cpp)
