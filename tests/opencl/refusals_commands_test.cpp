// Bad arguments of commands and of functions on events. OpenCL 2.2 API, sections 5.2, 5.5, 5.6
// and 5.10 to 5.15.
#include <string>

#include "tests/opencl/host.h"
#include "tests/opencl/refusals.h"

namespace transpire::test {
namespace {

constexpr std::size_t kBytes = 1024;
constexpr std::size_t kZero[3] = {}, kOne[3] = {1, 1, 1};

void do_nothing(void*) {}
void CL_CALLBACK ignore_event(cl_event, cl_int, void*) {}
void CL_CALLBACK ignore_free(cl_command_queue, cl_uint, void**, void*) {}

struct Commands : Setup {
  cl_mem buffer = make(0), other = make(0);
  cl_mem host_reads = make(CL_MEM_HOST_READ_ONLY), host_writes = make(CL_MEM_HOST_WRITE_ONLY);
  cl_mem no_host = make(CL_MEM_HOST_NO_ACCESS);
  cl_event failed = clCreateUserEvent(context, nullptr);
  mutable char data[2 * kBytes] = {};

  Commands() { clSetUserEventStatus(failed, -7); }
  ~Commands() {
    clReleaseEvent(failed);
    for (const cl_mem memory : {buffer, other, host_reads, host_writes, no_host})
      clReleaseMemObject(memory);
  }
  cl_mem make(cl_mem_flags flags) const {
    return clCreateBuffer(context, flags, kBytes, nullptr, nullptr);
  }
};

}  // namespace

TEST_CASE("refusals: reading and writing") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer;
  char* const data = setup.data;
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES(clEnqueueReadBuffer, CL_INVALID_COMMAND_QUEUE, none, buffer, CL_TRUE, 0, 4, data, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueWriteBuffer, CL_INVALID_COMMAND_QUEUE, none, buffer, CL_TRUE, 0, 4, data, 0,
            nullptr, nullptr);
  }
  for (const cl_mem none : bad<cl_mem>()) {
    REFUSES(clEnqueueReadBuffer, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, 0, 4, data, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueWriteBuffer, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, 0, 4, data, 0, nullptr,
            nullptr);
  }
  const cl_mem foreign = setup.foreign_buffer;
  REFUSES(clEnqueueReadBuffer, CL_INVALID_CONTEXT, q, foreign, CL_TRUE, 0, 4, data, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueWriteBuffer, CL_INVALID_CONTEXT, q, foreign, CL_TRUE, 0, 4, data, 0, nullptr,
          nullptr);
  for (const auto& [offset, size] : {std::pair{kBytes + 1, std::size_t{1}},
                                     {std::size_t{1}, kBytes},
                                     {std::size_t{8}, SIZE_MAX}}) {
    REFUSES(clEnqueueReadBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, offset, size, data, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueWriteBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, offset, size, data, 0,
            nullptr, nullptr);
  }
  REFUSES(clEnqueueReadBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, 0, 4, nullptr, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueWriteBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, 0, 4, nullptr, 0, nullptr,
          nullptr);
  REFUSES_WAITS(clEnqueueReadBuffer, q, buffer, CL_FALSE, 0, 4, data);
  REFUSES_WAITS(clEnqueueWriteBuffer, q, buffer, CL_FALSE, 0, 4, data);
  REFUSES(clEnqueueReadBuffer, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, buffer, CL_TRUE, 0,
          4, data, 1, &setup.failed, nullptr);
  REFUSES(clEnqueueWriteBuffer, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, buffer, CL_TRUE, 0,
          4, data, 1, &setup.failed, nullptr);
  REFUSES(clEnqueueReadBuffer, CL_INVALID_OPERATION, q, setup.host_writes, CL_TRUE, 0, 4, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueReadBuffer, CL_INVALID_OPERATION, q, setup.no_host, CL_TRUE, 0, 4, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteBuffer, CL_INVALID_OPERATION, q, setup.host_reads, CL_TRUE, 0, 4, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteBuffer, CL_INVALID_OPERATION, q, setup.no_host, CL_TRUE, 0, 4, data, 0,
          nullptr, nullptr);
}

