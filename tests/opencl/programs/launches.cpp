// Host programs by what their launches do: fail, print, enqueue others, run in several queues and processes, never end.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "tests/opencl/programs/programs.h"

namespace transpire::test {

/// printf with quotes, line ends and bytes that are no text, over two lines a work-item: 1 launch.
HOST_PROGRAM(print) {
  const Kernel say = host.kernel_of(
      R"(kernel void say(int n) {
  printf("item %d of \"%s\" # 100%%\n\tand \x01\\ %4.2f\n", (int)get_global_id(0), "say", 1.5f * n);
  if (get_global_id(0) == 2) printf("no end");
})",
      "say");
  set(say, cl_int{3});
  host.launch(say, 3);
  host.finish();
}

/// A kernel that divides by zero, which is a warning of --check=ub, and stores nothing wrong: 1 launch.
HOST_PROGRAM(dividing) {
  const Kernel divide = host.kernel_of(
      R"(kernel void divide(global int* y) {
  int i = get_global_id(0);
  y[i] = 12 / y[i];
})",
      "divide");
  int divisors[4] = {1, 0, 3, 4};
  const Memory y = host.buffer(sizeof divisors, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, divisors);
  set(divide, y);
  host.launch(divide, 4, 4);
  host.finish();
}

/// A kernel that writes behind its buffer, at words[1] places more, and loads from a write-only one. Exits with words[0]:
/// 1 launch.
HOST_PROGRAM_ALONE(faulty) {
  const Application host;
  std::string source =
      "kernel void beyond(global int* y, global int* w) {\n"
      "  int i = get_global_id(0);\n"
      "  y[i] = i;\n";
  for (int more = std::atoi(words[1].c_str()); more > 0; --more)
    source += "  if (i == " + std::to_string(more % 12) + ") y[" + std::to_string(more + 100) +
              "] = 0;\n";
  const Kernel beyond =
      host.kernel_of((source + "  if (i == 3) y[0] = w[0];\n}\n").c_str(), "beyond");
  const Memory y = host.buffer(40), w = host.buffer(40, CL_MEM_WRITE_ONLY);
  set(beyond, y, w);
  host.launch(beyond, 12, 4);
  host.finish();
  return std::atoi(words[0].c_str());
}

/// A kernel that writes behind its buffer in 4 launches, in the last 2 at one place more, and one that does so in 1.
HOST_PROGRAM(repeating) {
  const Program program = host.built(
      R"(kernel void beyond(global int* y, int more) {
  int i = get_global_id(0);
  y[i] = i;
  if (i < more) y[i + 100] = i;
}
kernel void once(global int* y) { y[get_global_id(0)] = 0; })");
  const Kernel beyond = host.kernel(program, "beyond"), once = host.kernel(program, "once");
  const Memory first = host.buffer(40), second = host.buffer(40);
  for (std::size_t number = 0; number < 4; ++number) {
    set(beyond, first, cl_int{number < 2 ? 0 : 3});
    host.launch(beyond, 11 + number, 1);
  }
  set(once, second);
  host.launch(once, 12, 4);
  host.finish();
}

/// A launch whose work-items want more private memory than there is: 1 launch, refused.
HOST_PROGRAM(refused) {
  const Kernel large = host.kernel_of(
      R"(kernel void large(global int* y, int n) {
  volatile char room[1000000000];
  room[n] = 1;
  y[0] = room[n];
})",
      "large");
  const Memory y = host.buffer(4);
  set(large, y, cl_int{5});
  Event event;
  CHECK(enqueue(host.queue, large, {64}, {}, {}, &event) == CL_SUCCESS);
  clFinish(host.queue);
  CHECK(status_of(event) < 0);
}

/// Program-scope variables that carry state from launch to launch: 4 launches.
HOST_PROGRAM(variables) {
  const Program program = host.built(
      R"(global int counter = 40;
global float history[4];
global int* global where = &counter;
kernel void step(global int* out, int by) {
  history[*where & 3] = *where;
  *where += by;
  *out = counter;
}
kernel void recall(global float* out) { out[get_global_id(0)] = history[get_global_id(0)]; })",
      "-cl-std=CL2.0");
  const Kernel step = host.kernel(program, "step"), recall = host.kernel(program, "recall");
  const Memory out = host.buffer(16);
  for (cl_int by = 1; by <= 3; ++by) {
    set(step, out, by);
    host.launch(step, 1);
  }
  CHECK(host.read<int>(out, 1)[0] == 46);
  set(recall, out);
  host.launch(recall, 4);
  const std::vector<float> history = host.read<float>(out, 4);
  CHECK((history[0] == 40 && history[1] == 41 && history[3] == 43));
}

