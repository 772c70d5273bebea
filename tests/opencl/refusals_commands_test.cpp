// Bad arguments of commands. OpenCL 2.2 API, sections 5.2, 5.5, 5.6 and 5.12 to 5.15.
#include "tests/opencl/refusals.h"

namespace transpire::test::refusals_commands_tests {
namespace {

constexpr std::size_t kBytes = 1024;
constexpr std::size_t kZero[3] = {}, kOne[3] = {1, 1, 1}, kFour[3] = {4, 4, 4};

void do_nothing(void*) {}
void CL_CALLBACK ignore_free(cl_command_queue, cl_uint, void**, void*) {}

struct Commands : Setup {
  Memory memory = buffer(kBytes), other = buffer(kBytes);
  Memory host_reads = buffer(kBytes, CL_MEM_HOST_READ_ONLY);
  Memory host_writes = buffer(kBytes, CL_MEM_HOST_WRITE_ONLY);
  Memory no_host = buffer(kBytes, CL_MEM_HOST_NO_ACCESS);
  Memory first = sub_buffer(memory, 0, 512), second = sub_buffer(memory, 128, 512);
  mutable char data[2 * kBytes] = {};

  /// Reads and writes that the host's access forbids.
  void check_host_access(const Calls& calls, const char* read, const char* write) const {
    calls.refuse(CL_INVALID_OPERATION, read, {{"buffer", {host_writes, no_host}}});
    calls.refuse(CL_INVALID_OPERATION, write, {{"buffer", {host_reads, no_host}}});
  }
};

/// Shared virtual memory of the context.
struct SharedCommands : Commands {
  char* const memory = static_cast<char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0));
  SharedCommands() { REQUIRE(memory != nullptr); }
  ~SharedCommands() {
    clFinish(queue);
    clSVMFree(context, memory);
  }
};

/// Patterns of fills that are none: their address and size, where to and how much.
void refuse_patterns(const Calls& calls, const void* pattern) {
  calls.refuse(CL_INVALID_VALUE, {{"pattern", {nullptr, pattern, pattern, pattern, pattern}},
                                  {"pattern_size", {4, 0, 3, 256, 4}},
                                  {"size", {4, 4, 3, 256, 6}}});
}

TEST_CASE("refusals: reading and writing") {
  const Commands setup;
  const Arguments usual{setup.queue, setup.memory, CL_TRUE, 0, 4, setup.data};
  const Calls calls{
      Call(NAMED(clEnqueueReadBuffer), "queue buffer blocking offset size data", usual),
      Call(NAMED(clEnqueueWriteBuffer), "queue buffer blocking offset size data", usual),
  };
  calls.check(setup);
  setup.check_host_access(calls, "clEnqueueReadBuffer", "clEnqueueWriteBuffer");
  calls.refuse(CL_INVALID_VALUE, {{"offset", {kBytes + 1, kBytes + 1, 1, 8, SIZE_MAX}},
                                  {"size", {1, 0, kBytes, SIZE_MAX, 2}}});
  calls.refuse(CL_INVALID_VALUE, {{"data", nullptr}});
}

