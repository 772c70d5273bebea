// Pipes, as kernels and the host have them: what goes through them, in which order, and what is told of.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <thread>

#include "tests/patience.h"
#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

constexpr std::string_view kPipeKernels = R"(
kernel void fill(write_only pipe int p, global int* rc) {
  int i = get_global_id(0);
  rc[i] = write_pipe(p, &i);
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
      CAPTURE(std::string(level));
      body(PipePath{*module, isa});
    }
  }
}

TEST_CASE("undefined bytes of a packet come out undefined, in a later launch, too") {
  on_each_pipe_path([](const PipePath& path) {
    const PipePath checked{path.module, path.isa, true};
    const auto ran = [&](const char* kernel, const Pipe& pipe, int items) {
      return checked.run(kernel, static_cast<std::uint64_t>(items), 4, pipe);
    };
    for (const char* const fill : {"fill_pairs", "fill_reserved_pairs"}) {
      CAPTURE(std::string(fill));
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
      // Packets are defined if the host writes them, or a launch that is not checked.
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

}  // namespace
}  // namespace transpire::test
