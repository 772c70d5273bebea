// Random control-flow graphs: the blocks that each work-item visits, and what its phis carry, must
// be what a walk over the generator's own graph says (graph.h). See harness.h for the options.
#include <fmt/format.h>

#include "tests/fuzz/oracle/graph.h"

namespace transpire::oracle {
namespace {

constexpr Geometry3 kGeometries[] = {
    {1, 1, 70, 1},  {3, 1, 50, 1},  {7, 1, 21, 1}, {33, 1, 5, 1}, {64, 1, 3, 1},
    {130, 1, 2, 1}, {257, 1, 1, 1}, {13, 5, 2, 2}, {4, 3, 3, 5},
};
constexpr int kGeometriesOfCase = 2;

struct Expected {
  Geometry3 geometry;
  std::vector<Walk> walks;
  std::uint32_t room = 1;  ///< the longest trace
};

/// Nothing when a walk is too long.
std::optional<Expected> expect(const Kernel& kernel, const Geometry3& geometry,
                               std::uint32_t salt) {
  Expected expected{geometry, {}, 1};
  for (std::uint32_t item = 0; item < geometry.items(); ++item) {
    const std::uint32_t group = item / geometry.group_items(),
                        local = item % geometry.group_items();
    expected.walks.push_back(walk_kernel(kernel, salt, group, local, geometry.group_items()));
    if (expected.walks.back().too_long) return std::nullopt;
    expected.room =
        std::max(expected.room, static_cast<std::uint32_t>(expected.walks.back().trace.size()));
  }
  return expected;
}

struct Case {
  Kernel kernel;
  std::uint32_t salt = 0;
  bool checks = false,
       counts_steps = false;  ///< the launch looks for what is undefined, limits steps
  std::vector<Expected> expected;
};

Case make_case(const Options& options, std::uint64_t index) {
  Random random = random_of_case(options.seed, index);
  while (true) {
    Case made{make_kernel(random, options.validate),
              static_cast<std::uint32_t>(random.bits()),
              random.chance(20),
              random.chance(20),
              {}};
    for (int i = 0; i < kGeometriesOfCase; ++i) {
      Geometry3 geometry = random.pick(kGeometries);
      while (made.kernel.linear_ids && geometry.local_y != 1) geometry = random.pick(kGeometries);
      auto expected = expect(made.kernel, geometry, made.salt);
      if (!expected) break;
      made.expected.push_back(std::move(*expected));
    }
    if (made.expected.size() == kGeometriesOfCase) return made;
  }
}

struct Memory {
  Buffer traces, results, lengths, states, visits, table;
};

Memory allocate(std::uint64_t items, std::uint64_t room, std::uint64_t blocks) {
  Memory memory{
      *Buffer::create(items * room * 2, "traces"), *Buffer::create(items * 8, "results"),
      *Buffer::create(items * 4, "lengths"),       *Buffer::create(items * 12, "states"),
      *Buffer::create(blocks * 4, "visits"),       *Buffer::create(kTableSize * 4, "table")};
  for (std::uint32_t i = 0; i < kTableSize; ++i)
    memory.table.as<std::uint32_t>()[i] = table_element(i);
  return memory;
}

std::string compare_visits(const Expected& expected, const Memory& memory) {
  const auto visits = memory.visits.as<std::uint32_t>();
  std::vector<std::uint32_t> counts(visits.size());
  for (const Walk& walk : expected.walks)
    for (const std::uint16_t block : walk.counted) ++counts[block];
  for (std::size_t block = 0; block < counts.size(); ++block)
    if (visits[block] != counts[block])
      return fmt::format("block {} counted {}, expected {}", block, visits[block], counts[block]);
  return {};
}

/// What differs from the expected walks; empty when nothing does.
std::string compare(const Expected& expected, const Memory& memory) {
  const auto lengths = memory.lengths.as<std::uint32_t>();
  const auto results = memory.results.as<std::uint64_t>();
  const auto traces = memory.traces.as<std::uint16_t>();
  for (std::size_t item = 0; item < expected.walks.size(); ++item) {
    const Walk& walk = expected.walks[item];
    for (std::size_t i = 0; i < walk.trace.size(); ++i) {
      const std::uint16_t block = traces[item * expected.room + i];
      if (block != walk.trace[i])
        return fmt::format("work-item {}: step {} of {} is block {}, expected {} after {}", item, i,
                           walk.trace.size(), block, walk.trace[i],
                           i == 0 ? "nothing" : fmt::to_string(walk.trace[i - 1]));
    }
    if (lengths[item] != walk.trace.size())
      return fmt::format("work-item {}: {} steps, expected {}", item, lengths[item],
                         walk.trace.size());
    if (results[item] != walk.result)
      return fmt::format("work-item {}: result {}, expected {}", item, results[item], walk.result);
  }
  return compare_visits(expected, memory);
}

std::string run_once(const Device& device, const Module& module, bool reference, const Case& made,
                     const Expected& expected) {
  const Geometry3& shape = expected.geometry;
  const Memory memory = allocate(shape.items(), expected.room, made.kernel.numbers + 1);
  Launch launch(module, "walk");
  launch.reference = reference;
  launch.limits.timeout_seconds = 120;  // only a hang takes so long
  launch.limits.max_steps = made.counts_steps ? 1'000'000'000 : 0;
  launch.check_ub = made.checks;
  launch.check_bounds = made.checks;
  launch.geometry.dimensions = 2;
  if (shape.local_y == 1 && shape.groups_y == 1) launch.geometry.dimensions = 1;
  launch.geometry.global_size = {shape.local_x * shape.groups_x, shape.local_y * shape.groups_y, 1};
  launch.geometry.local_size = {shape.local_x, shape.local_y, 1};
  launch.arguments = {
      Argument::buffer(memory.traces),          Argument::value(expected.room),
      Argument::buffer(memory.results),         Argument::buffer(memory.lengths),
      Argument::buffer(memory.states),          Argument::value(made.salt),
      Argument::local(shape.group_items() * 4), Argument::value(shape.group_items()),
      Argument::buffer(memory.visits),          Argument::buffer(memory.table)};
  const std::string trouble = trouble_of(device.run(launch));
  return trouble.empty() ? compare(expected, memory) : trouble;
}

std::string describe(const Geometry3& shape) {
  return fmt::format("local {}x{}, groups {}x{}", shape.local_x, shape.local_y, shape.groups_x,
                     shape.groups_y);
}

/// A block that was not visited, or another result.
void corrupt(Walk& walk, std::uint64_t index) {
  if (index % 2 == 0 && !walk.trace.empty())
    walk.trace.back() ^= 1;
  else
    walk.result ^= 1;
}

Verdict run_case(Devices& devices, const Options& options, std::uint64_t index) {
  Case made = make_case(options, index);
  if (options.self_test) corrupt(made.expected.back().walks.back(), index);
  Verdict verdict;
  verdict.module = text_of(made.kernel);
  const std::optional<Module> module = load_case(options, verdict);
  if (!module) return verdict;
  for (const Setup& setup : setups(options, index))
    for (const Expected& expected : made.expected) {
      const std::string different =
          run_once(devices.get(setup), *module, setup.reference, made, expected);
      if (different.empty()) continue;
      verdict.deviation += fmt::format("  {}, {}, salt {}:\n    {}\n", describe(setup),
                                       describe(expected.geometry), made.salt, different);
    }
  return verdict;
}

}  // namespace
}  // namespace transpire::oracle

int main(int count, char** arguments) {
  return transpire::oracle::run_oracle("control_flow", count, arguments,
                                       transpire::oracle::run_case);
}