TEST_CASE("refusals: rectangles") {
  const Commands setup;
  constexpr const char* kParameters =
      "queue buffer blocking origin host_origin region row slice host_row host_slice data";
  const Arguments usual{setup.queue, setup.memory, CL_TRUE, kZero, kZero, kOne, 0, 0, 0,
                        0,           setup.data};
  const Calls calls{
      Call(NAMED(clEnqueueReadBufferRect), kParameters, usual),
      Call(NAMED(clEnqueueWriteBufferRect), kParameters, usual),
      CALL(clEnqueueCopyBufferRect,
           "queue from to origin host_origin region row slice host_row host_slice", setup.queue,
           setup.memory, setup.other, kZero, kZero, kOne, 0, 0, 0, 0),
  };
  calls.check(setup);
  setup.check_host_access(calls, "clEnqueueReadBufferRect", "clEnqueueWriteBufferRect");
  constexpr std::size_t kFar[3] = {kBytes, 0, 0}, kLast[3] = {0, 0, SIZE_MAX};
  constexpr std::size_t kHalf[3] = {0, SIZE_MAX / 2, 0}, kAlmost[3] = {1, 0, 0};
  constexpr std::size_t kFlat[][3] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, kAll1[3] = {kBytes, 1, 1};
  calls.refuse(CL_INVALID_VALUE, {{"data", nullptr}});
  calls.refuse(CL_INVALID_VALUE, {{"origin", {kFar, nullptr}}});
  calls.refuse(CL_INVALID_VALUE, {{"host_origin", nullptr}});
  calls.refuse(CL_INVALID_VALUE, "clEnqueueCopyBufferRect", {{"host_origin", kFar}});
  calls.refuse(CL_INVALID_VALUE, {{"region", {nullptr, kFlat[0], kFlat[1], kFlat[2]}}});
  calls.refuse(
      CL_INVALID_VALUE,
      {{"origin", {kAlmost, kLast, kHalf}}, {"region", {kAll1, kFour, kFour}}, {"row", {0, 0, 8}}});
  // Pitches of rows and slices that are too small, and of slices that are no multiple of the rows'.
  calls.refuse(CL_INVALID_VALUE, {{"region", kFour}, {"row", {3, 8, 8}}, {"slice", {0, 24, 36}}});
  calls.refuse(CL_INVALID_VALUE,
               {{"region", kFour}, {"host_row", {3, 8, 8}}, {"host_slice", {0, 24, 36}}});
}

TEST_CASE("refusals: rectangles that overlap") {
  const Commands setup;
  const Calls calls{CALL(
      clEnqueueCopyBufferRect, "queue from to origin to_origin region row slice to_row to_slice",
      setup.queue, setup.memory, setup.other, kZero, kZero, kFour, 8, 64, 8, 64)};
  calls.accept();
  constexpr std::size_t kLow[3] = {0, 60, 0};
  calls.refuse(CL_INVALID_VALUE,
               {{"to", setup.memory}, {"to_origin", kFour}, {"to_row", 16}, {"to_slice", 128}});
  calls.refuse(CL_INVALID_VALUE, {{"to", setup.second}, {"to_origin", kLow}});
  calls.refuse(CL_MEM_COPY_OVERLAP, {{"to", setup.memory}, {"to_origin", kOne}});
  calls.refuse(CL_MEM_COPY_OVERLAP, {{"from", setup.first}, {"to", setup.second}});
}

TEST_CASE("refusals: copying and filling") {
  const Commands setup;
  const Calls calls{
      CALL(clEnqueueCopyBuffer, "queue from to source target bytes", setup.queue, setup.memory,
           setup.other, 0, 0, 4),
      CALL(clEnqueueFillBuffer, "queue buffer pattern pattern_size offset size", setup.queue,
           setup.memory, setup.data, 4, 0, 4),
      CALL(clEnqueueMigrateMemObjects, "queue count list flags", setup.queue, 1, &setup.memory, 0),
  };
  calls.check(setup);
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"list", bad_lists<cl_mem>()}});
  calls.refuse(CL_INVALID_CONTEXT, {{"list", &setup.foreign_buffer}});
  calls.refuse(CL_INVALID_VALUE, {{"list", nullptr}});
  calls.refuse(CL_INVALID_VALUE, {{"count", 0}});
  calls.refuse(CL_INVALID_VALUE, {{"flags", 1u << 20}});
  calls.refuse(CL_INVALID_VALUE, {{"source", {kBytes + 1, 0, 1, 0, 8}},
                                  {"target", {0, kBytes + 1, 0, 1, 0}},
                                  {"bytes", {0, 0, kBytes, kBytes, SIZE_MAX}}});
  calls.refuse(CL_INVALID_VALUE, "clEnqueueFillBuffer",
               {{"offset", {kBytes + 4, kBytes, 4, 2}}, {"size", {4, 4, kBytes, 4}}});
  refuse_patterns(calls, setup.data);
  calls.refuse(CL_MEM_COPY_OVERLAP,
               {{"from", {setup.memory, setup.memory, setup.first, setup.first, setup.memory}},
                {"to", {setup.memory, setup.memory, setup.first, setup.second, setup.second}},
                {"source", {0, 99, 0, 0, 0}},
                {"target", {99, 0, 1, 0, 0}},
                {"bytes", {100, 100, 2, 129, 129}}});
}

