// Eight threads create, build, enqueue, wait and destroy at random for some seconds, on shared
// contexts. Every command runs once or fails as its wait list did, and nothing
// hangs. For use with the thread sanitizer too.
#include <algorithm>
#include <random>
#include <thread>

#include "tests/opencl/support.h"
#include "tests/patience.h"

namespace transpire::test::stress_tests {
namespace {

constexpr auto kTime = std::chrono::seconds(5);
constexpr int kThreads = 8;
constexpr cl_uint kPackets = 256;

struct Counts {
  std::atomic<std::uint64_t> enqueued{0}, ended{0}, callbacks_wanted{0}, callbacks{0};
  std::atomic<std::uint64_t> wrong{0};             ///< results
  std::atomic<std::uint64_t> written{0}, read{0};  ///< packets of the common pipe
};

void CL_CALLBACK count_call(cl_event, cl_int, void* data) {
  ++static_cast<Counts*>(data)->callbacks;
}

/// Adds the number behind a pointer, kept in shared memory, to every element.
cl_program build_program(cl_context context) {
  const char* source =
      "typedef struct { global int *p; } Link;\n"
      "kernel void add(global int *y, global Link *link) { y[get_global_id(0)] += *link->p; }\n"
      "kernel void scan(global int *y, local int *s) {\n"
      "  int l = get_local_id(0), sum = 0;\n"
      "  s[l] = y[get_global_id(0)];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int i = 0; i <= l; ++i) sum += s[i];\n"
      "  y[get_global_id(0)] = sum;\n"
      "}\n"
      "kernel void put(write_only pipe uint p, global int *done) {\n"
      "  uint packet = get_global_id(0);\n"
      "  if (write_pipe(p, &packet) == 0) atomic_inc(done);\n"
      "}\n"
      "kernel void take(read_only pipe uint p, global int *done) {\n"
      "  uint packet = 0;\n"
      "  if (read_pipe(p, &packet) == 0) atomic_inc(done);\n"
      "}\n"
      "kernel void spread(queue_t q, global int *done, int deep) {\n"
      "  atomic_inc(done);\n"
      "  if (deep == 0) return;\n"
      "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), ^{ spread(q, done, deep - 1); "
      "});\n"
      "}\n";
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  REQUIRE(clBuildProgram(program, 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr) == CL_SUCCESS);
  return program;
}

/// A program that all threads build, at the same time too: its SPIR-V stores specialisation
/// constant 7.
cl_program specialisable_program(cl_context context) {
  const std::vector<std::uint32_t> words = specialisable_module();
  return clCreateProgramWithIL(context, words.data(), words.size() * 4, nullptr);
}

/// What all threads use: a context, two queues, programs, and events that they exchange.
struct World {
  cl_context context = make_context();
  cl_command_queue queues[2] = {make_queue(context),
                                make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  cl_program program = build_program(context);
  cl_program specialisable = specialisable_program(context);
  cl_mem pipe = clCreatePipe(context, 0, sizeof(cl_uint), kPackets, nullptr, nullptr);
  std::mutex mutex;
  std::vector<Event> events;
  Counts counts;
};

template <class... Arguments>
void set_all(cl_kernel kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (set_argument(kernel, index++, arguments), ...);
}

/// The buffer's first int, behind the command of the event.
cl_int first_of(cl_command_queue queue, cl_mem buffer, cl_event behind) {
  cl_int value = -1;
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 1, &behind, nullptr);
  return value;
}

Memory int_buffer(cl_context context, cl_int value = 0) {
  return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, nullptr);
}

/// Runs `put` or `take` on a pipe with so many work-items; how many of them could.
cl_uint move_packets(const World& world, cl_command_queue queue, const char* name, cl_mem pipe,
                     std::size_t items) {
  const Kernel kernel = clCreateKernel(world.program, name, nullptr);
  const Memory buffer = int_buffer(world.context);
  set_all(kernel, pipe, buffer);
  Event event;
  enqueue(queue, kernel, {items}, {}, {}, &event);
  return static_cast<cl_uint>(first_of(queue, buffer, event));
}

class Actor {
 public:
  Actor(World& world, unsigned seed) : world_(world), random_(seed) {
    own_ = make_queue(world.context, pick(2) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    buffer_ = clCreateBuffer(world.context, 0, 4096, nullptr, nullptr);
  }
  void act() {
    using Act = void (Actor::*)();
    constexpr Act kActs[] = {&Actor::wait_for_one,    &Actor::flush,        &Actor::finish,
                             &Actor::renew,           &Actor::user_event,   &Actor::order,
                             &Actor::transfer,        &Actor::ask,          &Actor::launch_add,
                             &Actor::launch_scan,     &Actor::build_shared, &Actor::build_own,
                             &Actor::use_sub_device,  &Actor::use_pipe,     &Actor::use_common_pipe,
                             &Actor::use_device_queue};
    const unsigned picked = pick(21);
    if (picked < std::size(kActs))
      (this->*kActs[picked])();
    else
      enqueue_counting();
  }

 private:
  unsigned pick(unsigned of) { return static_cast<unsigned>(random_() % of); }
  cl_command_queue queue() {
    return pick(3) == 0 ? cl_command_queue{own_} : world_.queues[pick(2)];
  }

  /// Some events of the others', retained.
  std::vector<Event> borrow(unsigned most) {
    const std::lock_guard lock(world_.mutex);
    std::vector<Event> list;
    for (unsigned n = pick(most + 1); n != 0 && !world_.events.empty(); --n) {
      const cl_event event = world_.events[pick(static_cast<unsigned>(world_.events.size()))];
      clRetainEvent(event);
      list.emplace_back(event);
    }
    return list;
  }
  static Waits handles(const std::vector<Event>& events) { return {events.begin(), events.end()}; }
  void share(Event event) {
    const std::lock_guard lock(world_.mutex);
    if (world_.events.size() < 64)
      world_.events.push_back(std::move(event));
    else
      std::swap(world_.events[pick(64)], event);
  }

  void flush() { clFlush(queue()); }
  void finish() { clFinish(pick(8) ? cl_command_queue{own_} : queue()); }
  void enqueue_counting() {
    Counts& counts = world_.counts;
    ++counts.enqueued;
    Event event = enqueue_call(
        queue(), [&counts] { ++counts.ended; }, handles(borrow(3)));
    if (pick(4) == 0) {
      ++counts.callbacks_wanted;
      const cl_int moments[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
      clSetEventCallback(event, moments[pick(3)], count_call, &counts);
    }
    share(std::move(event));
  }
  void wait_for_one() {
    const std::vector<Event> events = borrow(2);
    if (!events.empty()) clWaitForEvents(static_cast<cl_uint>(events.size()), &events[0]);
  }
  void renew() {
    own_ = make_queue(world_.context, pick(2) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  }
  void user_event() {
    const Event user = clCreateUserEvent(world_.context, nullptr);
    Counts& counts = world_.counts;
    ++counts.enqueued;
    Event event = enqueue_call(own_, [&counts] { ++counts.ended; }, {user});
    if (pick(2)) clFlush(own_);
    clSetUserEventStatus(user, CL_COMPLETE);
    share(std::move(event));
  }
  void order() {
    Event event;
    if (pick(2))
      clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &event);
    else
      clEnqueueBarrierWithWaitList(queue(), 0, nullptr, &event);
    share(std::move(event));
  }
  void transfer() {
    int value = 0;
    issue(clEnqueueFillBuffer, own_, buffer_, &value, sizeof value, 0, 4096);
    clFinish(own_);
    issue(clEnqueueReadBuffer, own_, buffer_, CL_TRUE, 0, sizeof value, &value);
    void* const mapped = clEnqueueMapBuffer(own_, buffer_, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr,
                                            nullptr, nullptr);
    issue(clEnqueueUnmapMemObject, own_, buffer_, mapped);
    if (pick(4) == 0) buffer_ = clCreateBuffer(world_.context, 0, 4096, nullptr, nullptr);
  }
  /// Its argument leads to the number by shared memory, which comes and goes with the launch.
  void launch_add() {
    struct Link {
      int* number;
    };
    const cl_context context = world_.context;
    auto* const number = static_cast<int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 4, 0));
    auto* const link = static_cast<Link*>(clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(Link), 0));
    *number = 3;
    link->number = number;
    std::vector<int> values(64, 4);
    Event event;
    {
      Kernel add = clCreateKernel(world_.program, "add", nullptr);
      const Memory buffer =
          clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 256, values.data(), nullptr);
      set_all(add, buffer, Shared{link});
      enqueue(own_, add, {64}, {}, {}, &event);
      add.drop();
      clEnqueueReadBuffer(own_, buffer, CL_TRUE, 0, 256, values.data(), 1, &event, nullptr);
    }
    share(std::move(event));
    clSVMFree(context, link);
    clSVMFree(context, number);
    world_.counts.wrong += std::count(values.begin(), values.end(), 7) != 64;
  }
  /// Nobody waits for it, and its buffer is released at once.
  void launch_scan() {
    const Kernel scan = clCreateKernel(world_.program, "scan", nullptr);
    const Memory buffer = clCreateBuffer(world_.context, 0, 1024, nullptr, nullptr);
    set_all(scan, buffer, Local{64});
    Event event;
    enqueue(queue(), scan, {256}, {16}, handles(borrow(2)), &event);
    share(std::move(event));
  }
  /// Runs one work-item of a kernel with a buffer of one int; its value afterwards.
  static cl_int run_one(cl_context context, cl_command_queue queue, cl_kernel kernel) {
    const Memory buffer = int_buffer(context, -1);
    set_all(kernel, buffer);
    Event event;
    clEnqueueTask(queue, kernel, 0, nullptr, &event);
    return first_of(queue, buffer, event);
  }
  /// Nobody else has it: what is put in, and fits, comes out.
  void use_pipe() {
    const Memory pipe = clCreatePipe(world_.context, 0, sizeof(cl_uint), 100, nullptr, nullptr);
    world_.counts.wrong += move_packets(world_, own_, "put", pipe, 60) != 60 ||
                           move_packets(world_, own_, "put", pipe, 60) != 40 ||
                           move_packets(world_, own_, "take", pipe, 300) != 100;
  }
  /// Others put in and take out at the same time.
  void use_common_pipe() {
    const bool puts = pick(2) != 0;
    const cl_uint done =
        move_packets(world_, queue(), puts ? "put" : "take", world_.pipe, 1 + pick(kPackets));
    (puts ? world_.counts.written : world_.counts.read) += done;
  }
  /// Its own, or the default one, which others make, replace and let go of at the same time.
  void use_device_queue() {
    Queue on_device =
        make_queue(world_.context, kOnDevice | (pick(2) ? CL_QUEUE_ON_DEVICE_DEFAULT : 0));
    world_.counts.wrong += on_device == nullptr;
    if (pick(4) == 0) clSetDefaultDeviceCommandQueue(world_.context, the_device(), on_device);
    cl_command_queue found = nullptr;
    clGetCommandQueueInfo(own_, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, nullptr);
    const cl_int deep = static_cast<cl_int>(pick(4));
    cl_int wanted = 0;
    for (cl_int level = 0, width = 1; level <= deep; ++level, width *= 3) wanted += width;
    Kernel spread = clCreateKernel(world_.program, "spread", nullptr);
    const Memory buffer = int_buffer(world_.context);
    set_all(spread, on_device, buffer, deep);
    Event event;
    clEnqueueTask(queue(), spread, 0, nullptr, &event);
    spread.drop();
    on_device.drop();
    world_.counts.wrong += first_of(own_, buffer, event) != wanted;
    share(std::move(event));
  }
  /// Others do the same: a program that is being built, or has kernels, cannot be built.
  void build_shared() {
    const cl_program program = world_.specialisable;
    const cl_uint value = 100 + pick(8);
    clSetProgramSpecializationConstant(program, 7, sizeof value, &value);
    const cl_int built = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    if (built != CL_SUCCESS && built != CL_INVALID_OPERATION) ++world_.counts.wrong;
    char log[64];
    clGetProgramBuildInfo(program, the_device(), CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
    std::size_t kernels = 0;
    clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr);
    const Kernel kernel = clCreateKernel(program, "k", nullptr);
    if (kernel == nullptr) return;
    const cl_int stored = run_one(world_.context, queue(), kernel);
    if (stored < 100 || stored >= 108) ++world_.counts.wrong;
  }
  /// From source: there are few, which the cache knows after the first time.
  void build_own() {
    const cl_int wanted = static_cast<cl_int>(pick(3));
    const std::string text =
        "kernel void k(global int *a) { a[0] = " + std::to_string(wanted) + "; }";
    const char* source = text.c_str();
    Program program = clCreateProgramWithSource(world_.context, 1, &source, nullptr, nullptr);
    clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    const Kernel kernel = clCreateKernel(program, "k", nullptr);
    program.drop();
    world_.counts.wrong += run_one(world_.context, own_, kernel) != wanted;
  }
  /// A part of the machine, with a context of its own; released in any order.
  void use_sub_device() {
    const cl_device_partition_property two[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 2, 0, 0};
    cl_device_id parts[2] = {};
    world_.counts.wrong += clCreateSubDevices(the_device(), two, 2, parts, nullptr) != CL_SUCCESS;
    const cl_context context = clCreateContext(nullptr, 2, parts, nullptr, nullptr, nullptr);
    const Queue queue =
        clCreateCommandQueueWithProperties(context, parts[pick(2)], nullptr, nullptr);
    const cl_program program = specialisable_program(context);
    clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    const Kernel kernel = clCreateKernel(program, "k", nullptr);
    std::vector<std::function<void()>> releases = {
        [=] { clReleaseDevice(parts[0]); }, [=] { clReleaseDevice(parts[1]); },
        [=] { clReleaseContext(context); }, [=] { clReleaseProgram(program); }};
    std::shuffle(releases.begin(), releases.end(), random_);
    // The queue and the kernel keep what they need, even the context that run_one names.
    const std::size_t before = pick(2);
    if (before == 1) {
      clRetainContext(context);
      releases[0]();
    }
    world_.counts.wrong += run_one(context, queue, kernel) != 42;
    if (before == 1) clReleaseContext(context);
    for (std::size_t i = before; i < releases.size(); ++i) releases[i]();
  }
  void ask() {
    for (const Event& event : borrow(2)) status_of(event);
  }

  World& world_;
  std::mt19937 random_;
  Queue own_;
  Memory buffer_;
};

