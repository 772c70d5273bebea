// Pipes, as kernels and the host have them: what goes through them, in which order, and what is told of.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/patience.h"
#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

constexpr std::string_view kPipeKernels = R"(
kernel void fill(write_only pipe int p, global int* rc) {
  int i = get_global_id(0);
  rc[i] = write_pipe(p, &i);
}
kernel void drain(read_only pipe int p, global int* out) {
  int value = -7;
  out[get_global_id(0)] = read_pipe(p, &value) == 0 ? value : -100;
}
kernel void fill_reserved(write_only pipe int p, global int* out) {
  int i = get_global_id(0);
  reserve_id_t id = reserve_write_pipe(p, 2);
  int values[2] = {i * 10, i * 10 + 1};
  out[i] = -9;
  if (is_valid_reserve_id(id)) {
    out[i] = write_pipe(p, id, 1, &values[1]) | write_pipe(p, id, 0, &values[0]);
    commit_write_pipe(p, id);
  }
}
kernel void drain_group(read_only pipe int p, global int* out) {
  int i = get_global_id(0);
  reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));
  out[i] = -9;
  if (is_valid_reserve_id(id)) {
    read_pipe(p, id, get_local_id(0), &out[i]);
    work_group_commit_read_pipe(p, id);
  }
}
kernel void fill_group(write_only pipe int p, global int* out) {
  int i = get_global_id(0);
  reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
  int value = 1000 + i;
  if (is_valid_reserve_id(id)) {
    out[i] = write_pipe(p, id, get_local_size(0) - 1 - get_local_id(0), &value);
    work_group_commit_write_pipe(p, id);
  } else out[i] = -9;
}
kernel void ask(read_only pipe int p, global int* out) {
  out[0] = get_pipe_num_packets(p);
  out[1] = get_pipe_max_packets(p);
}
typedef struct { int left, right; } Pair;
kernel void fill_pairs(write_only pipe Pair p, global int* out) {
  Pair pairs[2];
  const int i = get_global_id(0);
  pairs[out != 0].left = i;
  if (i & 1) pairs[1].right = i;
  out[i] = write_pipe(p, &pairs[1]);
}
kernel void fill_reserved_pairs(write_only pipe Pair p, global int* out) {
  Pair pairs[2];
  const int i = get_global_id(0);
  const reserve_id_t id = reserve_write_pipe(p, 1);
  pairs[out != 0].right = i;
  out[i] = write_pipe(p, id, 0, &pairs[1]);
  commit_write_pipe(p, id);
}
kernel void drain_lefts(read_only pipe Pair p, global int* out) {
  Pair pair = {-1, -1};
  out[get_global_id(0)] = read_pipe(p, &pair) == 0 ? pair.left : -100;
}
kernel void drain_rights(read_only pipe Pair p, global int* out) {
  Pair pair = {-1, -1};
  out[get_global_id(0)] = read_pipe(p, &pair) == 0 ? pair.right : -100;
}
kernel void both(write_only pipe int p, read_only pipe int q, global int* out) {
  int value = 3;
  write_pipe(p, &value);
  out[0] = read_pipe(q, &value);
}
kernel void wait(write_only pipe int p, global int* out) {
  reserve_id_t id = reserve_write_pipe(p, 2);
  while (*(volatile global int*)out == 0) {}
  commit_write_pipe(p, id);
}
kernel void hold(write_only pipe int p, volatile global int* out) {
  int value = 1;
  write_pipe(p, &value);
  atomic_xchg(out + 1, 1);
  while (atomic_or(out, 0) == 0) {}
}
typedef struct { uchar bytes[300001]; } Long;
kernel void relay(read_only pipe Long p, write_only pipe Long q, global int* out) {
  Long packet;
  out[0] = read_pipe(p, &packet) | write_pipe(q, &packet);
}
)";

Pipe make_pipe(std::uint32_t packets, std::uint32_t bytes = 4, std::string name = "p") {
  auto pipe = Pipe::create(bytes, packets, std::move(name));
  REQUIRE(pipe);
  return *pipe;
}

std::vector<int> packets_of(const Pipe& pipe) {
  const std::vector<std::byte> bytes = pipe.contents();
  std::vector<int> values(bytes.size() / sizeof(int));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(int));
  return values;
}

std::vector<int> counted(int begin, int end) {
  std::vector<int> values;
  for (int i = begin; i < end; ++i) values.push_back(i);
  return values;
}

std::vector<std::byte> bytes_of(std::initializer_list<std::uint32_t> numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(std::uint32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.begin(), bytes.size());
  return bytes;
}

struct Piped {
  std::vector<int> out;
  std::vector<Finding> findings;
  Rules rules;
};