TEST_CASE("refusals: maps") {
  const Commands setup;
  constexpr cl_map_flags kInvalidate = CL_MAP_WRITE_INVALIDATE_REGION;
  const Calls calls{CALL(clEnqueueMapBuffer, "queue buffer blocking flags offset size", setup.queue,
                         setup.memory, CL_TRUE, CL_MAP_READ, 0, 4)};
  calls.check(setup);
  calls.refuse(CL_INVALID_VALUE, {{"offset", {1, kBytes + 1, 0}}, {"size", {kBytes, 1, 0}}});
  calls.refuse(
      CL_INVALID_VALUE,
      {{"flags", {1u << 20, 1u << 10, CL_MAP_WRITE | kInvalidate, CL_MAP_READ | kInvalidate}}});
  calls.refuse(CL_INVALID_OPERATION, {{"buffer", {setup.host_writes, setup.no_host}}});
  calls.refuse(CL_INVALID_OPERATION,
               {{"buffer", {setup.host_reads, setup.host_reads, setup.no_host}},
                {"flags", {CL_MAP_WRITE, kInvalidate, CL_MAP_WRITE}}});
}

TEST_CASE("refusals: memory that is mapped") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  char* const mapped = static_cast<char*>(clEnqueueMapBuffer(q, setup.memory, CL_TRUE, CL_MAP_WRITE,
                                                             0, 64, 0, nullptr, nullptr, nullptr));
  REQUIRE(mapped != nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, setup.memory, CL_TRUE, CL_MAP_WRITE,
                  63, 4, 0, nullptr, nullptr);
  const Calls calls{CALL(clEnqueueUnmapMemObject, "queue buffer pointer", q, setup.memory, mapped)};
  calls.refuse_by_name(setup);
  calls.refuse(CL_INVALID_VALUE, {{"pointer", {setup.data, nullptr, mapped + 1}}});
  calls.refuse(CL_INVALID_VALUE, {{"buffer", setup.other}});
  CHECK(info<cl_uint>(clGetMemObjectInfo, setup.memory, CL_MEM_MAP_COUNT) == 1);
  calls.accept();
  calls.refuse(CL_INVALID_VALUE, {{"pointer", mapped}});
  clFinish(q);
}

TEST_CASE("refusals: shared virtual memory") {
  const SharedCommands setup;
  const cl_context context = setup.context;
  const auto largest = static_cast<std::size_t>(
      info<cl_ulong>(clGetDeviceInfo, setup.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  setup.memory[0] = 7;
  for (const cl_context none : bad<cl_context>()) {
    GIVES_NULL(clSVMAlloc, none, CL_MEM_READ_WRITE, 64, 0);
    IGNORES(clSVMFree, none, setup.memory);
  }
  GIVES_NULL(clSVMAlloc, context, 1u << 20, 64, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_SVM_ATOMICS, 64, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_USE_HOST_PTR, 64, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, 0, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, largest + 1, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, SIZE_MAX, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, 64, 3);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, 64, 256);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, 64, 1u << 30);
  IGNORES(clSVMFree, context, nullptr);
  IGNORES(clSVMFree, context, setup.data);
  IGNORES(clSVMFree, context, setup.memory + 8);
  CHECK(setup.memory[0] == 7);
}