TEST_CASE("refusals: rectangles of no queue or buffer") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer, other = setup.other, foreign = setup.foreign_buffer;
  char* const data = setup.data;
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES(clEnqueueReadBufferRect, CL_INVALID_COMMAND_QUEUE, none, buffer, CL_TRUE, kZero, kZero,
            kOne, 0, 0, 0, 0, data, 0, nullptr, nullptr);
    REFUSES(clEnqueueWriteBufferRect, CL_INVALID_COMMAND_QUEUE, none, buffer, CL_TRUE, kZero, kZero,
            kOne, 0, 0, 0, 0, data, 0, nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferRect, CL_INVALID_COMMAND_QUEUE, none, buffer, other, kZero, kZero,
            kOne, 0, 0, 0, 0, 0, nullptr, nullptr);
  }
  for (const cl_mem none : bad<cl_mem>()) {
    REFUSES(clEnqueueReadBufferRect, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, kZero, kZero, kOne, 0,
            0, 0, 0, data, 0, nullptr, nullptr);
    REFUSES(clEnqueueWriteBufferRect, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, kZero, kZero, kOne,
            0, 0, 0, 0, data, 0, nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferRect, CL_INVALID_MEM_OBJECT, q, none, other, kZero, kZero, kOne, 0,
            0, 0, 0, 0, nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferRect, CL_INVALID_MEM_OBJECT, q, buffer, none, kZero, kZero, kOne, 0,
            0, 0, 0, 0, nullptr, nullptr);
  }
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_CONTEXT, q, foreign, CL_TRUE, kZero, kZero, kOne, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_CONTEXT, q, foreign, CL_TRUE, kZero, kZero, kOne, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_CONTEXT, q, foreign, other, kZero, kZero, kOne, 0, 0,
          0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_CONTEXT, q, buffer, foreign, kZero, kZero, kOne, 0, 0,
          0, 0, 0, nullptr, nullptr);
}

TEST_CASE("refusals: rectangles that are none, or outside of their buffer") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer, other = setup.other;
  char* const data = setup.data;
  constexpr std::size_t kFar[3] = {kBytes, 0, 0};
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kFar, kZero, kOne, 0, 0, 0,
          0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kFar, kZero, kOne, 0, 0,
          0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kOne, 0, 0,
          0, 0, nullptr, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kOne, 0, 0,
          0, 0, nullptr, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, nullptr, kZero, kOne, 0, 0,
          0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, nullptr, kZero, kOne, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, nullptr, kOne, 0, 0,
          0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, nullptr, kOne, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, nullptr, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, nullptr, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kFar, kZero, kOne, 0, 0, 0,
          0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kFar, kOne, 0, 0, 0,
          0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, nullptr, kZero, kOne, 0, 0,
          0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, nullptr, kOne, 0, 0,
          0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, nullptr, 0, 0,
          0, 0, 0, nullptr, nullptr);
  for (std::size_t d = 0; d < 3; ++d) {
    std::size_t region[3] = {1, 1, 1};
    region[d] = 0;
    REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, region, 0,
            0, 0, 0, data, 0, nullptr, nullptr);
    REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, region, 0,
            0, 0, 0, data, 0, nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, region, 0, 0,
            0, 0, 0, nullptr, nullptr);
  }
}

TEST_CASE("refusals: pitches of rectangles") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer, other = setup.other;
  char* const data = setup.data;
  constexpr std::size_t kFour[3] = {4, 4, 4};
  // Row pitches, slice pitches that are too small, such as are no multiple: of the one, of the
  // other.
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 3, 0,
          0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 3, 0,
          0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, kFour, 3, 0, 0,
          0, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 0, 0,
          3, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 0, 0,
          3, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, kFour, 0, 0, 3,
          0, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 8, 24,
          0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 8,
          24, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, kFour, 8, 24,
          0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 0, 0,
          8, 24, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 0, 0,
          8, 24, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, kFour, 0, 0, 8,
          24, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 8, 36,
          0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 8,
          36, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, kFour, 8, 36,
          0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 0, 0,
          8, 36, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_VALUE, q, buffer, CL_TRUE, kZero, kZero, kFour, 0, 0,
          8, 36, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, other, kZero, kZero, kFour, 0, 0, 8,
          36, 0, nullptr, nullptr);
}

