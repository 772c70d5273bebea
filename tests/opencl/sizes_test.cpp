// Sizes, offsets and pitches around the numbers where sums of them leave 31, 32, 63 and 64 bits:
// every command that takes some refuses what is not there, by an error code.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

constexpr std::size_t kBytes = 4096;
constexpr std::size_t kMost = SIZE_MAX;
constexpr std::size_t k31 = std::size_t{1} << 31;
constexpr std::array<std::size_t, 15> kSizes{0,
                                             1,
                                             128,
                                             kBytes,
                                             kBytes + 1,
                                             k31 - 1,
                                             k31,
                                             2 * k31,
                                             2 * k31 + 1,
                                             std::size_t{1} << 63,
                                             (std::size_t{1} << 63) + 1,
                                             kMost - kBytes,
                                             kMost - 127,
                                             kMost - 1,
                                             kMost};

bool within(std::size_t offset, std::size_t size) {
  return offset <= kBytes && size <= kBytes - offset;
}

struct Buffers : Setup {
  cl_mem a = clCreateBuffer(context, 0, kBytes, nullptr, nullptr);
  cl_mem b = clCreateBuffer(context, 0, kBytes, nullptr, nullptr);
  char host[kBytes] = {};
  ~Buffers() {
    clFinish(queue);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
  }
};

}  // namespace

TEST_CASE("sizes: buffers and parts of them") {
  Buffers setup;
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    cl_int error = CL_SUCCESS;
    if (size <= kBytes || size > std::size_t{1} << 62) {
      const cl_mem made = clCreateBuffer(setup.context, 0, size, nullptr, &error);
      CHECK((error == CL_SUCCESS) == (size != 0 && size <= kBytes + 1));
      if (made != nullptr) clReleaseMemObject(made);
      void* const shared = clSVMAlloc(setup.context, 0, size, 0);
      CHECK((shared != nullptr) == (size != 0 && size <= kBytes + 1));
      clSVMFree(setup.context, shared);
    }
    for (const std::size_t offset : kSizes) {
      CAPTURE(offset);
      const cl_buffer_region region{offset, size};
      const cl_mem part =
          clCreateSubBuffer(setup.a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
      CHECK((error == CL_SUCCESS) == (size != 0 && within(offset, size) && offset % 128 == 0));
      if (part != nullptr) clReleaseMemObject(part);
      const bool fits = within(offset, size);
      CHECK((clEnqueueReadBuffer(setup.queue, setup.a, CL_TRUE, offset, size, setup.host, 0,
                                 nullptr, nullptr) == CL_SUCCESS) == fits);
      CHECK((clEnqueueWriteBuffer(setup.queue, setup.a, CL_TRUE, offset, size, setup.host, 0,
                                  nullptr, nullptr) == CL_SUCCESS) == fits);
      CHECK((clEnqueueCopyBuffer(setup.queue, setup.a, setup.b, offset, 0, size, 0, nullptr,
                                 nullptr) == CL_SUCCESS) == fits);
      CHECK((clEnqueueCopyBuffer(setup.queue, setup.a, setup.b, 0, offset, size, 0, nullptr,
                                 nullptr) == CL_SUCCESS) == fits);
      const char pattern = 1;
      CHECK((clEnqueueFillBuffer(setup.queue, setup.a, &pattern, 1, offset, size, 0, nullptr,
                                 nullptr) == CL_SUCCESS) == fits);
      void* const map = clEnqueueMapBuffer(setup.queue, setup.a, CL_TRUE, CL_MAP_READ, offset, size,
                                           0, nullptr, nullptr, &error);
      CHECK((error == CL_SUCCESS) == (fits && size != 0));
      if (map != nullptr) clEnqueueUnmapMemObject(setup.queue, setup.a, map, 0, nullptr, nullptr);
    }
  }
}