TEST_CASE("refusals: commands on shared virtual memory") {
  const SharedCommands setup;
  const cl_command_queue q = setup.queue;
  char* const memory = setup.memory;
  void* pointers[] = {clSVMAlloc(setup.context, CL_MEM_READ_WRITE, 64, 0)};
  const void *constant[] = {memory}, *outside[] = {setup.data};
  const std::size_t too_long = kBytes + 1;
  const Calls calls{
      CALL(clEnqueueSVMFree, "queue free_count pointers function user", q, 1, pointers, ignore_free,
           nullptr),
      CALL(clEnqueueSVMMemcpy, "queue blocking target source size", q, CL_TRUE, memory, memory + 64,
           4),
      CALL(clEnqueueSVMMemFill, "queue svm pattern pattern_size size", q, memory, setup.data, 4, 4),
      CALL(clEnqueueSVMMap, "queue blocking map_flags svm map_size", q, CL_TRUE, CL_MAP_READ,
           memory, 4),
      CALL(clEnqueueSVMUnmap, "queue svm", q, memory),
      CALL(clEnqueueSVMMigrateMem, "queue count list sizes flags", q, 1, constant, nullptr, 0),
  };
  calls.check(setup);
  calls.refuse(CL_INVALID_VALUE, {{"free_count", {0, 1}}, {"pointers", {pointers, nullptr}}});
  calls.refuse(CL_INVALID_VALUE, {{"target", {nullptr, memory}}, {"source", {memory, nullptr}}});
  calls.refuse(CL_MEM_COPY_OVERLAP,
               {{"target", {memory, memory + 3}}, {"source", {memory + 3, memory}}});
  refuse_patterns(calls, setup.data);
  calls.refuse(CL_INVALID_VALUE, "clEnqueueSVMMemFill", {{"svm", memory + 2}});
  calls.refuse(CL_INVALID_VALUE, {{"svm", nullptr}});
  calls.refuse(CL_INVALID_VALUE, {{"map_size", 0}});
  calls.refuse(CL_INVALID_VALUE, {{"map_flags", {1u << 20, 1u << 10}}});
  calls.refuse(CL_INVALID_VALUE, {{"count", 0}, {"list", constant}});
  calls.refuse(CL_INVALID_VALUE, {{"list", {nullptr, outside}}});
  calls.refuse(CL_INVALID_VALUE, {{"sizes", &too_long}});
  calls.refuse(CL_INVALID_VALUE, {{"flags", 1u << 20}});
}

TEST_CASE("refusals: markers and barriers") {
  const Commands setup;
  const Event done = enqueue_call(setup.queue, [] {});
  Event event;
  const Calls calls{
      CALL(clEnqueueMarkerWithWaitList, "queue", setup.queue),
      CALL(clEnqueueBarrierWithWaitList, "queue", setup.queue),
      CALL(clEnqueueMarker, "queue marker", setup.queue, &event),
      CALL(clEnqueueBarrier, "queue", setup.queue),
      CALL(clEnqueueWaitForEvents, "queue count list", setup.queue, 1, &done),
  };
  calls.check(setup);
  calls.refuse(CL_INVALID_VALUE, {{"marker", nullptr}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {0, 1}}, {"list", {&done, nullptr}}});
  calls.refuse(CL_INVALID_CONTEXT, {{"list", &setup.foreign_event}});
  calls.refuse(CL_INVALID_EVENT, {{"list", bad_lists<cl_event>()}});
}

TEST_CASE("refusals: native kernels") {
  const Commands setup;
  char* const data = setup.data;
  const void *locations[] = {data}, *outside[] = {data + 4}, *behind[] = {data + 8};
  const Calls calls{CALL(clEnqueueNativeKernel,
                         "queue function arguments size count list locations", setup.queue,
                         do_nothing, data, 8, 1, &setup.memory, locations)};
  calls.check(setup);
  calls.refuse(CL_INVALID_VALUE, {{"function", nullptr}});
  calls.refuse(CL_INVALID_VALUE, {{"arguments", {nullptr, nullptr, data}},
                                  {"size", {8, 0, 0}},
                                  {"count", {0, 1, 0}},
                                  {"list", {nullptr, &setup.memory, nullptr}},
                                  {"locations", {nullptr, locations, nullptr}}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {1, 1, 0, 0}},
                                  {"list", {nullptr, &setup.memory, &setup.memory, nullptr}},
                                  {"locations", {locations, nullptr, nullptr, locations}}});
  calls.refuse(CL_INVALID_VALUE, {{"locations", {outside, behind}}});
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"list", bad_lists<cl_mem>()[1]}});
  calls.refuse(CL_INVALID_CONTEXT, {{"list", &setup.foreign_buffer}});
  // Without a function nothing else is wrong with no arguments at all.
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, setup.queue, nullptr, nullptr, 0, 0, nullptr,
          nullptr, 0, nullptr, nullptr);
}

}  // namespace
}  // namespace transpire::test::refusals_commands_tests
