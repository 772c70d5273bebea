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

TEST_CASE_FIXTURE(Commands, "refusals: reading and writing") {
  const Arguments usual{queue, memory, CL_TRUE, 0, 4, data};
  const Calls calls = checked(
      *this, {
                 Call(NAMED(clEnqueueReadBuffer), "queue buffer blocking offset size data", usual),
                 Call(NAMED(clEnqueueWriteBuffer), "queue buffer blocking offset size data", usual),
             });
  check_host_access(calls, "clEnqueueReadBuffer", "clEnqueueWriteBuffer");
  calls.refuse(CL_INVALID_VALUE, {{"offset", {kBytes + 1, kBytes + 1, 1, 8, SIZE_MAX}},
                                  {"size", {1, 0, kBytes, SIZE_MAX, 2}}});
  calls.refuse(CL_INVALID_VALUE, {{"data", nullptr}});
}

TEST_CASE_FIXTURE(Commands, "refusals: rectangles") {
  constexpr const char* kParameters =
      "queue buffer blocking origin host_origin region row slice host_row host_slice data";
  const Arguments usual{queue, memory, CL_TRUE, kZero, kZero, kOne, 0, 0, 0, 0, data};
  const Calls calls = checked(
      *this, {
                 Call(NAMED(clEnqueueReadBufferRect), kParameters, usual),
                 Call(NAMED(clEnqueueWriteBufferRect), kParameters, usual),
                 CALL(clEnqueueCopyBufferRect,
                      "queue from to origin host_origin region row slice host_row host_slice",
                      queue, memory, other, kZero, kZero, kOne, 0, 0, 0, 0),
             });
  check_host_access(calls, "clEnqueueReadBufferRect", "clEnqueueWriteBufferRect");
  constexpr std::size_t kFar[3] = {kBytes, 0, 0}, kLast[3] = {0, 0, SIZE_MAX};
  constexpr std::size_t kHalf[3] = {0, SIZE_MAX / 2, 0}, kAlmost[3] = {1, 0, 0};
  constexpr std::size_t kFlat[][3] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, kAll1[3] = {kBytes, 1, 1};
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"data", nullptr}, {"origin", {kFar, nullptr}}, {"host_origin", nullptr}});
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

TEST_CASE_FIXTURE(Commands, "refusals: rectangles that overlap") {
  const Calls calls{CALL(clEnqueueCopyBufferRect,
                         "queue from to origin to_origin region row slice to_row to_slice", queue,
                         memory, other, kZero, kZero, kFour, 8, 64, 8, 64)};
  calls.accept();
  constexpr std::size_t kLow[3] = {0, 60, 0};
  calls.refuse(CL_INVALID_VALUE,
               {{"to", memory}, {"to_origin", kFour}, {"to_row", 16}, {"to_slice", 128}});
  calls.refuse(CL_INVALID_VALUE, {{"to", second}, {"to_origin", kLow}});
  calls.refuse(CL_MEM_COPY_OVERLAP, {{"to", memory}, {"to_origin", kOne}});
  calls.refuse(CL_MEM_COPY_OVERLAP, {{"from", first}, {"to", second}});
}

