// The race checker looks at rows of accesses by whole segments, or cell by cell, or at each access by itself: what it finds is
// the same. Launches that are observed are told of lane by lane.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// Executes steps of nine words: operation, first and behind the last local id that makes it, byte offset, bytes from one
/// work-item to the next and from one group to the next, a number that is xored with the local id, 1 for local memory.
constexpr std::string_view kStepping = R"(
#define EACH(space, memory) \
  if (op == 0) sum += *(space uchar*)(memory + at); \
  else if (op == 1) sum += *(space ushort*)(memory + at); \
  else if (op == 2) sum += *(space uint*)(memory + at); \
  else if (op == 3) sum += *(space ulong*)(memory + at); \
  else if (op == 4) sum += ((space uint4*)(memory + at))->w; \
  else if (op == 5) sum += vload3(0, (space uchar*)(memory + at)).z; \
  else if (op == 6) sum += vload3(0, (space uint*)(memory + at)).z; \
  else if (op == 7) *(space uchar*)(memory + at) = (uchar)value; \
  else if (op == 8) *(space ushort*)(memory + at) = (ushort)value; \
  else if (op == 9) *(space uint*)(memory + at) = value; \
  else if (op == 10) *(space ulong*)(memory + at) = value; \
  else if (op == 11) *(space uint4*)(memory + at) = (uint4)(value); \
  else if (op == 12) vstore3((uchar3)((uchar)value), 0, (space uchar*)(memory + at)); \
  else if (op == 13) vstore3((uint3)(value), 0, (space uint*)(memory + at)); \
  else if (op == 14) atomic_add((volatile space uint*)(memory + at), value);
kernel void step(constant uint* code, uint steps, global uchar* data, local uchar* scratch, global uint* sink) {
  const uint l = get_local_id(0);
  uint sum = 0;
  for (uint s = 0; s < steps; ++s) {
    constant uint* step = code + s * 9;
    const uint op = step[0], value = step[8];
    if (op == 20) { barrier(CLK_LOCAL_MEM_FENCE); continue; }
    if (op == 21) { barrier(CLK_GLOBAL_MEM_FENCE); continue; }
    if (l < step[1] || l >= step[2]) continue;
    const uint at = step[3] + (l ^ step[6]) * step[4] + (uint)get_group_id(0) * step[5];
    if (step[7]) { EACH(local, scratch) } else { EACH(global, data) }
  }
  sink[get_global_id(0)] = sum;
}
)";

constexpr std::uint32_t kItemBytes[] = {1, 2, 4, 8, 16, 3, 12, 1, 2, 4, 8, 16, 3, 12, 4};
constexpr std::uint32_t kAligned[] = {1, 2, 4, 8, 16, 1, 4, 1, 2, 4, 8, 16, 1, 4, 4};
constexpr std::uint32_t kDataBytes = 1 << 16, kScratchBytes = 1 << 14;

std::vector<std::uint32_t> random_steps(std::mt19937& engine, std::uint32_t steps,
                                        std::uint32_t local_size) {
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  std::vector<std::uint32_t> words;
  for (std::uint32_t s = 0; s < steps; ++s) {
    if (random() % 4 == 0) {
      words.insert(words.end(), {20 + random() % 2, 0, 0, 0, 0, 0, 0, 0, 0});
      continue;
    }
    const std::uint32_t op = random() % 15, align = kAligned[op];
    const bool local = random() % 3 == 0;
    std::uint32_t first = 0, behind = local_size;
    if (random() % 3 == 0) {
      first = random() % local_size;
      behind = first + 1 + random() % (local_size - first);
    }
    // In order, as a rule; or one address for all, or gaps.
    const std::uint32_t strides[] = {kItemBytes[op], kItemBytes[op], kItemBytes[op], 0,
                                     (1 + random() % 4) * align};
    const std::uint32_t stride = strides[random() % 5];
    const std::uint32_t offset = random() % 2 == 0 ? 0 : random() % 8 * 16;
    const std::uint32_t apart = random() % 3 == 0 ? 0 : stride * local_size / align * align;
    const std::uint32_t swapped = random() % 6 == 0 ? random() % 8 : 0;
    words.insert(words.end(),
                 {op, first, behind, offset, stride, apart, swapped, local, random() % 2});
  }
  return words;
}

/// How often each was found. Which one of many readers is named may differ.
std::map<std::string, std::uint64_t> findings_of(const LaunchResult& result) {
  std::map<std::string, std::uint64_t> counts;
  for (const Finding& finding : result.findings)
    counts[finding.diagnostic.rule + " " + finding.diagnostic.message] += finding.count;
  return counts;
}

std::string spell(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [what, count] : counts) text += fmt::format("\n  {} times {}", count, what);
  return text;
}

}  // namespace

TEST_CASE("races: rows, segments and single accesses find the same") {
  const std::optional<Module> module = compile("step.cl", kStepping);
  if (!module) return;
  Device device = make_device();
  std::mt19937 random(5);
  std::uint32_t with_findings = 0;
  constexpr std::uint32_t kRounds = 400, kSizes[] = {16, 48, 64, 128, 200, 256};
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const std::uint32_t local_size = kSizes[random() % std::size(kSizes)],
                        groups = 1 + random() % 3;
    const std::vector<std::uint32_t> words = random_steps(random, 2 + random() % 8, local_size);
    std::map<std::string, std::uint64_t> found[2];
    for (const bool observed : {false, true}) {
      Buffer code = make_buffer(words.size() * 4), data = make_buffer(kDataBytes, "data");
      std::memcpy(code.bytes().data(), words.data(), words.size() * 4);
      Launch launch = make_launch(
          *module, "step", groups * local_size, local_size,
          {Argument::buffer(code), Argument::value(static_cast<std::uint32_t>(words.size() / 9)),
           Argument::buffer(data), Argument::local(kScratchBytes),
           Argument::buffer(make_buffer(groups * local_size * 4))});
      launch.check_race = true;
      launch.observed = observed;
      found[observed ? 1 : 0] = findings_of(run(device, launch));
    }
    with_findings += found[0].empty() ? 0 : 1;
    if (found[0] == found[1]) continue;
    INFO(fmt::format("round {}, {} groups of {}\nsteps {}\nrows: {}\nlanes: {}", round, groups,
                     local_size, fmt::join(words, " "), spell(found[0]), spell(found[1])));
    CHECK(found[0] == found[1]);
  }
  CHECK(with_findings > kRounds / 4);
  CHECK(with_findings < kRounds);
}

}  // namespace transpire::test