TEST_CASE("refusals: rectangles that overlap") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer;
  constexpr std::size_t kFour[3] = {4, 4, 4};
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_VALUE, q, buffer, buffer, kZero, kFour, kFour, 8, 64,
          16, 128, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_MEM_COPY_OVERLAP, q, buffer, buffer, kZero, kOne, kFour, 8,
          64, 8, 64, 0, nullptr, nullptr);
  const cl_buffer_region first{0, 512}, second{128, 512};
  const cl_mem x = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, nullptr);
  const cl_mem y = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_MEM_COPY_OVERLAP, q, x, y, kZero, kZero, kFour, 8, 64, 8, 64,
          0, nullptr, nullptr);
  clReleaseMemObject(x);
  clReleaseMemObject(y);
}

TEST_CASE("refusals: what rectangles wait for, and whether the host may") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer, other = setup.other;
  char* const data = setup.data;
  REFUSES_WAITS(clEnqueueReadBufferRect, q, buffer, CL_FALSE, kZero, kZero, kOne, 0, 0, 0, 0, data);
  REFUSES_WAITS(clEnqueueWriteBufferRect, q, buffer, CL_FALSE, kZero, kZero, kOne, 0, 0, 0, 0,
                data);
  REFUSES_WAITS(clEnqueueCopyBufferRect, q, buffer, other, kZero, kZero, kOne, 0, 0, 0, 0);
  REFUSES(clEnqueueReadBufferRect, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, buffer, CL_TRUE,
          kZero, kZero, kOne, 0, 0, 0, 0, data, 1, &setup.failed, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, buffer,
          CL_TRUE, kZero, kZero, kOne, 0, 0, 0, 0, data, 1, &setup.failed, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_OPERATION, q, setup.host_writes, CL_TRUE, kZero,
          kZero, kOne, 0, 0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_OPERATION, q, setup.no_host, CL_TRUE, kZero, kZero,
          kOne, 0, 0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_OPERATION, q, setup.host_reads, CL_TRUE, kZero,
          kZero, kOne, 0, 0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_OPERATION, q, setup.no_host, CL_TRUE, kZero, kZero,
          kOne, 0, 0, 0, 0, data, 0, nullptr, nullptr);
}

TEST_CASE("refusals: copying and filling") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem a = setup.buffer, b = setup.other, foreign = setup.foreign_buffer;
  const char* const data = setup.data;
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES(clEnqueueCopyBuffer, CL_INVALID_COMMAND_QUEUE, none, a, b, 0, 0, 4, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueFillBuffer, CL_INVALID_COMMAND_QUEUE, none, a, data, 4, 0, 4, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueMigrateMemObjects, CL_INVALID_COMMAND_QUEUE, none, 1, &a, 0, 0, nullptr,
            nullptr);
  }
  for (const cl_mem none : bad<cl_mem>()) {
    REFUSES(clEnqueueCopyBuffer, CL_INVALID_MEM_OBJECT, q, none, b, 0, 0, 4, 0, nullptr, nullptr);
    REFUSES(clEnqueueCopyBuffer, CL_INVALID_MEM_OBJECT, q, a, none, 0, 0, 4, 0, nullptr, nullptr);
    REFUSES(clEnqueueFillBuffer, CL_INVALID_MEM_OBJECT, q, none, data, 4, 0, 4, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueMigrateMemObjects, CL_INVALID_MEM_OBJECT, q, 1, &none, 0, 0, nullptr, nullptr);
  }
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_CONTEXT, q, foreign, b, 0, 0, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_CONTEXT, q, a, foreign, 0, 0, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_CONTEXT, q, foreign, data, 4, 0, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueMigrateMemObjects, CL_INVALID_CONTEXT, q, 1, &foreign, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_VALUE, q, a, b, kBytes + 1, 0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_VALUE, q, a, b, 0, kBytes + 1, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_VALUE, q, a, b, 1, 0, kBytes, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_VALUE, q, a, b, 0, 1, kBytes, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_VALUE, q, a, b, 8, 0, SIZE_MAX, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, data, 4, kBytes + 4, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, data, 4, 4, kBytes, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, nullptr, 4, 0, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, data, 0, 0, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, data, 3, 0, 3, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, data, 256, 0, 256, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, data, 4, 2, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_VALUE, q, a, data, 4, 0, 6, 0, nullptr, nullptr);
  REFUSES(clEnqueueMigrateMemObjects, CL_INVALID_VALUE, q, 0, &a, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueMigrateMemObjects, CL_INVALID_VALUE, q, 1, nullptr, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueMigrateMemObjects, CL_INVALID_VALUE, q, 1, &a, 1u << 20, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_MEM_COPY_OVERLAP, q, a, a, 0, 99, 100, 0, nullptr, nullptr);
  const cl_buffer_region first{0, 256}, second{128, 256};
  const cl_mem x = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, nullptr);
  const cl_mem y = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_MEM_COPY_OVERLAP, q, x, x, 0, 1, 2, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_MEM_COPY_OVERLAP, q, x, y, 0, 0, 129, 0, nullptr, nullptr);
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  REFUSES_WAITS(clEnqueueCopyBuffer, q, a, b, 0, 0, 4);
  REFUSES_WAITS(clEnqueueFillBuffer, q, a, data, 4, 0, 4);
  REFUSES_WAITS(clEnqueueMigrateMemObjects, q, 1, &a, 0);
}

