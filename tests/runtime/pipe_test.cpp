// Pipes as the host has them: what they are made of, what goes in and comes out.
#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <vector>

#include "tests/errors.h"
#include "transpire/transpire.hpp"

namespace transpire::test {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<std::uint32_t> numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(std::uint32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.begin(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("pipes of the host are first in, first out") {
  const auto pipe = Pipe::create(4, 3, "queue");
  REQUIRE(pipe);
  CHECK((pipe->packet_bytes() == 4 && pipe->max_packets() == 3 && pipe->packets() == 0));
  CHECK(pipe->name() == "queue");
  CHECK(pipe->contents().empty());
  CHECK(pipe->read(5).empty());
  REQUIRE(pipe->write(bytes_of({1, 2})));
  REQUIRE(pipe->write({}));
  CHECK((pipe->packets() == 2 && pipe->contents() == bytes_of({1, 2})));
  CHECK(pipe->read(1) == bytes_of({1}));
  REQUIRE(pipe->write(bytes_of({3, 4})));
  CHECK(pipe->contents() == bytes_of({2, 3, 4}));
  CHECK(pipe->read(0).empty());
  CHECK(pipe->read(100) == bytes_of({2, 3, 4}));
  CHECK(pipe->packets() == 0);
}

TEST_CASE("a pipe takes whole packets, all of them or none") {
  const auto pipe = Pipe::create(4, 3, "queue");
  REQUIRE(pipe);
  REQUIRE(pipe->write(bytes_of({1, 2})));
  CHECK(
      error_of(pipe->write(bytes_of({3, 4}))) ==
      "TSP-C0043: expected packets of 4 bytes, at most 1 of them, found 8 bytes for pipe 'queue'");
  CHECK(error_of(pipe->write(std::vector<std::byte>(3))).starts_with("TSP-C0043"));
  CHECK(pipe->contents() == bytes_of({1, 2}));
  pipe->clear();
  CHECK(pipe->packets() == 0);
  REQUIRE(pipe->write(bytes_of({7, 8, 9})));
  CHECK(pipe->contents() == bytes_of({7, 8, 9}));
}

TEST_CASE("pipes that cannot be had") {
  CHECK(error_of(Pipe::create(0, 3, "p")).starts_with("TSP-C0043"));
  CHECK(
      error_of(Pipe::create(4, 0, "p")) ==
      "TSP-C0043: expected a pipe of at least one packet of at least one byte, found 0 packets of "
      "4 bytes");
  CHECK(error_of(Pipe::create(UINT32_MAX, UINT32_MAX, "p")).starts_with("TSP-L0004"));
  CHECK(Pipe::bytes_needed(UINT32_MAX, UINT32_MAX) == 0xfffffffe00000001u);
}

TEST_CASE("handles of pipes share what they name") {
  auto pipe = Pipe::create(4, 3);
  REQUIRE(pipe);
  const Pipe copy = *pipe;
  const Argument argument = Argument::pipe(copy);
  CHECK(argument.kind == Argument::Kind::kPipe);
  REQUIRE(pipe->write(bytes_of({5})));
  CHECK(copy.contents() == bytes_of({5}));
  CHECK(argument.packets->read(1) == bytes_of({5}));
  CHECK(pipe->packets() == 0);
}

}  // namespace transpire::test