/// Two queues that run at once, one of them out of order, and events between them: 21 launches.
HOST_PROGRAM(two_queues) {
  const Queue other = make_queue(host.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Program program = host.built(
      R"(kernel void square(global uint* x) { size_t i = get_global_id(0); x[i] = x[i] * x[i] + 1; }
kernel void join(global uint* a, global const uint* b) {
  size_t i = get_global_id(0); a[i] ^= b[i]; })");
  std::vector<cl_uint> data(4096);
  for (cl_uint i = 0; i < 4096; ++i) data[i] = i;
  const Memory a = host.buffer_of(data);
  const Kernel square = host.kernel(program, "square"), join = host.kernel(program, "join");
  Memory b[10];
  Event done[10];
  for (int i = 0; i < 10; ++i) {
    b[i] = host.buffer_of(data);
    set(square, b[i]);
    CHECK(enqueue(other, square, {4096}, {}, {}, &done[i]) == CL_SUCCESS);
    set(square, a);
    host.launch(square, 4096, 64);
  }
  CHECK(clFlush(other) == CL_SUCCESS);
  set(join, a, b[9]);
  CHECK(enqueue(host.queue, join, {4096}, {}, Waits(done, done + 10)) == CL_SUCCESS);
  cl_uint expected = 3;
  for (int i = 0; i < 10; ++i) expected = expected * expected + 1;
  CHECK(host.read<cl_uint>(a, 4)[3] == (expected ^ 10u));
}

/// Three processes that launch the same kernel five times each: 15 launches.
HOST_PROGRAM_ALONE(forking) {
  pid_t children[3];
  for (int c = 0; c < 3; ++c) {
    children[c] = fork();
    if (children[c] != 0) continue;
    const Application host;
    const Kernel fill = host.kernel_of(
        "kernel void fill(global int* y, int v) { y[get_global_id(0)] = v; }\n", "fill");
    const Memory y = host.buffer(400);
    for (cl_int i = 0; i < 5; ++i) {
      set(fill, y, cl_int{100 * c + i});
      host.launch(fill, 100);
    }
    host.finish();
    return 0;
  }
  int failed = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    failed |= status;
  }
  return failed != 0;
}

/// Kernels that enqueue others: 2 launches on the default queue, the second of which goes beyond its buffer. With a word, a
/// third one that takes its queue as an argument.
HOST_PROGRAM(enqueued) {
  const Queue first = host.device_queue(CL_QUEUE_ON_DEVICE_DEFAULT);
  const Program program = host.built(
      R"(kernel void halves(global int* y, int n) {
  y[get_global_id(0)] = n;
  if (get_global_id(0) != 0 || n < 2) return;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n / 2), ^{
    printf("%d of %d\n", (int)get_global_id(0), n / 2);
    halves(y, n / 2);
  });
}
kernel void to(queue_t q, global int* y) {
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{ y[get_global_id(0)] += 1; });
})",
      "-cl-std=CL3.0");
  const Kernel halves = host.kernel(program, "halves");
  const Memory y = host.buffer(8 * sizeof(cl_int));
  set(halves, y, cl_int{4});
  host.launch(halves, 4);
  set(halves, y, cl_int{20});
  host.launch(halves, 1);
  const int more = words[0].empty() ? 0 : 1;
  if (more != 0) {
    const Queue second = host.device_queue(0);
    const Kernel to = host.kernel(program, "to");
    set(to, second, y);
    host.launch(to, 1);
  }
  const std::vector<cl_int> found = host.read<cl_int>(y, 8);
  CHECK((found[0] == more + 1 && found[1] == more + 2 && found[4] == more + 5));
  CHECK((found[5] == more + 10 && found[7] == more + 10));
}

/// Queues of the device, whose sizes and whose default one the results depend on: 4 launches, each of which fills two queues
/// and the default one, and a last one that keeps queues in memory.
HOST_PROGRAM(device_queues) {
  Queue small = host.device_queue(0, 100), large = host.device_queue(0, 1024);
  const Program program = host.built(
      R"(void fill_one(queue_t q, global int* found) {
  int rc = 0, taken = 0;
  for (; taken < 20 && rc == 0; taken += rc == 0)
    rc = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ found[2] += 1; });
  found[0] = taken;
  found[1] = rc;
}
kernel void fill(queue_t first, queue_t second, global int* y) {
  fill_one(first, y);
  fill_one(second, y + 3);
  fill_one(get_default_queue(), y + 6);
}
kernel void keep(queue_t q, global queue_t* y) { y[0] = q; y[1] = get_default_queue(); })",
      "-cl-std=CL3.0");
  const Kernel fill = host.kernel(program, "fill"), keep = host.kernel(program, "keep");
  const Memory y = host.buffer(9 * sizeof(cl_int));
  using Ints = std::vector<cl_int>;
  // How many each of the three took, what the next one gave, and how many ran.
  const auto fills = [&](const Queue& first, const Queue& second) {
    const Ints zeros(9);
    CHECK(clEnqueueWriteBuffer(host.queue, y, CL_TRUE, 0, 36, zeros.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    set(fill, first, second, y);
    host.launch(fill, 1);
    return host.read<cl_int>(y, 9);
  };
  CHECK(fills(small, large) == Ints{1, -161, 1, 11, -161, 11, 0, -102, 0});
  CHECK(clSetDefaultDeviceCommandQueue(host.context, host.device, large) == CL_SUCCESS);
  CHECK(fills(small, large) == Ints{1, -161, 1, 11, -161, 11, 0, -161, 0});
  CHECK(fills(large, large) == Ints{11, -161, 11, 0, -161, 0, 0, -161, 0});
  large.drop();
  const Queue usual = host.device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 64u << 20);
  CHECK(fills(small, usual) == Ints{1, -161, 1, 20, 0, 20, 20, 0, 20});
  set(keep, small, y);
  host.launch(keep, 1);
  host.finish();
}