TEST_CASE("refusals: maps") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer;
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_COMMAND_QUEUE, none, buffer, CL_TRUE,
                    CL_MAP_READ, 0, 4, 0, nullptr, nullptr);
    REFUSES(clEnqueueUnmapMemObject, CL_INVALID_COMMAND_QUEUE, none, buffer, setup.data, 0, nullptr,
            nullptr);
  }
  for (const cl_mem none : bad<cl_mem>()) {
    REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, CL_MAP_READ, 0, 4,
                    0, nullptr, nullptr);
    REFUSES(clEnqueueUnmapMemObject, CL_INVALID_MEM_OBJECT, q, none, setup.data, 0, nullptr,
            nullptr);
  }
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_CONTEXT, q, setup.foreign_buffer, CL_TRUE,
                  CL_MAP_READ, 0, 4, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_CONTEXT, q, buffer, CL_TRUE, CL_MAP_READ, 0, 4, 1,
                  &setup.foreign_event, nullptr);
  constexpr cl_map_flags kInvalidate = CL_MAP_WRITE_INVALIDATE_REGION;
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, CL_MAP_READ, 1, kBytes,
                  0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, CL_MAP_READ, kBytes + 1,
                  1, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, CL_MAP_READ, 0, 0, 0,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE, 1u << 20, 0, 4, 0,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_VALUE, q, buffer, CL_TRUE,
                  CL_MAP_WRITE | kInvalidate, 0, 4, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_EVENT_WAIT_LIST, q, buffer, CL_TRUE, CL_MAP_READ,
                  0, 4, 1, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_EVENT_WAIT_LIST, q, buffer, CL_TRUE, CL_MAP_READ,
                  0, 4, 0, &setup.failed, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_EVENT_WAIT_LIST, q, buffer, CL_TRUE, CL_MAP_READ,
                  0, 4, 1, bad<cl_event>().data(), nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, buffer,
                  CL_TRUE, CL_MAP_READ, 0, 4, 1, &setup.failed, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, setup.host_writes, CL_TRUE,
                  CL_MAP_READ, 0, 4, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, setup.no_host, CL_TRUE, CL_MAP_READ,
                  0, 4, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, setup.host_reads, CL_TRUE,
                  CL_MAP_WRITE, 0, 4, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, setup.host_reads, CL_TRUE,
                  kInvalidate, 0, 4, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, setup.no_host, CL_TRUE, CL_MAP_WRITE,
                  0, 4, 0, nullptr, nullptr);
}