/// No packet got lost, and none came twice.
void empty_pipe(World& world) {
  world.counts.read += move_packets(world, world.queues[0], "take", world.pipe, kPackets);
  CHECK(world.counts.read == world.counts.written);
}

/// Lets go of everything in a random order, and the commands run all the same.
void destroy(World& world, std::mt19937& random) {
  std::vector<std::function<void()>> releases = {[&] { clReleaseContext(world.context); },
                                                 [&] { clReleaseCommandQueue(world.queues[0]); },
                                                 [&] { clReleaseCommandQueue(world.queues[1]); },
                                                 [&] { clReleaseProgram(world.program); },
                                                 [&] { clReleaseProgram(world.specialisable); },
                                                 [&] { clReleaseMemObject(world.pipe); },
                                                 [&] { world.events.clear(); }};
  std::shuffle(releases.begin(), releases.end(), random);
  for (const auto& release : releases) release();
  const Counts& counts = world.counts;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while ((counts.ended != counts.enqueued || counts.callbacks != counts.callbacks_wanted) &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(counts.ended == counts.enqueued);
  CHECK(counts.callbacks == counts.callbacks_wanted);
  CHECK(counts.wrong == 0);
}

TEST_CASE("stress: eight threads") {
  std::mt19937 random(4);
  constexpr std::uint64_t kCommands = 100;
  const auto start = std::chrono::steady_clock::now();
  const auto end = start + kTime, latest = start + 20 * kTime;  // on an emulated machine
  std::uint64_t commands = 0;
  while (std::chrono::steady_clock::now() < (commands > kCommands ? end : latest)) {
    const auto world = std::make_unique<World>();
    const auto round_end = std::chrono::steady_clock::now() + std::chrono::milliseconds(250);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, seed = random()] {
        Actor actor(*world, static_cast<unsigned>(seed));
        while (std::chrono::steady_clock::now() < round_end) actor.act();
      });
    for (std::thread& thread : threads) thread.join();
    empty_pipe(*world);
    destroy(*world, random);
    commands += world->counts.enqueued;
  }
  CHECK(commands > kCommands);
}

}  // namespace
}  // namespace transpire::test::stress_tests
