// Commands that move bytes: bad arguments of each, and rectangles against a naive model.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <random>

#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

using Triple = std::array<std::size_t, 3>;
constexpr std::size_t kBytes = 4096;

struct Buffers : Setup {
  cl_mem a = clCreateBuffer(context, 0, kBytes, nullptr, nullptr);
  cl_mem b = clCreateBuffer(context, 0, kBytes, nullptr, nullptr);
  cl_mem host_reads = clCreateBuffer(context, CL_MEM_HOST_READ_ONLY, kBytes, nullptr, nullptr);
  cl_mem host_writes = clCreateBuffer(context, CL_MEM_HOST_WRITE_ONLY, kBytes, nullptr, nullptr);
  cl_mem host_never = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, kBytes, nullptr, nullptr);
  ~Buffers() {
    for (const cl_mem buffer : {a, b, host_reads, host_writes, host_never})
      clReleaseMemObject(buffer);
  }
  std::vector<unsigned char> read(cl_mem buffer) const {
    std::vector<unsigned char> bytes(kBytes);
    REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, bytes.data(), 0, nullptr,
                                nullptr) == CL_SUCCESS);
    return bytes;
  }
  void write(cl_mem buffer, const std::vector<unsigned char>& bytes) const {
    REQUIRE(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr,
                                 nullptr) == CL_SUCCESS);
  }
};

std::vector<unsigned char> counting(unsigned char from) {
  std::vector<unsigned char> bytes(kBytes);
  std::iota(bytes.begin(), bytes.end(), from);
  return bytes;
}

/// A rectangle as the model sees it: the offsets of all its bytes, in order.
struct Place {
  Triple origin;
  std::size_t row, slice;

  std::vector<std::size_t> offsets(const Triple& region) const {
    std::vector<std::size_t> list;
    for (std::size_t z = 0; z != region[2]; ++z)
      for (std::size_t y = 0; y != region[1]; ++y)
        for (std::size_t x = 0; x != region[0]; ++x)
          list.push_back((origin[2] + z) * slice + (origin[1] + y) * row + origin[0] + x);
    return list;
  }
};

/// Within kBytes, with pitches that may be larger than they must.
Place random_place(std::mt19937& random, const Triple& region) {
  Place place{};
  do {
    place.row = region[0] + random() % 5;
    place.slice = place.row * (region[1] + random() % 3);
    place.origin = {random() % (place.row + 2), random() % 4, random() % 3};
  } while (place.offsets(region).back() >= kBytes);
  return place;
}

Triple random_region(std::mt19937& random) {
  return {1 + random() % 12, 1 + random() % 6, 1 + random() % 4};
}

}  // namespace

TEST_CASE("transfer: bad arguments of reads and writes") {
  const Buffers setup;
  std::vector<unsigned char> host(kBytes);
  const auto read = [&](cl_command_queue queue, cl_mem buffer, std::size_t offset, std::size_t size,
                        void* pointer) {
    return clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, size, pointer, 0, nullptr, nullptr);
  };
  const auto write = [&](cl_command_queue queue, cl_mem buffer, std::size_t offset,
                         std::size_t size, const void* pointer) {
    return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, size, pointer, 0, nullptr, nullptr);
  };
  const auto both = [&](auto... arguments) {
    const cl_int code = read(arguments...);
    return code == write(arguments...) ? code : 1000;
  };
  CHECK(both(nullptr, setup.a, 0, 1, host.data()) == CL_INVALID_COMMAND_QUEUE);
  CHECK(both(setup.queue, nullptr, 0, 1, host.data()) == CL_INVALID_MEM_OBJECT);
  CHECK(both(setup.queue, setup.foreign_buffer, 0, 1, host.data()) == CL_INVALID_CONTEXT);
  CHECK(both(setup.queue, setup.a, 0, 1, nullptr) == CL_INVALID_VALUE);
  CHECK(both(setup.queue, setup.a, 1, kBytes, host.data()) == CL_INVALID_VALUE);
  CHECK(both(setup.queue, setup.a, kBytes + 1, 0, host.data()) == CL_INVALID_VALUE);
  CHECK(both(setup.queue, setup.a, SIZE_MAX, 2, host.data()) == CL_INVALID_VALUE);
  CHECK(both(setup.queue, setup.a, kBytes, 0, host.data()) == CL_SUCCESS);
  CHECK(both(setup.queue, setup.host_never, 0, 1, host.data()) == CL_INVALID_OPERATION);
  CHECK(read(setup.queue, setup.host_writes, 0, 1, host.data()) == CL_INVALID_OPERATION);
  CHECK(write(setup.queue, setup.host_reads, 0, 1, host.data()) == CL_INVALID_OPERATION);
  const auto waiting_read = [&](auto... waits) {
    return clEnqueueReadBuffer(setup.queue, setup.a, CL_TRUE, 0, 1, host.data(), waits...);
  };
  CHECK(refuses_bad_waits(setup, waiting_read));
  CHECK(tells_failed_waits(setup, waiting_read));
  const auto waiting_write = [&](auto... waits) {
    return clEnqueueWriteBuffer(setup.queue, setup.a, CL_TRUE, 0, 1, host.data(), waits...);
  };
  CHECK(refuses_bad_waits(setup, waiting_write));
  CHECK(tells_failed_waits(setup, waiting_write));
}