TEST_CASE("refusals: memory that is mapped") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  const cl_mem buffer = setup.buffer;
  void* const mapped =
      clEnqueueMapBuffer(q, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, nullptr);
  REQUIRE(mapped != nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_OPERATION, q, buffer, CL_TRUE, CL_MAP_WRITE, 63, 4,
                  0, nullptr, nullptr);
  REFUSES(clEnqueueUnmapMemObject, CL_INVALID_VALUE, q, buffer, setup.data, 0, nullptr, nullptr);
  REFUSES(clEnqueueUnmapMemObject, CL_INVALID_VALUE, q, buffer, nullptr, 0, nullptr, nullptr);
  REFUSES(clEnqueueUnmapMemObject, CL_INVALID_VALUE, q, setup.other, mapped, 0, nullptr, nullptr);
  REFUSES(clEnqueueUnmapMemObject, CL_INVALID_CONTEXT, q, setup.foreign_buffer, mapped, 0, nullptr,
          nullptr);
  REFUSES_WAITS(clEnqueueUnmapMemObject, q, buffer, mapped);
  CHECK(clEnqueueUnmapMemObject(q, buffer, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
  clFinish(q);
}

TEST_CASE("refusals: shared virtual memory") {
  const Commands setup;
  const cl_context context = setup.context;
  const auto largest = static_cast<std::size_t>(
      info<cl_ulong>(clGetDeviceInfo, setup.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  char* const memory = static_cast<char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0));
  REQUIRE(memory != nullptr);
  memory[0] = 7;
  for (const cl_context none : bad<cl_context>()) {
    GIVES_NULL(clSVMAlloc, none, CL_MEM_READ_WRITE, 64, 0);
    IGNORES(clSVMFree, none, memory);
  }
  GIVES_NULL(clSVMAlloc, context, 1u << 20, 64, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_SVM_ATOMICS, 64, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, 0, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, largest + 1, 0);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, 64, 3);
  GIVES_NULL(clSVMAlloc, context, CL_MEM_READ_WRITE, 64, 1u << 30);
  IGNORES(clSVMFree, context, nullptr);
  IGNORES(clSVMFree, context, setup.data);
  IGNORES(clSVMFree, context, memory + 8);
  CHECK(memory[0] == 7);
  clSVMFree(context, memory);
}

TEST_CASE("refusals: commands on shared virtual memory") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  char* const memory = static_cast<char*>(clSVMAlloc(setup.context, CL_MEM_READ_WRITE, kBytes, 0));
  REQUIRE(memory != nullptr);
  void* pointers[] = {memory};
  const void* constant[] = {memory};
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES(clEnqueueSVMFree, CL_INVALID_COMMAND_QUEUE, none, 1, pointers, ignore_free, nullptr, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueSVMMemcpy, CL_INVALID_COMMAND_QUEUE, none, CL_TRUE, memory, memory + 64, 4, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueSVMMemFill, CL_INVALID_COMMAND_QUEUE, none, memory, setup.data, 4, 4, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueSVMMap, CL_INVALID_COMMAND_QUEUE, none, CL_TRUE, CL_MAP_READ, memory, 4, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueSVMUnmap, CL_INVALID_COMMAND_QUEUE, none, memory, 0, nullptr, nullptr);
    REFUSES(clEnqueueSVMMigrateMem, CL_INVALID_COMMAND_QUEUE, none, 1, constant, nullptr, 0, 0,
            nullptr, nullptr);
  }
  REFUSES(clEnqueueSVMFree, CL_INVALID_VALUE, q, 0, pointers, ignore_free, nullptr, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMFree, CL_INVALID_VALUE, q, 1, nullptr, ignore_free, nullptr, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMemcpy, CL_INVALID_VALUE, q, CL_TRUE, nullptr, memory, 4, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMemcpy, CL_INVALID_VALUE, q, CL_TRUE, memory, nullptr, 4, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMemcpy, CL_MEM_COPY_OVERLAP, q, CL_TRUE, memory, memory + 3, 4, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMemcpy, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, CL_TRUE, memory,
          memory + 64, 4, 1, &setup.failed, nullptr);
  REFUSES(clEnqueueSVMMemFill, CL_INVALID_VALUE, q, nullptr, setup.data, 4, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMemFill, CL_INVALID_VALUE, q, memory + 2, setup.data, 4, 4, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMemFill, CL_INVALID_VALUE, q, memory, nullptr, 4, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMemFill, CL_INVALID_VALUE, q, memory, setup.data, 0, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMemFill, CL_INVALID_VALUE, q, memory, setup.data, 3, 3, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMemFill, CL_INVALID_VALUE, q, memory, setup.data, 256, 256, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMemFill, CL_INVALID_VALUE, q, memory, setup.data, 4, 6, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMap, CL_INVALID_VALUE, q, CL_TRUE, CL_MAP_READ, nullptr, 4, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMap, CL_INVALID_VALUE, q, CL_TRUE, CL_MAP_READ, memory, 0, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMap, CL_INVALID_VALUE, q, CL_TRUE, 1u << 20, memory, 4, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMap, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, CL_TRUE, CL_MAP_READ,
          memory, 4, 1, &setup.failed, nullptr);
  REFUSES(clEnqueueSVMUnmap, CL_INVALID_VALUE, q, nullptr, 0, nullptr, nullptr);
  clSVMFree(setup.context, memory);
}

