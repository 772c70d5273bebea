// Commands that move bytes, against a naive model. Bad arguments: refusals_commands_test.cpp.
#include <numeric>
#include <random>

#include "tests/opencl/support.h"

namespace transpire::test::transfer_tests {
namespace {

using Triple = std::array<std::size_t, 3>;
using Bytes = std::vector<unsigned char>;
constexpr std::size_t kSize = 4096;

struct Buffers : Setup {
  Memory a = buffer(kSize), b = buffer(kSize);

  Bytes read(cl_mem of) const { return Host::read<unsigned char>(of, kSize); }
  void write(const Bytes& bytes) const {
    REQUIRE(issue(clEnqueueWriteBuffer, queue, a, CL_TRUE, 0, bytes.size(), bytes.data()) ==
            CL_SUCCESS);
  }
};

Bytes counting(unsigned char from) {
  Bytes bytes(kSize);
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

/// Within kSize, with pitches that may be larger than they must.
Place random_place(std::mt19937& random, const Triple& region) {
  Place place{};
  do {
    place.row = region[0] + random() % 5;
    place.slice = place.row * (region[1] + random() % 3);
    place.origin = {random() % (place.row + 2), random() % 4, random() % 3};
  } while (place.offsets(region).back() >= kSize);
  return place;
}

Triple random_region(std::mt19937& random) {
  return {1 + random() % 12, 1 + random() % 6, 1 + random() % 4};
}

TEST_CASE_FIXTURE(Buffers, "transfer: rectangular reads and writes against the model") {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const Triple region = random_region(random);
    const Place in_buffer = random_place(random, region);
    const Place in_host = random_place(random, region);
    const std::vector<std::size_t> from = in_buffer.offsets(region);
    const std::vector<std::size_t> to = in_host.offsets(region);
    const Bytes contents = counting(static_cast<unsigned char>(round));
    write(contents);
    Bytes host(kSize, 0xee);
    Bytes expected = host;
    for (std::size_t i = 0; i != from.size(); ++i) expected[to[i]] = contents[from[i]];
    REQUIRE(issue(clEnqueueReadBufferRect, queue, a, CL_TRUE, in_buffer.origin.data(),
                  in_host.origin.data(), region.data(), in_buffer.row, in_buffer.slice, in_host.row,
                  in_host.slice, host.data()) == CL_SUCCESS);
    CHECK(host == expected);
    for (std::size_t i = 0; i != from.size(); ++i) host[to[i]] = static_cast<unsigned char>(i);
    Bytes written = contents;
    for (std::size_t i = 0; i != from.size(); ++i) written[from[i]] = host[to[i]];
    REQUIRE(issue(clEnqueueWriteBufferRect, queue, a, CL_FALSE, in_buffer.origin.data(),
                  in_host.origin.data(), region.data(), in_buffer.row, in_buffer.slice, in_host.row,
                  in_host.slice, host.data()) == CL_SUCCESS);
    CHECK(read(a) == written);
  }
}

TEST_CASE_FIXTURE(
    Buffers, "transfer: rectangular copies within a buffer, and their overlap, against the model") {
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
    if (to.back() >= kSize) continue;
    std::vector<bool> read(kSize);
    bool shares = false;
    for (const std::size_t offset : from) read[offset] = true;
    for (const std::size_t offset : to) shares = shares || read[offset];
    const Bytes before = counting(static_cast<unsigned char>(round));
    write(before);
    const cl_int code =
        issue(clEnqueueCopyBufferRect, queue, a, a, source.origin.data(), target.origin.data(),
              region.data(), source.row, source.slice, target.row, target.slice);
    if (shares) CHECK(code == CL_MEM_COPY_OVERLAP);
    overlaps += code == CL_MEM_COPY_OVERLAP;
    Bytes expected = before;
    if (code == CL_SUCCESS)
      for (std::size_t i = 0; i != from.size(); ++i) expected[to[i]] = before[from[i]];
    CHECK(this->read(a) == expected);
  }
  CHECK((overlaps > 100 && overlaps < 1900));
}

TEST_CASE_FIXTURE(Buffers, "transfer: copies") {
  const auto copy = [&](cl_mem from, cl_mem to, std::size_t target, std::size_t size) {
    return issue(clEnqueueCopyBuffer, queue, from, to, 0, target, size);
  };
  write(counting(9));
  CHECK(copy(a, b, 0, kSize) == CL_SUCCESS);
  CHECK(read(b) == counting(9));
  // Bytes side by side do not overlap.
  CHECK(copy(a, a, 100, 100) == CL_SUCCESS);
  const Memory x = sub_buffer(a, 0, 256), y = sub_buffer(a, 128, 256);
  CHECK(copy(x, y, 0, 128) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Buffers, "transfer: fills") {
  unsigned char pattern[128];
  std::iota(std::begin(pattern), std::end(pattern), static_cast<unsigned char>(1));
  Bytes expected(kSize);
  for (std::size_t size = 1; size <= 128; size *= 2) {
    CHECK(issue(clEnqueueFillBuffer, queue, a, pattern, size, 2 * size, 7 * size) == CL_SUCCESS);
    for (std::size_t i = 0; i != 7 * size; ++i) expected[2 * size + i] = pattern[i % size];
    CHECK(read(a) == expected);
  }
}

TEST_CASE_FIXTURE(Buffers, "transfer: migration") {
  const Memory pipe = clCreatePipe(context, 0, 4, 4, nullptr, nullptr);
  for (const cl_mem memory : {cl_mem{a}, cl_mem{pipe}})
    for (const cl_mem_migration_flags flags :
         {cl_mem_migration_flags{0}, cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST}})
      CHECK(issue(clEnqueueMigrateMemObjects, queue, 1, &memory, flags) == CL_SUCCESS);
  CHECK(clFinish(queue) == CL_SUCCESS);
}

}  // namespace
}  // namespace transpire::test::transfer_tests