TEST_CASE("sizes: rectangles") {
  Buffers setup;
  for (const std::size_t x : kSizes) {
    for (const std::size_t y : kSizes) {
      CAPTURE(x);
      CAPTURE(y);
      const std::size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, two[3] = {1, 2, 2};
      const std::size_t origins[][3] = {{x, y, 0}, {0, x, y}, {y, 0, x}};
      for (const auto& origin : origins) {
        const bool inside = origin[0] + origin[1] + origin[2] < kBytes && x < kBytes && y < kBytes;
        CHECK((clEnqueueReadBufferRect(setup.queue, setup.a, CL_TRUE, origin, zero, one, 0, 0, 0, 0,
                                       setup.host, 0, nullptr, nullptr) == CL_SUCCESS) == inside);
        CHECK((clEnqueueCopyBufferRect(setup.queue, setup.a, setup.b, zero, origin, one, 0, 0, 0, 0,
                                       0, nullptr, nullptr) == CL_SUCCESS) == inside);
      }
      const std::size_t regions[][3] = {{x, y, 1}, {1, x, y}, {y, 1, x}};
      for (const auto& region : regions) {
        const bool inside = x != 0 && y != 0 && x <= kBytes && y <= kBytes / x;
        CHECK((clEnqueueWriteBufferRect(setup.queue, setup.a, CL_TRUE, zero, zero, region, 0, 0, 0,
                                        0, setup.host, 0, nullptr, nullptr) == CL_SUCCESS) ==
              inside);
      }
      // Pitches: of the buffer, then of the host's memory, which nobody knows the size of.
      const cl_int pitched = clEnqueueCopyBufferRect(setup.queue, setup.a, setup.b, zero, zero, two,
                                                     x, y, x, y, 0, nullptr, nullptr);
      if (x > kBytes || y > kBytes) CHECK(pitched == CL_INVALID_VALUE);
      if (x >= kMost - kBytes || y >= kMost - kBytes)
        CHECK(clEnqueueReadBufferRect(setup.queue, setup.a, CL_TRUE, zero, zero, two, 0, 0, x, y,
                                      setup.host, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    }
  }
}

TEST_CASE("sizes: images") {
  Buffers setup;
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    for (const std::size_t pitch : kSizes) {
      CAPTURE(pitch);
      cl_image_desc desc{};
      desc.image_type = CL_MEM_OBJECT_IMAGE2D;
      desc.image_width = 4;
      desc.image_height = size;
      desc.image_row_pitch = pitch;
      desc.mem_object = setup.a;
      cl_int error = CL_SUCCESS;
      const cl_mem made = clCreateImage(setup.context, 0, &format, &desc, nullptr, &error);
      const std::size_t row = pitch == 0 ? 16 : pitch;
      const bool fits = size != 0 && row >= 16 && row % 4 == 0 && size <= kBytes / row;
      CHECK((error == CL_SUCCESS) == fits);
      if (made != nullptr) clReleaseMemObject(made);
      desc.image_type = CL_MEM_OBJECT_IMAGE3D;
      desc.mem_object = nullptr;
      desc.image_depth = pitch;
      desc.image_row_pitch = kMost - 3;
      CHECK(clCreateImage(setup.context, CL_MEM_USE_HOST_PTR, &format, &desc, setup.host, &error) ==
            nullptr);
    }
  }
}

TEST_CASE("sizes: boxes of images") {
  Buffers setup;
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = desc.image_height = desc.image_depth = 4;
  const cl_mem image = clCreateImage(setup.context, 0, &format, &desc, nullptr, nullptr);
  const auto is_in = [](std::size_t at, std::size_t size) {
    return size != 0 && at < 4 && size <= 4 - at;
  };
  const std::size_t zero[3] = {}, color[2] = {}, two[3] = {2, 2, 2};
  for (const std::size_t first : kSizes)
    for (const std::size_t second : kSizes) {
      CAPTURE(first);
      CAPTURE(second);
      const std::size_t origin[3] = {0, first, 0}, region[3] = {1, second, 1};
      const bool inside = is_in(first, second);
      CHECK((clEnqueueReadImage(setup.queue, image, CL_TRUE, origin, region, 0, 0, setup.host, 0,
                                nullptr, nullptr) == CL_SUCCESS) == inside);
      CHECK((clEnqueueFillImage(setup.queue, image, color, origin, region, 0, nullptr, nullptr) ==
             CL_SUCCESS) == inside);
      const bool fits =
          (first == 0 || (first >= 8 && first <= kBytes / 2 - 64)) &&
          (second == 0 || (second >= 2 * (first == 0 ? 8 : first) && second < kBytes));
      if (fits || first >= kMost - kBytes || second >= kMost - kBytes)
        CHECK((clEnqueueReadImage(setup.queue, image, CL_TRUE, zero, two, first, second, setup.host,
                                  0, nullptr, nullptr) == CL_SUCCESS) == fits);
      CHECK((clEnqueueCopyImageToBuffer(setup.queue, image, setup.a, zero, two, first, 0, nullptr,
                                        nullptr) == CL_SUCCESS) == within(first, 32));
    }
  clFinish(setup.queue);
  clReleaseMemObject(image);
}

TEST_CASE("sizes: queues of the device") {
  Buffers setup;
  const auto most =
      info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, size, 0};
    cl_int error = CL_SUCCESS;
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(setup.context, setup.device, list, &error);
    CHECK(error == (size != 0 && size <= most ? CL_SUCCESS : CL_INVALID_VALUE));
    if (queue != nullptr) clReleaseCommandQueue(queue);
  }
}

TEST_CASE("sizes: shared virtual memory") {
  Buffers setup;
  auto* const shared = static_cast<char*>(clSVMAlloc(setup.context, CL_MEM_READ_WRITE, kBytes, 0));
  REQUIRE(shared != nullptr);
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    const bool fits = size <= kBytes;
    CHECK((clEnqueueSVMMemcpy(setup.queue, CL_TRUE, shared, setup.host, size, 0, nullptr,
                              nullptr) == CL_SUCCESS) == fits);
    CHECK((clEnqueueSVMMemcpy(setup.queue, CL_TRUE, setup.host, shared, size, 0, nullptr,
                              nullptr) == CL_SUCCESS) == fits);
    const char pattern = 1;
    CHECK((clEnqueueSVMMap(setup.queue, CL_TRUE, CL_MAP_READ, shared, size, 0, nullptr, nullptr) ==
           CL_SUCCESS) == (size != 0 && fits));
    CHECK((clEnqueueSVMMemFill(setup.queue, shared, &pattern, 1, size, 0, nullptr, nullptr) ==
           CL_SUCCESS) == fits);
    const void* const pointer = shared;
    CHECK((clEnqueueSVMMigrateMem(setup.queue, 1, const_cast<const void**>(&pointer), &size, 0, 0,
                                  nullptr, nullptr) == CL_SUCCESS) == fits);
  }
  clFinish(setup.queue);
  clSVMFree(setup.context, shared);
}

}  // namespace transpire::test