/// The kernels above, compiled in one way, and an instruction set.
struct PipePath {
  const Module& module;
  std::string isa;
  bool check_uninit = false;

  /// Runs a kernel whose arguments are pipes and a buffer of an int for each work-item.
  template <class... Pipes>
  Piped run(const char* kernel, std::uint64_t items, std::uint64_t group,
            const Pipes&... pipes) const {
    const Buffer out = make_buffer(std::max<std::uint64_t>(items, 2) * 4, "out");
    Launch launch = make_launch(module, kernel, items, group, pipes..., out);
    launch.check_uninit = check_uninit;
    const LaunchResult result = test::run(make_device(4, isa), launch);
    const auto ints = out.as<int>();
    return {{ints.begin(), ints.end()}, result.findings, rules_of(result)};
  }
};

template <class Body>
void on_each_pipe_path(const Body& body) {
  for (const char* level : {"-O0", "-O2"}) {
    const std::optional<Module> module = compile_at(level, kPipeKernels);
    if (!module) return;
    for (const std::string& isa : supported_isas()) {
      CAPTURE(isa);
      CAPTURE(level);
      body(PipePath{*module, isa});
    }
  }
}

}  // namespace

TEST_CASE("packets come out in the order in which they went in") {
  on_each_pipe_path([](const PipePath& path) {
    const Pipe pipe = make_pipe(300);
    const Piped filled = path.run("fill", 256, 64, pipe);
    CHECK(filled.out == std::vector<int>(256, 0));
    CHECK(filled.rules.empty());
    CHECK(packets_of(pipe) == counted(0, 256));
    const Piped drained = path.run("drain", 200, 50, pipe);
    CHECK(drained.out == counted(0, 200));
    CHECK(pipe.packets() == 56);
    const Piped asked = path.run("ask", 1, 1, pipe);
    CHECK(asked.out == std::vector<int>{56, 300});
  });
}

TEST_CASE("reservations keep their order, of work-items and of work-groups") {
  on_each_pipe_path([](const PipePath& path) {
    const Pipe pipe = make_pipe(64);
    const Piped filled = path.run("fill_reserved", 33, 33, pipe);
    CHECK(std::count(filled.out.begin(), filled.out.end(), 0) == 32);
    CHECK(filled.out[32] == -9);
    CHECK(filled.rules.empty());
    std::vector<int> expected;
    for (int i = 0; i < 32; ++i) expected.insert(expected.end(), {i * 10, i * 10 + 1});
    CHECK(packets_of(pipe) == expected);
    const Piped drained = path.run("drain_group", 80, 16, pipe);
    expected.insert(expected.end(), 16, -9);
    CHECK(drained.out == expected);
    CHECK(pipe.packets() == 0);
    const Piped grouped = path.run("fill_group", 200, 20, pipe);
    CHECK(std::count(grouped.out.begin(), grouped.out.end(), 0) == 60);
    CHECK(packets_of(pipe)[0] == 1019);
    CHECK(packets_of(pipe)[59] == 1040);
  });
}

TEST_CASE(
    "what is undefined of a packet that goes in is undefined when it comes out, in a later launch, "
    "too") {
  on_each_pipe_path([](const PipePath& path) {
    const PipePath checked{path.module, path.isa, true};
    const auto ran = [&](const char* kernel, const Pipe& pipe, int items) {
      return checked.run(kernel, static_cast<std::uint64_t>(items), 4, pipe);
    };
    for (const char* const fill : {"fill_pairs", "fill_reserved_pairs"}) {
      CAPTURE(fill);
      const bool has_lefts = fill == std::string_view("fill_pairs");
      const Pipe pipe = make_pipe(8, 8);
      for (int round = 0; round < 2; ++round) {
        // The second time the ring's slots are used again.
        CHECK(ran(fill, pipe, 8).rules.empty());
        const Piped lefts = ran("drain_lefts", pipe, 4), rights = ran("drain_rights", pipe, 4);
        CHECK(lefts.rules == (has_lefts ? Rules{} : Rules{"TSP-R0101"}));
        REQUIRE(rights.findings.size() == (has_lefts ? 1 : 0));
        if (has_lefts) CHECK(rights.findings[0].count == 2);
        CHECK(ran("drain_rights", pipe, 4).rules.empty());  // nothing comes: what was there stays
      }
      // What the host writes is defined, and what a launch writes that is not checked.
      const std::array<int, 16> numbers{};
      REQUIRE(pipe.write(std::as_bytes(std::span(numbers))).ok());
      CHECK(ran("drain_rights", pipe, 8).rules.empty());
      CHECK(path.run(fill, 8, 4, pipe).rules.empty());
      CHECK(ran("drain_lefts", pipe, 4).rules.empty());
      CHECK(ran("drain_rights", pipe, 4).rules.empty());
    }
  });
}

