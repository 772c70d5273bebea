// Pipes of kernels: what goes through them, in which order, and what is told of.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/patience.h"
#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

constexpr std::string_view kKernels = R"(
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
kernel void misuse(write_only pipe int p, write_only pipe int q, global int* out, int what) {
  reserve_id_t id = reserve_write_pipe(p, 2);
  int value = 5;
  out[0] = 0;
  if (what == 0) { id = reserve_write_pipe(p, 1000); out[0] = write_pipe(p, id, 0, &value); }
  if (what == 1) out[0] = write_pipe(q, id, 0, &value);
  if (what == 2) { commit_write_pipe(p, id); out[0] = write_pipe(p, id, 0, &value); }
  if (what == 3) out[0] = write_pipe(p, id, 2, &value);
  if (what == 4) { write_pipe(p, id, 1, &value); commit_write_pipe(p, id); }
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

struct Piped {
  std::vector<int> out;
  std::vector<Finding> findings;
  std::string rules() const {
    std::string text;
    for (const Finding& finding : findings)
      text += (text.empty() ? "" : " ") + finding.diagnostic.rule;
    return text;
  }
};

/// Runs a kernel whose arguments are the given ones and a buffer of an int for each work-item, which stands behind pipes.
Piped run_piped(const std::string& isa, const Module& module, const char* kernel,
                std::uint64_t items, std::uint64_t group, std::vector<Argument> arguments,
                std::vector<Argument> behind = {}, bool check_uninit = false) {
  const Buffer out = make_buffer(std::max<std::uint64_t>(items, 2) * 4, "out");
  arguments.push_back(Argument::buffer(out));
  arguments.insert(arguments.end(), behind.begin(), behind.end());
  Launch launch = make_launch(module, kernel, items, group, std::move(arguments));
  launch.check_uninit = check_uninit;
  auto result = make_device(4, isa).run(launch);
  if (!result) FAIL(format(result.errors()[0]));
  const auto ints = out.as<int>();
  return {{ints.begin(), ints.end()}, result->findings};
}

std::optional<Module> pipe_kernels(const char* level) { return compile_at(level, kKernels); }

template <class Body>
void on_each_pipe_path(const Body& body) {
  for (const char* level : {"-O0", "-O2"}) {
    const std::optional<Module> module = pipe_kernels(level);
    if (!module) return;
    for (const std::string& isa : supported_isas()) {
      CAPTURE(isa);
      CAPTURE(level);
      body(*module, isa);
    }
  }
}

}  // namespace

TEST_CASE("packets come out in the order in which they went in") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const Pipe pipe = make_pipe(300);
    const Piped filled = run_piped(isa, module, "fill", 256, 64, {Argument::pipe(pipe)});
    CHECK(filled.out == std::vector<int>(256, 0));
    CHECK(filled.rules() == "");
    CHECK(packets_of(pipe) == counted(0, 256));
    const Piped drained = run_piped(isa, module, "drain", 200, 50, {Argument::pipe(pipe)});
    CHECK(drained.out == counted(0, 200));
    CHECK(pipe.packets() == 56);
    const Piped asked = run_piped(isa, module, "ask", 1, 1, {Argument::pipe(pipe)});
    CHECK(asked.out == std::vector<int>{56, 300});
  });
}

TEST_CASE("a full pipe takes no packet, and an empty one gives none") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const Pipe pipe = make_pipe(5);
    std::vector<int> expected(8, -1);
    std::fill_n(expected.begin(), 5, 0);
    CHECK(run_piped(isa, module, "fill", 8, 8, {Argument::pipe(pipe)}).out == expected);
    expected = {0, 1, 2, 3, 4, -100, -100, -100};
    CHECK(run_piped(isa, module, "drain", 8, 8, {Argument::pipe(pipe)}).out == expected);
    CHECK(run_piped(isa, module, "drain", 2, 2, {Argument::pipe(pipe)}).out ==
          std::vector<int>{-100, -100});
  });
}

