// Ends the process in the state that the argument names, with commands that wait or run.
#include <cstring>
#include <thread>

#include "tests/opencl/support.h"

using namespace transpire::opencl_tests;

int main(int argc, char** argv) {
  const char* const state = argc > 1 ? argv[1] : "";
  const cl_context context = make_context();
  const cl_command_queue queue = make_queue(context);
  if (std::strcmp(state, "unflushed") == 0) {
    enqueue_call(queue, [] {});
  } else if (std::strcmp(state, "blocked") == 0) {
    enqueue_call(queue, [] {}, {clCreateUserEvent(context, nullptr)});
    clFlush(queue);
  } else {
    static std::atomic<bool> runs{false};
    enqueue_call(queue, [] {
      runs = true;
      std::this_thread::sleep_for(std::chrono::hours(1));
    });
    enqueue_call(queue, [] {});
    if (std::strcmp(state, "queue_released") == 0)
      clReleaseCommandQueue(queue);
    else
      clFlush(queue);
    while (!runs) std::this_thread::yield();
  }
  return 0;
}