TEST_CASE("transfer: bad arguments of rectangular reads and writes") {
  const Buffers setup;
  std::vector<unsigned char> host(kBytes);
  const Triple zero{};
  struct Rect {
    cl_mem buffer;
    Triple origin{}, region{4, 4, 4};
    std::size_t row = 0, slice = 0, host_row = 0, host_slice = 0;
  };
  const auto both = [&](const Rect& r, void* pointer) {
    const cl_int code = clEnqueueReadBufferRect(
        setup.queue, r.buffer, CL_TRUE, r.origin.data(), zero.data(), r.region.data(), r.row,
        r.slice, r.host_row, r.host_slice, pointer, 0, nullptr, nullptr);
    const cl_int other = clEnqueueWriteBufferRect(
        setup.queue, r.buffer, CL_TRUE, r.origin.data(), zero.data(), r.region.data(), r.row,
        r.slice, r.host_row, r.host_slice, pointer, 0, nullptr, nullptr);
    return code == other ? code : 1000;
  };
  CHECK(both({setup.a}, host.data()) == CL_SUCCESS);
  CHECK(both({nullptr}, host.data()) == CL_INVALID_MEM_OBJECT);
  CHECK(both({setup.foreign_buffer}, host.data()) == CL_INVALID_CONTEXT);
  CHECK(both({setup.a}, nullptr) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {0, 4, 4}}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {4, 0, 4}}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {4, 4, 0}}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {4, 4, 4}, 3}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {4, 4, 4}, 8, 24}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {4, 4, 4}, 8, 36}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {4, 4, 4}, 0, 0, 3}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, zero, {4, 4, 4}, 0, 0, 8, 24}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, {1, 0, 0}, {kBytes, 1, 1}}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, {0, 0, SIZE_MAX}}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.a, {0, SIZE_MAX / 2, 0}, {4, 4, 4}, 8}, host.data()) == CL_INVALID_VALUE);
  CHECK(both({setup.host_never}, host.data()) == CL_INVALID_OPERATION);
  const Triple one{1, 1, 1};
  CHECK(refuses_bad_waits(setup, [&](auto... waits) {
    return clEnqueueReadBufferRect(setup.queue, setup.a, CL_TRUE, zero.data(), zero.data(),
                                   one.data(), 0, 0, 0, 0, host.data(), waits...);
  }));
  CHECK(tells_failed_waits(setup, [&](auto... waits) {
    return clEnqueueWriteBufferRect(setup.queue, setup.a, CL_TRUE, zero.data(), zero.data(),
                                    one.data(), 0, 0, 0, 0, host.data(), waits...);
  }));
}

