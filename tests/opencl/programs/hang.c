/* Launches that never end, two in each queue, then one that does. The first argument says what the program makes of
   signals: "default"; "goes_on", "leaves" (with 7) and "ignores" have a handler. "threads" has a second queue with a thread of
   its own that waits for it. The second one is how many lines each work-item prints. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "tests/opencl/programs/host.h"

static volatile sig_atomic_t got = 0;

static void note(int number) { got = number; }

static void leave(int number) {
  (void)number;
  _exit(7);
}

static void set_handlers(const char* what) {
  if (strcmp(what, "goes_on") == 0) {
    signal(SIGINT, note);
    signal(SIGTERM, note);
  }
  if (strcmp(what, "leaves") == 0) signal(SIGINT, leave);
  if (strcmp(what, "ignores") == 0) signal(SIGINT, SIG_IGN);
}

static void set_number(cl_kernel kernel, cl_uint index, cl_int number) {
  CHECK(clSetKernelArg(kernel, index, sizeof number, &number));
}

static cl_event launch_in(cl_command_queue where, cl_kernel kernel) {
  const size_t one = 1;
  cl_event event;
  CHECK(clEnqueueNDRangeKernel(where, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  return event;
}

static void* finish(void* where) {
  const cl_int code = clFinish((cl_command_queue)where);
  printf("the thread's clFinish %d\n", code);
  return NULL;
}

/* Says what the API tells of a launch that was ended. */
static void tell(cl_event event, cl_int finished) {
  cl_int status = 1;
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("clFinish %d, event %d, clWaitForEvents %d, signal %d\n", finished, status,
         clWaitForEvents(1, &event), (int)got);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "default";
  open_device();
  const cl_program program = program_of(
      "kernel void hang(global volatile int* y, int lines, int forever) {\n"
      "  for (int i = 0; i < lines; ++i) printf(\"line %d\\n\", i);\n"
      "  y[100] = 1;\n"
      "  y[0] = 5;\n"
      "  while (forever)\n"
      "    y[1] = y[1] + 1;\n"
      "}\n",
      "");
  const cl_kernel hang = kernel_of(program, "hang");
  const cl_mem y = buffer_of(CL_MEM_READ_WRITE, 16, NULL);
  cl_int values[4] = {0};
  pthread_t thread;
  set_handlers(what);
  set_buffer(hang, 0, y);
  set_number(hang, 1, argc > 2 ? atoi(argv[2]) : 1);
  set_number(hang, 2, 1);
  const cl_event event = launch_in(queue, hang);
  launch_in(queue, hang);
  if (strcmp(what, "threads") == 0) {
    const cl_command_queue other = clCreateCommandQueue(context, device, 0, NULL);
    launch_in(other, hang);
    EXPECT(pthread_create(&thread, NULL, finish, other) == 0);
  }
  fprintf(stderr, "ready\n");
  tell(event, clFinish(queue));
  set_number(hang, 2, 0);
  launch_in(queue, hang);
  CHECK(clFinish(queue));
  read_back(y, sizeof values, values);
  printf("y[0] = %d\n", values[0]);
  return 0;
}