TEST_CASE("a launch that was ended is not blamed for what it left open") {
  on_each_pipe_path([](const PipePath& path) {
    const Pipe pipe = make_pipe(8);
    Launch launch = make_launch(path.module, "wait", 1, 1, pipe, make_buffer(4));
    launch.limits.max_steps = 1000;
    const LaunchResult counted = run(make_device(1, path.isa), launch);
    CHECK(counted.end == LaunchResult::End::kStepLimit);
    REQUIRE(rules_of(counted) == Rules{"TSP-L0001"});
    launch.limits.max_steps = 0;
    CHECK(within_growing_limits(0.0625, [&](double seconds) {
      launch.limits.timeout_seconds = seconds;
      const std::size_t before = pipe.packets();
      const LaunchResult timed = run(make_device(1, path.isa), launch);
      CHECK(timed.end == LaunchResult::End::kTimeLimit);
      REQUIRE(rules_of(timed) == Rules{"TSP-L0002"});
      return pipe.packets() > before;  // else it had not reserved yet
    }));
    // The pipe is nobody's all the same.
    CHECK(packets_of(pipe) == std::vector<int>{0, 0, 0, 0});
    CHECK(path.run("fill", 1, 1, pipe).rules.empty());
  });
}

TEST_CASE("packets of many bytes arrive whole, through private memory as well") {
  constexpr std::uint32_t kBytes = 300001;
  on_each_pipe_path([](const PipePath& path) {
    const Pipe from = make_pipe(2, kBytes), to = make_pipe(2, kBytes);
    std::vector<std::byte> packets(std::size_t{2} * kBytes);
    for (std::size_t i = 0; i < packets.size(); ++i)
      packets[i] = static_cast<std::byte>(i * 31 % 251);
    REQUIRE(from.write(packets));
    const Piped ran = path.run("relay", 2, 2, from, to);
    CHECK(ran.rules.empty());
    CHECK(from.packets() == 0);
    CHECK((to.contents() == packets));
  });
}

TEST_CASE("both ends of one pipe in one kernel are a finding") {
  on_each_pipe_path([](const PipePath& path) {
    const Pipe pipe = make_pipe(4);
    const Piped ran = path.run("both", 1, 1, pipe, pipe);
    CHECK(ran.rules == Rules{"TSP-R0088"});
    CHECK(ran.out[0] == 0);
    CHECK(path.run("fill", 1, 1, pipe).rules.empty());
  });
}

TEST_CASE("an end of a pipe that two launches use at the same time is a finding of the second") {
  on_each_pipe_path([](const PipePath& path) {
    const Pipe pipe = make_pipe(4);
    const Buffer out = make_buffer(8, "out");
    const std::span<int> words = out.as<int>();
    const std::atomic_ref<int> end(words[0]), has_end(words[1]);
    std::string first;
    std::jthread holds([&] {
      Launch launch = make_launch(path.module, "hold", 1, 1, pipe, out);
      launch.limits.timeout_seconds = 10 * kPatience.count();
      const auto ran = make_device(1, path.isa).run(launch);
      first = ran ? std::to_string(ran->findings.size()) : ran.errors()[0].message;
      has_end = 1;  // were it refused
    });
    while (has_end == 0) std::this_thread::yield();
    const Piped second = path.run("fill", 1, 1, pipe);
    CHECK(second.rules == Rules{"TSP-R0089"});
    CHECK(second.out[0] == 0);
    end = 1;
    holds.join();
    CHECK(first == "0");
    CHECK(packets_of(pipe) == std::vector<int>{1, 0});
    CHECK(path.run("fill", 1, 1, pipe).rules.empty());
  });
}

TEST_CASE("pipes of other packets are refused") {
  const std::optional<Module> module = compile_at("-O2", kPipeKernels);
  if (!module) return;
  const Buffer out = make_buffer(4, "out");
  const auto refused = [&](Argument argument) {
    Launch launch = make_launch(*module, "fill", 1, 1, std::move(argument), out);
    return error_of(make_device(1).run(launch));
  };
  CHECK(refused(Argument::pipe(make_pipe(4, 4))) == "ok");
  CHECK(
      refused(Argument::pipe(make_pipe(4, 16))) ==
      "TSP-C0003: argument 0 of kernel 'fill', 'write_only pipe int p': expected a pipe of packets "
      "of 4 bytes, found a pipe");
  CHECK(refused(Argument::buffer(out)).starts_with("TSP-C0003"));
}

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