TEST_CASE("refusals: moving shared virtual memory, and what its commands wait for") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  char* const memory = static_cast<char*>(clSVMAlloc(setup.context, CL_MEM_READ_WRITE, kBytes, 0));
  REQUIRE(memory != nullptr);
  void* pointers[] = {memory};
  const void* constant[] = {memory};
  const std::size_t too_long = kBytes + 1;
  const void* outside[] = {setup.data};
  REFUSES(clEnqueueSVMMigrateMem, CL_INVALID_VALUE, q, 0, constant, nullptr, 0, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMigrateMem, CL_INVALID_VALUE, q, 1, nullptr, nullptr, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMigrateMem, CL_INVALID_VALUE, q, 1, constant, &too_long, 0, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueSVMMigrateMem, CL_INVALID_VALUE, q, 1, outside, nullptr, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueSVMMigrateMem, CL_INVALID_VALUE, q, 1, constant, nullptr, 1u << 20, 0, nullptr,
          nullptr);
  REFUSES_WAITS(clEnqueueSVMFree, q, 1, pointers, ignore_free, nullptr);
  REFUSES_WAITS(clEnqueueSVMMemcpy, q, CL_FALSE, memory, memory + 64, 4);
  REFUSES_WAITS(clEnqueueSVMMemFill, q, memory, setup.data, 4, 4);
  REFUSES_WAITS(clEnqueueSVMMap, q, CL_FALSE, CL_MAP_READ, memory, 4);
  REFUSES_WAITS(clEnqueueSVMUnmap, q, memory);
  REFUSES_WAITS(clEnqueueSVMMigrateMem, q, 1, constant, nullptr, 0);
  clSVMFree(setup.context, memory);
}

TEST_CASE("refusals: markers, barriers and native kernels") {
  const Commands setup;
  const cl_command_queue q = setup.queue;
  cl_event event = nullptr;
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES(clEnqueueMarkerWithWaitList, CL_INVALID_COMMAND_QUEUE, none, 0, nullptr, nullptr);
    REFUSES(clEnqueueBarrierWithWaitList, CL_INVALID_COMMAND_QUEUE, none, 0, nullptr, nullptr);
    REFUSES(clEnqueueMarker, CL_INVALID_COMMAND_QUEUE, none, &event);
    REFUSES(clEnqueueBarrier, CL_INVALID_COMMAND_QUEUE, none);
    REFUSES(clEnqueueWaitForEvents, CL_INVALID_COMMAND_QUEUE, none, 1, &setup.failed);
    REFUSES(clEnqueueNativeKernel, CL_INVALID_COMMAND_QUEUE, none, do_nothing, nullptr, 0, 0,
            nullptr, nullptr, 0, nullptr, nullptr);
  }
  REFUSES_WAITS(clEnqueueMarkerWithWaitList, q);
  REFUSES_WAITS(clEnqueueBarrierWithWaitList, q);
  REFUSES(clEnqueueMarker, CL_INVALID_VALUE, q, nullptr);
  REFUSES(clEnqueueWaitForEvents, CL_INVALID_VALUE, q, 0, &setup.failed);
  REFUSES(clEnqueueWaitForEvents, CL_INVALID_VALUE, q, 1, nullptr);
  REFUSES(clEnqueueWaitForEvents, CL_INVALID_CONTEXT, q, 1, &setup.foreign_event);
  for (const cl_event none : bad<cl_event>())
    REFUSES(clEnqueueWaitForEvents, CL_INVALID_EVENT, q, 1, &none);

  char* const data = setup.data;
  const void* locations[] = {data};
  const void* outside[] = {data + 4};
  const cl_mem* const one = &setup.buffer;
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, nullptr, nullptr, 0, 0, nullptr, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, nullptr, 8, 0, nullptr, nullptr,
          0, nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, nullptr, 0, 1, one, locations, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, data, 0, 0, nullptr, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, data, 8, 1, nullptr, locations, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, data, 8, 1, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, data, 8, 0, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, data, 8, 0, nullptr, locations, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_VALUE, q, do_nothing, data, 8, 1, one, outside, 0,
          nullptr, nullptr);
  const cl_mem wrong = bad<cl_mem>()[1];
  REFUSES(clEnqueueNativeKernel, CL_INVALID_MEM_OBJECT, q, do_nothing, data, 8, 1, &wrong,
          locations, 0, nullptr, nullptr);
  REFUSES(clEnqueueNativeKernel, CL_INVALID_CONTEXT, q, do_nothing, data, 8, 1,
          &setup.foreign_buffer, locations, 0, nullptr, nullptr);
  REFUSES_WAITS(clEnqueueNativeKernel, q, do_nothing, nullptr, 0, 0, nullptr, nullptr);
}

