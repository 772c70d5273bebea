// Sizes, offsets and pitches around the numbers where sums of them leave 31, 32, 63 and 64 bits:
// every command that takes some refuses what is not there, by an error code.
#include "tests/opencl/support.h"

namespace transpire::test::sizes_tests {
namespace {

constexpr std::size_t kMemory = 4096;
constexpr std::size_t kMost = SIZE_MAX;
constexpr std::size_t k31 = std::size_t{1} << 31;
constexpr std::size_t k63 = std::size_t{1} << 63;
constexpr std::size_t kSizes[] = {
    0,           1,   128,     kMemory,         kMemory + 1, k31 - 1,   k31,  2 * k31,
    2 * k31 + 1, k63, k63 + 1, kMost - kMemory, kMost - 127, kMost - 1, kMost};

bool within(std::size_t offset, std::size_t size) {
  return offset <= kMemory && size <= kMemory - offset;
}

struct Sized : Setup {
  Memory a = buffer(kMemory), b = buffer(kMemory);
  char host[kMemory] = {};
  ~Sized() { clFinish(queue); }
};

bool good(cl_int code) { return code == CL_SUCCESS; }

TEST_CASE_FIXTURE(Sized, "sizes: buffers and parts of them") {
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    cl_int error = CL_SUCCESS;
    if (size <= kMemory || size > std::size_t{1} << 62) {
      const Memory made = clCreateBuffer(context, 0, size, nullptr, &error);
      CHECK(good(error) == (size != 0 && size <= kMemory + 1));
      void* const shared = clSVMAlloc(context, 0, size, 0);
      CHECK((shared != nullptr) == (size != 0 && size <= kMemory + 1));
      clSVMFree(context, shared);
    }
    for (const std::size_t offset : kSizes) {
      CAPTURE(offset);
      const cl_buffer_region region{offset, size};
      const Memory part = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
      CHECK(good(error) == (size != 0 && within(offset, size) && offset % 128 == 0));
      const bool fits = within(offset, size);
      CHECK(good(issue(clEnqueueReadBuffer, queue, a, CL_TRUE, offset, size, host)) == fits);
      CHECK(good(issue(clEnqueueWriteBuffer, queue, a, CL_TRUE, offset, size, host)) == fits);
      CHECK(good(issue(clEnqueueCopyBuffer, queue, a, b, offset, 0, size)) == fits);
      CHECK(good(issue(clEnqueueCopyBuffer, queue, a, b, 0, offset, size)) == fits);
      const char pattern = 1;
      CHECK(good(issue(clEnqueueFillBuffer, queue, a, &pattern, 1, offset, size)) == fits);
      void* const map = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, offset, size, 0, nullptr,
                                           nullptr, &error);
      CHECK(good(error) == (fits && size != 0));
      if (map != nullptr) issue(clEnqueueUnmapMemObject, queue, a, map);
    }
  }
}

TEST_CASE_FIXTURE(Sized, "sizes: rectangles") {
  for (const std::size_t x : kSizes) {
    for (const std::size_t y : kSizes) {
      CAPTURE(x);
      CAPTURE(y);
      const std::size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, two[3] = {1, 2, 2};
      const std::size_t origins[][3] = {{x, y, 0}, {0, x, y}, {y, 0, x}};
      for (const auto& origin : origins) {
        const bool inside =
            origin[0] + origin[1] + origin[2] < kMemory && x < kMemory && y < kMemory;
        CHECK(good(issue(clEnqueueReadBufferRect, queue, a, CL_TRUE, origin, zero, one, 0, 0, 0, 0,
                         host)) == inside);
        CHECK(good(issue(clEnqueueCopyBufferRect, queue, a, b, zero, origin, one, 0, 0, 0, 0)) ==
              inside);
      }
      const std::size_t regions[][3] = {{x, y, 1}, {1, x, y}, {y, 1, x}};
      for (const auto& region : regions) {
        const bool inside = x != 0 && y != 0 && x <= kMemory && y <= kMemory / x;
        CHECK(good(issue(clEnqueueWriteBufferRect, queue, a, CL_TRUE, zero, zero, region, 0, 0, 0,
                         0, host)) == inside);
      }
      // Pitches: of the buffer, then of the host's memory, which nobody knows the size of.
      const cl_int pitched =
          issue(clEnqueueCopyBufferRect, queue, a, b, zero, zero, two, x, y, x, y);
      if (x > kMemory || y > kMemory) CHECK(pitched == CL_INVALID_VALUE);
      if (x >= kMost - kMemory || y >= kMost - kMemory)
        CHECK(issue(clEnqueueReadBufferRect, queue, a, CL_TRUE, zero, zero, two, 0, 0, x, y,
                    host) == CL_INVALID_VALUE);
    }
  }
}