TEST_CASE_FIXTURE(Commands, "refusals: copying and filling") {
  const Calls calls = checked(
      *this, {
                 CALL(clEnqueueCopyBuffer, "queue from to source target bytes", queue, memory,
                      other, 0, 0, 4),
                 CALL(clEnqueueFillBuffer, "queue buffer pattern pattern_size offset size", queue,
                      memory, data, 4, 0, 4),
                 CALL(clEnqueueMigrateMemObjects, "queue count list flags", queue, 1, &memory, 0),
             });
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"list", bad_lists<cl_mem>()}});
  calls.refuse(CL_INVALID_CONTEXT, {{"list", &foreign_buffer}});
  calls.refuse_each(CL_INVALID_VALUE, {{"list", nullptr}, {"count", 0}, {"flags", 1u << 20}});
  calls.refuse(CL_INVALID_VALUE, {{"source", {kBytes + 1, 0, 1, 0, 8}},
                                  {"target", {0, kBytes + 1, 0, 1, 0}},
                                  {"bytes", {0, 0, kBytes, kBytes, SIZE_MAX}}});
  calls.refuse(CL_INVALID_VALUE, "clEnqueueFillBuffer",
               {{"offset", {kBytes + 4, kBytes, 4, 2}}, {"size", {4, 4, kBytes, 4}}});
  refuse_patterns(calls, data);
  calls.refuse(CL_MEM_COPY_OVERLAP, {{"from", {memory, memory, first, first, memory}},
                                     {"to", {memory, memory, first, second, second}},
                                     {"source", {0, 99, 0, 0, 0}},
                                     {"target", {99, 0, 1, 0, 0}},
                                     {"bytes", {100, 100, 2, 129, 129}}});
}

TEST_CASE_FIXTURE(Commands, "refusals: maps") {
  constexpr cl_map_flags kInvalidate = CL_MAP_WRITE_INVALIDATE_REGION;
  const Calls calls =
      checked(*this, {CALL(clEnqueueMapBuffer, "queue buffer blocking flags offset size", queue,
                           memory, CL_TRUE, CL_MAP_READ, 0, 4)});
  calls.refuse(CL_INVALID_VALUE, {{"offset", {1, kBytes + 1, 0}}, {"size", {kBytes, 1, 0}}});
  calls.refuse(
      CL_INVALID_VALUE,
      {{"flags", {1u << 20, 1u << 10, CL_MAP_WRITE | kInvalidate, CL_MAP_READ | kInvalidate}}});
  calls.refuse(CL_INVALID_OPERATION, {{"buffer", {host_writes, no_host}}});
  calls.refuse(CL_INVALID_OPERATION, {{"buffer", {host_reads, host_reads, no_host}},
                                      {"flags", {CL_MAP_WRITE, kInvalidate, CL_MAP_WRITE}}});
}

TEST_CASE_FIXTURE(Commands, "refusals: memory that is mapped") {
  const cl_command_queue q = queue;
  char* const mapped = static_cast<char*>(
      clEnqueueMapBuffer(q, memory, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, nullptr));
  REQUIRE(mapped != nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, memory, CL_TRUE, CL_MAP_WRITE, 63, 4,
                  0, nullptr, nullptr);
  const Calls calls{CALL(clEnqueueUnmapMemObject, "queue buffer pointer", q, memory, mapped)};
  calls.refuse_by_name(*this);
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"pointer", {data, nullptr, mapped + 1}}, {"buffer", other}});
  CHECK(info<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT) == 1);
  calls.accept();
  calls.refuse(CL_INVALID_VALUE, {{"pointer", mapped}});
  clFinish(q);
}