TEST_CASE("refusals: events") {
  const Commands setup;
  for (const cl_context none : bad<cl_context>())
    REFUSES_TO_MAKE(clCreateUserEvent, CL_INVALID_CONTEXT, none);
  for (const cl_event none : bad<cl_event>()) {
    REFUSES(clSetUserEventStatus, CL_INVALID_EVENT, none, CL_COMPLETE);
    REFUSES(clSetEventCallback, CL_INVALID_EVENT, none, CL_COMPLETE, ignore_event, nullptr);
    REFUSES(clGetEventInfo, CL_INVALID_EVENT, none, CL_EVENT_CONTEXT, 0, nullptr, nullptr);
    REFUSES(clGetEventProfilingInfo, CL_INVALID_EVENT, none, CL_PROFILING_COMMAND_END, 0, nullptr,
            nullptr);
    REFUSES(clRetainEvent, CL_INVALID_EVENT, none);
    REFUSES(clReleaseEvent, CL_INVALID_EVENT, none);
    REFUSES(clWaitForEvents, CL_INVALID_EVENT, 1, &none);
  }
  const cl_event command = enqueue_call(setup.queue, [] {});
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  const cl_event mixed[] = {user, setup.foreign_event};
  char byte = 0;
  cl_ulong time = 0;
  REFUSES(clSetUserEventStatus, CL_INVALID_EVENT, command, CL_COMPLETE);
  REFUSES(clSetUserEventStatus, CL_INVALID_VALUE, user, CL_SUBMITTED);
  REFUSES(clSetUserEventStatus, CL_INVALID_OPERATION, setup.failed, CL_COMPLETE);
  REFUSES(clWaitForEvents, CL_INVALID_VALUE, 0, &user);
  REFUSES(clWaitForEvents, CL_INVALID_VALUE, 1, nullptr);
  REFUSES(clWaitForEvents, CL_INVALID_CONTEXT, 2, mixed);
  REFUSES(clWaitForEvents, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, 1, &setup.failed);
  REFUSES(clSetEventCallback, CL_INVALID_VALUE, user, CL_COMPLETE, nullptr, nullptr);
  REFUSES(clSetEventCallback, CL_INVALID_VALUE, user, CL_QUEUED, ignore_event, nullptr);
  REFUSES(clGetEventInfo, CL_INVALID_VALUE, user, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetEventInfo, CL_INVALID_VALUE, user, CL_EVENT_CONTEXT, 1, &byte, nullptr);
  REFUSES(clGetEventProfilingInfo, CL_PROFILING_INFO_NOT_AVAILABLE, user, CL_PROFILING_COMMAND_END,
          sizeof time, &time, nullptr);
  const cl_event gate = clCreateUserEvent(setup.context, nullptr);
  cl_event blocked = nullptr;
  CHECK(clEnqueueMarkerWithWaitList(setup.queue, 1, &gate, &blocked) == CL_SUCCESS);
  REFUSES(clGetEventProfilingInfo, CL_PROFILING_INFO_NOT_AVAILABLE, blocked,
          CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  clReleaseEvent(blocked);
  clReleaseEvent(gate);
  const cl_command_queue plain = make_queue(setup.context);
  const cl_event unprofiled = enqueue_call(plain, [] {});
  clFinish(plain);
  clFinish(setup.queue);
  REFUSES(clGetEventProfilingInfo, CL_PROFILING_INFO_NOT_AVAILABLE, unprofiled,
          CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr);
  REFUSES(clGetEventProfilingInfo, CL_INVALID_VALUE, command, 0x7777, sizeof time, &time, nullptr);
  REFUSES(clGetEventProfilingInfo, CL_INVALID_VALUE, command, CL_PROFILING_COMMAND_END, 1, &byte,
          nullptr);
  clReleaseEvent(unprofiled);
  clReleaseCommandQueue(plain);
  clReleaseEvent(command);
  clReleaseEvent(user);
}

}  // namespace transpire::test