TEST_CASE_FIXTURE(Sized, "sizes: images") {
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
      desc.mem_object = a;
      cl_int error = CL_SUCCESS;
      const Memory made = clCreateImage(context, 0, &format, &desc, nullptr, &error);
      const std::size_t row = pitch == 0 ? 16 : pitch;
      const bool fits = size != 0 && row >= 16 && row % 4 == 0 && size <= kMemory / row;
      CHECK(good(error) == fits);
      desc.image_type = CL_MEM_OBJECT_IMAGE3D;
      desc.mem_object = nullptr;
      desc.image_depth = pitch;
      desc.image_row_pitch = kMost - 3;
      CHECK(clCreateImage(context, CL_MEM_USE_HOST_PTR, &format, &desc, host, &error) == nullptr);
    }
  }
}

TEST_CASE_FIXTURE(Sized, "sizes: boxes of images") {
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = desc.image_height = desc.image_depth = 4;
  const Memory image = clCreateImage(context, 0, &format, &desc, nullptr, nullptr);
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
      CHECK(good(issue(clEnqueueReadImage, queue, image, CL_TRUE, origin, region, 0, 0, host)) ==
            inside);
      CHECK(good(issue(clEnqueueFillImage, queue, image, color, origin, region)) == inside);
      const bool fits =
          (first == 0 || (first >= 8 && first <= kMemory / 2 - 64)) &&
          (second == 0 || (second >= 2 * (first == 0 ? 8 : first) && second < kMemory));
      if (fits || first >= kMost - kMemory || second >= kMost - kMemory)
        CHECK(good(issue(clEnqueueReadImage, queue, image, CL_TRUE, zero, two, first, second,
                         host)) == fits);
      CHECK(good(issue(clEnqueueCopyImageToBuffer, queue, image, a, zero, two, first)) ==
            within(first, 32));
    }
}

TEST_CASE_FIXTURE(Sized, "sizes: queues of the device") {
  const auto most = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, size, 0};
    cl_int error = CL_SUCCESS;
    const Queue queue = clCreateCommandQueueWithProperties(context, device, list, &error);
    CHECK(error == (size != 0 && size <= most ? CL_SUCCESS : CL_INVALID_VALUE));
  }
}

TEST_CASE_FIXTURE(Sized, "sizes: shared virtual memory") {
  auto* const shared = static_cast<char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kMemory, 0));
  REQUIRE(shared != nullptr);
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    const bool fits = size <= kMemory;
    CHECK(good(issue(clEnqueueSVMMemcpy, queue, CL_TRUE, shared, host, size)) == fits);
    CHECK(good(issue(clEnqueueSVMMemcpy, queue, CL_TRUE, host, shared, size)) == fits);
    const char pattern = 1;
    CHECK(good(issue(clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, shared, size)) ==
          (size != 0 && fits));
    CHECK(good(issue(clEnqueueSVMMemFill, queue, shared, &pattern, 1, size)) == fits);
    const void* const pointer = shared;
    CHECK(good(issue(clEnqueueSVMMigrateMem, queue, 1, const_cast<const void**>(&pointer), &size,
                     0)) == fits);
  }
  clFinish(queue);
  clSVMFree(context, shared);
}

}  // namespace
}  // namespace transpire::test::sizes_tests