TEST_CASE("reservations keep their order, of work-items and of work-groups") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const Pipe pipe = make_pipe(64);
    const Piped filled = run_piped(isa, module, "fill_reserved", 33, 33, {Argument::pipe(pipe)});
    CHECK(std::count(filled.out.begin(), filled.out.end(), 0) == 32);
    CHECK(filled.out[32] == -9);
    CHECK(filled.rules() == "");
    std::vector<int> expected;
    for (int i = 0; i < 32; ++i) expected.insert(expected.end(), {i * 10, i * 10 + 1});
    CHECK(packets_of(pipe) == expected);
    const Piped drained = run_piped(isa, module, "drain_group", 80, 16, {Argument::pipe(pipe)});
    expected.insert(expected.end(), 16, -9);
    CHECK(drained.out == expected);
    CHECK(pipe.packets() == 0);
    const Piped grouped = run_piped(isa, module, "fill_group", 200, 20, {Argument::pipe(pipe)});
    CHECK(std::count(grouped.out.begin(), grouped.out.end(), 0) == 60);
    CHECK(packets_of(pipe)[0] == 1019);
    CHECK(packets_of(pipe)[59] == 1040);
  });
}

TEST_CASE(
    "what is undefined of a packet that goes in is undefined when it comes out, in a later launch, "
    "too") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const auto ran = [&](const char* kernel, const Pipe& pipe, int items) {
      return run_piped(isa, module, kernel, static_cast<std::uint64_t>(items), 4,
                       {Argument::pipe(pipe)}, {}, true);
    };
    for (const char* const fill : {"fill_pairs", "fill_reserved_pairs"}) {
      CAPTURE(fill);
      const bool has_lefts = fill == std::string_view("fill_pairs");
      const Pipe pipe = make_pipe(8, 8);
      for (int round = 0; round < 2; ++round) {
        // The second time the ring's slots are used again.
        CHECK(ran(fill, pipe, 8).rules() == "");
        const Piped lefts = ran("drain_lefts", pipe, 4), rights = ran("drain_rights", pipe, 4);
        CHECK(lefts.rules() == (has_lefts ? "" : "TSP-R0101"));
        REQUIRE(rights.findings.size() == (has_lefts ? 1 : 0));
        if (has_lefts) CHECK(rights.findings[0].count == 2);
        CHECK(ran("drain_rights", pipe, 4).rules() == "");  // nothing comes: what was there stays
      }
      // What the host writes is defined, and what a launch writes that is not checked.
      const std::array<int, 16> numbers{};
      REQUIRE(pipe.write(std::as_bytes(std::span(numbers))).ok());
      CHECK(ran("drain_rights", pipe, 8).rules() == "");
      CHECK(run_piped(isa, module, fill, 8, 4, {Argument::pipe(pipe)}).rules() == "");
      CHECK(ran("drain_lefts", pipe, 4).rules() == "");
      CHECK(ran("drain_rights", pipe, 4).rules() == "");
    }
  });
}

TEST_CASE("what a kernel does wrong with reservations is found") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const struct {
      int what;
      const char* rules;
      int result;
    } cases[] = {{0, "TSP-R0082 TSP-R0087", -1},
                 {1, "TSP-R0083 TSP-R0087", -1},
                 {2, "TSP-R0086 TSP-R0084", -1},
                 {3, "TSP-R0085 TSP-R0087", -1},
                 {4, "TSP-R0086", 0}};
    for (const auto& each : cases) {
      CAPTURE(each.what);
      const Pipe p = make_pipe(8), q = make_pipe(8, 4, "q");
      const Piped ran =
          run_piped(isa, module, "misuse", 1, 1, {Argument::pipe(p), Argument::pipe(q)},
                    {Argument::value(each.what)});
      CHECK(ran.rules() == each.rules);
      CHECK(ran.out[0] == each.result);
      CHECK(p.packets() == 2);  // what was left open is committed, what was not written is 0
      CHECK(packets_of(p)[0] == 0);
      CHECK(packets_of(p)[1] == (each.what == 4 ? 5 : 0));
      CHECK(ran.findings.back().allocation == (each.what == 1 ? "p" : ran.findings[0].allocation));
    }
  });
}

