// Ends the process in the state that the argument names, with commands that wait or run.
#include <cstring>
#include <thread>

#include "tests/opencl/handles.h"

using namespace transpire::test;

int main(int argc, char** argv) {
  const char* const state = argc > 1 ? argv[1] : "";
  const cl_context context = make_context();
  const cl_command_queue queue = make_queue(context);
  if (std::strcmp(state, "unflushed") == 0) {
    enqueue_call(queue, [] {});
  } else if (std::strcmp(state, "blocked") == 0) {
    enqueue_call(queue, [] {}, {clCreateUserEvent(context, nullptr)});
    clFlush(queue);
  } else if (std::strcmp(state, "finished_at_exit") == 0) {
    static const cl_command_queue late =
        make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    static std::atomic<int> ended{0};
    std::atexit([] {
      clFinish(late);
      if (ended != 6) std::_Exit(1);
    });
    for (int i = 0; i < 6; ++i)
      enqueue_call(late, [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        ++ended;
      });
    clFlush(late);
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