/// Kernels that capture the times of what they enqueue: 3 launches, of one that does, one that does not, and one whose block
/// does.
HOST_PROGRAM(captured_times) {
  const Queue on_device = host.device_queue(CL_QUEUE_ON_DEVICE_DEFAULT);
  const Program program = host.built(
      R"(void ask(clk_event_t event, global ulong* y) {
  capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, y);
  release_event(event);
}
kernel void timed(global ulong* y, global int* kept) {
  clk_event_t event;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &event,
                 ^{ y[3] = kept[0]; });
  ask(event, y + 1);
}
kernel void plain(global ulong* y, global int* kept) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ y[0] = kept[0] == 7; });
}
kernel void nested(global ulong* y, global int* kept) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    clk_event_t event;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &event,
                   ^{ y[0] = kept[0]; });
    ask(event, y + 1);
  });
})",
      "-cl-std=CL3.0");
  const Memory kept = host.buffer_of<cl_int>({7, 7});
  for (const char* const name : {"timed", "plain", "nested"}) {
    const Kernel kernel = host.kernel(program, name);
    const Memory y = host.buffer_of(std::vector<cl_ulong>(4));
    set(kernel, y, kept);
    host.launch(kernel, 1);
    const std::vector<cl_ulong> found = host.read<cl_ulong>(y, 4);
    CHECK(((found[1] != 0) == (name != std::string("plain")) && found[1] <= found[2]));
  }
}

static volatile sig_atomic_t got = 0;

/// Launches that never end, two in each queue, then one that does. The first word says what the program makes of
/// signals: "default"; "goes_on", "leaves" (with 7) and "ignores" have a handler. "threads" has a second queue with a thread of
/// its own that waits for it. The second one is how many lines each work-item prints.
HOST_PROGRAM_ALONE(hang) {
  const std::string what = words[0];
  if (what == "goes_on")
    for (const int number : {SIGINT, SIGTERM}) signal(number, [](int sent) { got = sent; });
  if (what == "leaves") signal(SIGINT, [](int) { _exit(7); });
  if (what == "ignores") signal(SIGINT, SIG_IGN);
  const Application host;
  const Kernel hang = host.kernel_of(
      R"(kernel void hang(global volatile int* y, int lines, int forever) {
  for (int i = 0; i < lines; ++i) printf("line %d\n", i);
  y[100] = 1;
  y[0] = 5;
  while (forever)
    y[1] = y[1] + 1;
})",
      "hang");
  const Memory y = host.buffer(16);
  const cl_int lines = words[1].empty() ? 1 : std::atoi(words[1].c_str());
  set(hang, y, lines, cl_int{1});
  Event event;
  CHECK(enqueue(host.queue, hang, {1}, {1}, {}, &event) == CL_SUCCESS);
  host.launch(hang, 1, 1);
  const Queue other = make_queue(host.context);
  if (what == "threads") {
    CHECK(enqueue(other, hang, {1}, {1}) == CL_SUCCESS);
    const cl_command_queue queue = other;
    std::thread([=] { std::printf("the thread's clFinish %d\n", clFinish(queue)); }).detach();
  }
  std::fprintf(stderr, "ready\n");
  // The API tells that the launch was ended.
  const cl_int finished = clFinish(host.queue);
  std::printf("clFinish %d, event %d, clWaitForEvents %d, signal %d\n", finished, status_of(event),
              clWaitForEvents(1, &event), static_cast<int>(got));
  set(hang, y, lines, cl_int{0});
  host.launch(hang, 1, 1);
  host.finish();
  std::printf("y[0] = %d\n", host.read<cl_int>(y, 4)[0]);
  return 0;
}

}  // namespace transpire::test