TEST_CASE("a launch that was ended is not blamed for what it left open") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const Pipe pipe = make_pipe(8);
    Launch launch =
        make_launch(module, "wait", 1, 1, {Argument::pipe(pipe), Argument::buffer(make_buffer(4))});
    launch.limits.max_steps = 1000;
    const LaunchResult counted = run(make_device(1, isa), launch);
    CHECK(counted.end == LaunchResult::End::kStepLimit);
    REQUIRE(counted.findings.size() == 1);
    CHECK(counted.findings[0].diagnostic.rule == "TSP-L0001");
    launch.limits.max_steps = 0;
    CHECK(within_growing_limits(0.0625, [&](double seconds) {
      launch.limits.timeout_seconds = seconds;
      const std::size_t before = pipe.packets();
      const LaunchResult timed = run(make_device(1, isa), launch);
      CHECK(timed.end == LaunchResult::End::kTimeLimit);
      REQUIRE(timed.findings.size() == 1);
      CHECK(timed.findings[0].diagnostic.rule == "TSP-L0002");
      return pipe.packets() > before;  // else it had not reserved yet
    }));
    // The pipe is nobody's all the same.
    CHECK(packets_of(pipe) == std::vector<int>{0, 0, 0, 0});
    CHECK(run_piped(isa, module, "fill", 1, 1, {Argument::pipe(pipe)}).rules() == "");
  });
}

TEST_CASE("packets of many bytes arrive whole, through private memory as well") {
  constexpr std::uint32_t kBytes = 300001;
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const Pipe from = make_pipe(2, kBytes), to = make_pipe(2, kBytes);
    std::vector<std::byte> packets(std::size_t{2} * kBytes);
    for (std::size_t i = 0; i < packets.size(); ++i)
      packets[i] = static_cast<std::byte>(i * 31 % 251);
    REQUIRE(from.write(packets));
    const Piped ran =
        run_piped(isa, module, "relay", 2, 2, {Argument::pipe(from), Argument::pipe(to)});
    CHECK(ran.rules() == "");
    CHECK(from.packets() == 0);
    CHECK((to.contents() == packets));
  });
}

TEST_CASE("both ends of one pipe in one kernel are a finding") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const Pipe pipe = make_pipe(4);
    const Piped ran =
        run_piped(isa, module, "both", 1, 1, {Argument::pipe(pipe), Argument::pipe(pipe)});
    CHECK(ran.rules() == "TSP-R0088");
    CHECK(ran.out[0] == 0);
    CHECK(run_piped(isa, module, "fill", 1, 1, {Argument::pipe(pipe)}).rules() == "");
  });
}

TEST_CASE("an end of a pipe that two launches use at the same time is a finding of the second") {
  on_each_pipe_path([](const Module& module, const std::string& isa) {
    const Pipe pipe = make_pipe(4);
    const Buffer out = make_buffer(8, "out");
    const std::span<int> words = out.as<int>();
    const std::atomic_ref<int> end(words[0]), has_end(words[1]);
    std::string first;
    std::jthread holds([&] {
      Launch launch =
          make_launch(module, "hold", 1, 1, {Argument::pipe(pipe), Argument::buffer(out)});
      launch.limits.timeout_seconds = 10 * kPatience.count();
      const auto ran = make_device(1, isa).run(launch);
      first = ran ? std::to_string(ran->findings.size()) : ran.errors()[0].message;
      has_end = 1;  // were it refused
    });
    while (has_end == 0) std::this_thread::yield();
    const Piped second = run_piped(isa, module, "fill", 1, 1, {Argument::pipe(pipe)});
    CHECK(second.rules() == "TSP-R0089");
    CHECK(second.out[0] == 0);
    end = 1;
    holds.join();
    CHECK(first == "0");
    CHECK(packets_of(pipe) == std::vector<int>{1, 0});
    CHECK(run_piped(isa, module, "fill", 1, 1, {Argument::pipe(pipe)}).rules() == "");
  });
}

TEST_CASE("pipes of other packets are refused") {
  const std::optional<Module> module = pipe_kernels("-O2");
  if (!module) return;
  const Buffer out = make_buffer(4, "out");
  const auto refused = [&](Argument argument) {
    Launch launch =
        make_launch(*module, "fill", 1, 1, {std::move(argument), Argument::buffer(out)});
    const auto result = make_device(1).run(launch);
    return result ? "ran" : result.errors()[0].rule + ": " + result.errors()[0].message;
  };
  CHECK(refused(Argument::pipe(make_pipe(4, 4))) == "ran");
  CHECK(
      refused(Argument::pipe(make_pipe(4, 16))) ==
      "TSP-C0003: argument 0 of kernel 'fill', 'write_only pipe int p': expected a pipe of packets "
      "of 4 bytes, found a pipe");
  CHECK(refused(Argument::buffer(out)).starts_with("TSP-C0003"));
}

}  // namespace transpire::test