TEST_CASE_FIXTURE(SharedCommands, "refusals: shared virtual memory") {
  const auto largest = static_cast<std::size_t>(
      info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  memory[0] = 7;
  for (const cl_context none : bad<cl_context>()) {
    GIVES_NULL(clSVMAlloc, none, CL_MEM_READ_WRITE, 64, 0);
    IGNORES(clSVMFree, none, memory);
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
  IGNORES(clSVMFree, context, data);
  IGNORES(clSVMFree, context, memory + 8);
  CHECK(memory[0] == 7);
}

TEST_CASE_FIXTURE(SharedCommands, "refusals: commands on shared virtual memory") {
  const cl_command_queue q = queue;
  void* pointers[] = {clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0)};
  const void *constant[] = {memory}, *outside[] = {data};
  const std::size_t too_long = kBytes + 1;
  const Calls calls = checked(
      *this,
      {
          CALL(clEnqueueSVMFree, "queue free_count pointers function user", q, 1, pointers,
               ignore_free, nullptr),
          CALL(clEnqueueSVMMemcpy, "queue blocking target source size", q, CL_TRUE, memory,
               memory + 64, 4),
          CALL(clEnqueueSVMMemFill, "queue svm pattern pattern_size size", q, memory, data, 4, 4),
          CALL(clEnqueueSVMMap, "queue blocking map_flags svm map_size", q, CL_TRUE, CL_MAP_READ,
               memory, 4),
          CALL(clEnqueueSVMUnmap, "queue svm", q, memory),
          CALL(clEnqueueSVMMigrateMem, "queue count list sizes flags", q, 1, constant, nullptr, 0),
      });
  calls.refuse(CL_INVALID_VALUE, {{"free_count", {0, 1}}, {"pointers", {pointers, nullptr}}});
  calls.refuse(CL_INVALID_VALUE, {{"target", {nullptr, memory}}, {"source", {memory, nullptr}}});
  calls.refuse(CL_MEM_COPY_OVERLAP,
               {{"target", {memory, memory + 3}}, {"source", {memory + 3, memory}}});
  refuse_patterns(calls, data);
  calls.refuse(CL_INVALID_VALUE, "clEnqueueSVMMemFill", {{"svm", memory + 2}});
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"svm", nullptr}, {"map_size", 0}, {"map_flags", {1u << 20, 1u << 10}}});
  calls.refuse(CL_INVALID_VALUE, {{"count", 0}, {"list", constant}});
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"list", {nullptr, outside}}, {"sizes", &too_long}, {"flags", 1u << 20}});
}

TEST_CASE_FIXTURE(Commands, "refusals: markers and barriers") {
  const Event done = enqueue_call(queue, [] {});
  Event event;
  const Calls calls =
      checked(*this, {
                         CALL(clEnqueueMarkerWithWaitList, "queue", queue),
                         CALL(clEnqueueBarrierWithWaitList, "queue", queue),
                         CALL(clEnqueueMarker, "queue marker", queue, &event),
                         CALL(clEnqueueBarrier, "queue", queue),
                         CALL(clEnqueueWaitForEvents, "queue count list", queue, 1, &done),
                     });
  calls.refuse(CL_INVALID_VALUE, {{"marker", nullptr}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {0, 1}}, {"list", {&done, nullptr}}});
  calls.refuse(CL_INVALID_CONTEXT, {{"list", &foreign_event}});
  calls.refuse(CL_INVALID_EVENT, {{"list", bad_lists<cl_event>()}});
}

TEST_CASE_FIXTURE(Commands, "refusals: native kernels") {
  const void *locations[] = {data}, *outside[] = {data + 4}, *behind[] = {data + 8};
  const Calls calls = checked(
      *this, {CALL(clEnqueueNativeKernel, "queue function arguments size count list locations",
                   queue, do_nothing, data, 8, 1, &memory, locations)});
  calls.refuse(CL_INVALID_VALUE, {{"function", nullptr}});
  calls.refuse(CL_INVALID_VALUE, {{"arguments", {nullptr, nullptr, data}},
                                  {"size", {8, 0, 0}},
                                  {"count", {0, 1, 0}},
                                  {"list", {nullptr, &memory, nullptr}},
                                  {"locations", {nullptr, locations, nullptr}}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {1, 1, 0, 0}},
                                  {"list", {nullptr, &memory, &memory, nullptr}},
                                  {"locations", {locations, nullptr, nullptr, locations}}});
  calls.refuse(CL_INVALID_VALUE, {{"locations", {outside, behind}}});
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"list", bad_lists<cl_mem>()[1]}});
  calls.refuse(CL_INVALID_CONTEXT, {{"list", &foreign_buffer}});
  // Without a function nothing else is wrong with no arguments at all.
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, queue, nullptr, nullptr, 0, 0, nullptr, nullptr,
          0, nullptr, nullptr);
}

}  // namespace
}  // namespace transpire::test::refusals_commands_tests