TEST_CASE("transfer: rectangular reads and writes against the model") {
  const Buffers setup;
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const Triple region = random_region(random);
    const Place in_buffer = random_place(random, region);
    const Place in_host = random_place(random, region);
    const std::vector<std::size_t> from = in_buffer.offsets(region);
    const std::vector<std::size_t> to = in_host.offsets(region);
    const std::vector<unsigned char> contents = counting(static_cast<unsigned char>(round));
    setup.write(setup.a, contents);
    std::vector<unsigned char> host(kBytes, 0xee);
    std::vector<unsigned char> expected = host;
    for (std::size_t i = 0; i != from.size(); ++i) expected[to[i]] = contents[from[i]];
    REQUIRE(clEnqueueReadBufferRect(setup.queue, setup.a, CL_TRUE, in_buffer.origin.data(),
                                    in_host.origin.data(), region.data(), in_buffer.row,
                                    in_buffer.slice, in_host.row, in_host.slice, host.data(), 0,
                                    nullptr, nullptr) == CL_SUCCESS);
    CHECK(host == expected);
    for (std::size_t i = 0; i != from.size(); ++i) host[to[i]] = static_cast<unsigned char>(i);
    std::vector<unsigned char> written = contents;
    for (std::size_t i = 0; i != from.size(); ++i) written[from[i]] = host[to[i]];
    REQUIRE(clEnqueueWriteBufferRect(setup.queue, setup.a, CL_FALSE, in_buffer.origin.data(),
                                     in_host.origin.data(), region.data(), in_buffer.row,
                                     in_buffer.slice, in_host.row, in_host.slice, host.data(), 0,
                                     nullptr, nullptr) == CL_SUCCESS);
    CHECK(setup.read(setup.a) == written);
  }
}

TEST_CASE("transfer: rectangular copies within a buffer, and their overlap, against the model") {
  const Buffers setup;
  std::mt19937 random(3);
  int overlaps = 0;
  for (int round = 0; round < 2000; ++round) {
    const Triple region = random_region(random);
    const Place source = random_place(random, region);
    Place target = random_place(random, region);
    target.row = source.row;
    target.slice = source.slice;
    const std::vector<std::size_t> from = source.offsets(region);
    const std::vector<std::size_t> to = target.offsets(region);
    if (to.back() >= kBytes) continue;
    std::vector<bool> read(kBytes);
    bool shares = false;
    for (const std::size_t offset : from) read[offset] = true;
    for (const std::size_t offset : to) shares = shares || read[offset];
    const std::vector<unsigned char> before = counting(static_cast<unsigned char>(round));
    setup.write(setup.a, before);
    const cl_int code = clEnqueueCopyBufferRect(
        setup.queue, setup.a, setup.a, source.origin.data(), target.origin.data(), region.data(),
        source.row, source.slice, target.row, target.slice, 0, nullptr, nullptr);
    if (shares) CHECK(code == CL_MEM_COPY_OVERLAP);
    overlaps += code == CL_MEM_COPY_OVERLAP;
    std::vector<unsigned char> expected = before;
    if (code == CL_SUCCESS)
      for (std::size_t i = 0; i != from.size(); ++i) expected[to[i]] = before[from[i]];
    CHECK(setup.read(setup.a) == expected);
  }
  CHECK((overlaps > 100 && overlaps < 1900));
}

TEST_CASE("transfer: copies") {
  const Buffers setup;
  const auto copy = [&](cl_mem from, cl_mem to, std::size_t source, std::size_t target,
                        std::size_t size) {
    return clEnqueueCopyBuffer(setup.queue, from, to, source, target, size, 0, nullptr, nullptr);
  };
  setup.write(setup.a, counting(9));
  CHECK(copy(setup.a, setup.b, 0, 0, kBytes) == CL_SUCCESS);
  CHECK(setup.read(setup.b) == counting(9));
  CHECK(copy(nullptr, setup.b, 0, 0, 1) == CL_INVALID_MEM_OBJECT);
  CHECK(copy(setup.a, nullptr, 0, 0, 1) == CL_INVALID_MEM_OBJECT);
  CHECK(copy(setup.a, setup.foreign_buffer, 0, 0, 1) == CL_INVALID_CONTEXT);
  CHECK(copy(setup.a, setup.b, 1, 0, kBytes) == CL_INVALID_VALUE);
  CHECK(copy(setup.a, setup.b, 0, 1, kBytes) == CL_INVALID_VALUE);
  CHECK(copy(setup.a, setup.a, 0, 99, 100) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(setup.a, setup.a, 99, 0, 100) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(setup.a, setup.a, 0, 100, 100) == CL_SUCCESS);
  const cl_buffer_region first{0, 256}, second{128, 256};
  const cl_mem x = clCreateSubBuffer(setup.a, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, nullptr);
  const cl_mem y = clCreateSubBuffer(setup.a, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, nullptr);
  CHECK(copy(x, y, 0, 0, 129) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(x, y, 0, 0, 128) == CL_SUCCESS);
  CHECK(copy(setup.a, y, 0, 0, 129) == CL_MEM_COPY_OVERLAP);
  const Triple zero{}, region{16, 16, 1}, shifted{0, 8, 0};
  const auto copy_rect = [&](cl_mem from, cl_mem to, const Triple& target, std::size_t row,
                             std::size_t other_row) {
    return clEnqueueCopyBufferRect(setup.queue, from, to, zero.data(), target.data(), region.data(),
                                   row, 0, other_row, 0, 0, nullptr, nullptr);
  };
  CHECK(copy_rect(x, y, zero, 16, 16) == CL_MEM_COPY_OVERLAP);
  CHECK(copy_rect(setup.a, setup.a, shifted, 16, 16) == CL_MEM_COPY_OVERLAP);
  CHECK(copy_rect(setup.a, setup.a, shifted, 16, 32) == CL_INVALID_VALUE);
  CHECK(copy_rect(setup.a, y, {0, 60, 0}, 16, 32) == CL_INVALID_VALUE);
  CHECK(copy_rect(setup.a, setup.foreign_buffer, zero, 16, 16) == CL_INVALID_CONTEXT);
  CHECK(copy_rect(setup.a, setup.b, zero, 15, 16) == CL_INVALID_VALUE);
  CHECK(copy_rect(setup.a, setup.b, zero, 16, 15) == CL_INVALID_VALUE);
  CHECK(refuses_bad_waits(setup, [&](auto... waits) {
    return clEnqueueCopyBuffer(setup.queue, setup.a, setup.b, 0, 0, 1, waits...);
  }));
  CHECK(refuses_bad_waits(setup, [&](auto... waits) {
    return clEnqueueCopyBufferRect(setup.queue, setup.a, setup.b, zero.data(), zero.data(),
                                   region.data(), 0, 0, 0, 0, waits...);
  }));
  clReleaseMemObject(x);
  clReleaseMemObject(y);
}

TEST_CASE("transfer: fills") {
  const Buffers setup;
  unsigned char pattern[128];
  std::iota(std::begin(pattern), std::end(pattern), static_cast<unsigned char>(1));
  const auto fill = [&](const void* bytes, std::size_t pattern_size, std::size_t offset,
                        std::size_t size) {
    return clEnqueueFillBuffer(setup.queue, setup.a, bytes, pattern_size, offset, size, 0, nullptr,
                               nullptr);
  };
  std::vector<unsigned char> expected(kBytes);
  for (std::size_t size = 1; size <= 128; size *= 2) {
    CHECK(fill(pattern, size, 2 * size, 7 * size) == CL_SUCCESS);
    for (std::size_t i = 0; i != 7 * size; ++i) expected[2 * size + i] = pattern[i % size];
    CHECK(setup.read(setup.a) == expected);
  }
  CHECK(fill(nullptr, 4, 0, 4) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 0, 0, 4) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 3, 0, 3) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 256, 0, 256) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 4, 2, 4) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 4, 0, 6) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 4, kBytes, 4) == CL_INVALID_VALUE);
  CHECK(refuses_bad_waits(setup, [&](auto... waits) {
    return clEnqueueFillBuffer(setup.queue, setup.a, pattern, 1, 0, 1, waits...);
  }));
}

TEST_CASE("transfer: migration") {
  const Buffers setup;
  const auto migrate = [&](cl_uint count, const cl_mem* list, cl_mem_migration_flags flags) {
    return clEnqueueMigrateMemObjects(setup.queue, count, list, flags, 0, nullptr, nullptr);
  };
  CHECK(migrate(1, &setup.a, 0) == CL_SUCCESS);
  CHECK(migrate(1, &setup.a, CL_MIGRATE_MEM_OBJECT_HOST) == CL_SUCCESS);
  CHECK(migrate(0, &setup.a, 0) == CL_INVALID_VALUE);
  CHECK(migrate(1, nullptr, 0) == CL_INVALID_VALUE);
  CHECK(migrate(1, &setup.a, 1u << 20) == CL_INVALID_VALUE);
  CHECK(migrate(1, &setup.foreign_buffer, 0) == CL_INVALID_CONTEXT);
  const cl_mem none = nullptr;
  CHECK(migrate(1, &none, 0) == CL_INVALID_MEM_OBJECT);
}

}  // namespace transpire::test
