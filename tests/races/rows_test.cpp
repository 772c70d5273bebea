// The race checker looks at rows of accesses, to buffers and to texels, by whole segments, or cell by cell, or at each access by
// itself: what it finds is the same. Launches that are observed are told of lane by lane.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

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

/// Executes steps of nine words: operation, first and behind the last local id that makes it, which image, texel of the first
/// work-item, texels from one work-item to the next and from one group to the next, a number that is xored with the local
/// id, and one that says whether all store the same.
constexpr std::string_view kTexelStepping = R"(
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define EACH(image, suffix) \
  if (op == 0) sum += read_image##suffix(image, at).x; \
  else write_image##suffix(image, at, value);
kernel void step(constant uint* code, uint steps, read_write image2d_t bytes, read_write image2d_t words,
                 read_write image2d_t wide, write_only image2d_t pairs, global uint* sink) {
  const uint l = get_local_id(0);
  uint sum = 0;
  for (uint s = 0; s < steps; ++s) {
    constant uint* step = code + s * 9;
    const uint op = step[0];
    if (op == 20) { work_group_barrier(CLK_GLOBAL_MEM_FENCE); continue; }
    if (op == 21) { work_group_barrier(CLK_IMAGE_MEM_FENCE); continue; }
    if (op == 22) { sub_group_barrier(CLK_IMAGE_MEM_FENCE); continue; }
    if (l < step[1] || l >= step[2]) continue;
    const uint texel = step[4] + (l ^ step[7]) * step[5] + (uint)get_group_id(0) * step[6];
    const int2 at = (int2)(texel % 64, texel / 64);
    const uint4 value = (uint4)(step[8] ? l : 7, 1, 2, 3);
    if (step[3] == 0) { EACH(bytes, ui) }
    if (step[3] == 1) { EACH(words, ui) }
    if (step[3] == 2) { EACH(wide, ui) }
    if (step[3] == 3) write_imagef(pairs, at, convert_float4(value));
  }
  sink[get_global_id(0)] = sum;
}
)";

Image make_image(const std::string& order, const std::string& type) {
  ImageDescription description;
  description.channel_order = order;
  description.channel_type = type;
  description.width = 64;
  description.height = 20;  // texels beyond are another finding
  Result<Image> image = Image::create(description, order + " " + type);
  REQUIRE(image);
  return *image;
}

constexpr std::uint32_t kItemBytes[] = {1, 2, 4, 8, 16, 3, 12, 1, 2, 4, 8, 16, 3, 12, 4};
constexpr std::uint32_t kAligned[] = {1, 2, 4, 8, 16, 1, 4, 1, 2, 4, 8, 16, 1, 4, 4};
constexpr std::uint32_t kDataBytes = 1 << 16, kScratchBytes = 1 << 14;

using Words = std::vector<std::uint32_t>;

/// First and behind the last work-item of a step: all of them, or some.
std::pair<std::uint32_t, std::uint32_t> random_items(std::mt19937& random,
                                                     std::uint32_t local_size) {
  if (random() % 3 != 0) return {0, local_size};
  const auto first = static_cast<std::uint32_t>(random() % local_size);
  return {first, first + 1 + static_cast<std::uint32_t>(random() % (local_size - first))};
}

Words random_steps(std::mt19937& engine, std::uint32_t steps, std::uint32_t local_size) {
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  Words words;
  for (std::uint32_t s = 0; s < steps; ++s) {
    if (random() % 4 == 0) {
      words.insert(words.end(), {20 + random() % 2, 0, 0, 0, 0, 0, 0, 0, 0});
      continue;
    }
    const std::uint32_t op = random() % 15, align = kAligned[op];
    const bool local = random() % 3 == 0;
    const auto [first, behind] = random_items(engine, local_size);
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

Words random_texel_steps(std::mt19937& engine, std::uint32_t steps, std::uint32_t local_size) {
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  Words words;
  for (std::uint32_t s = 0; s < steps; ++s) {
    if (random() % 3 == 0) {
      words.insert(words.end(), {20 + random() % 3, 0, 0, 0, 0, 0, 0, 0, 0});
      continue;
    }
    const auto [first, behind] = random_items(engine, local_size);
    const std::uint32_t strides[] = {1, 1, 1, 0, 2};
    const std::uint32_t stride = strides[random() % 5];
    const std::uint32_t apart = random() % 3 == 0 ? 0 : std::max(stride, 1u) * local_size;
    const std::uint32_t swapped = random() % 4 == 0 ? random() % 8 : 0;
    words.insert(words.end(), {random() % 2, first, behind, random() % 4, random() % 2 * 16, stride,
                               apart, swapped, random() % 2});
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

struct Rounds {
  unsigned seed;
  std::uint32_t count, most_steps;
  std::vector<std::uint32_t> local_sizes;
  Words (*steps)(std::mt19937&, std::uint32_t count, std::uint32_t local_size);
};

/// Runs random steps, watched by rows and lane by lane. `memory` gives the arguments between the code and the results of the
/// work-items. Returns the number of rounds in which something was found.
template <class Memory>
std::uint32_t with_findings(const Module& module, const Rounds& rounds, const Memory& memory) {
  const Device device = make_device();
  std::mt19937 random(rounds.seed);
  std::uint32_t rounds_with_some = 0;
  for (std::uint32_t round = 0; round < rounds.count; ++round) {
    const std::uint32_t local_size = rounds.local_sizes[random() % rounds.local_sizes.size()],
                        groups = 1 + static_cast<std::uint32_t>(random() % 3);
    const Words words = rounds.steps(
        random, 2 + static_cast<std::uint32_t>(random() % (rounds.most_steps - 1)), local_size);
    std::map<std::string, std::uint64_t> found[2];
    for (const bool observed : {false, true}) {
      const Buffer code = make_buffer(words.size() * 4);
      std::memcpy(code.bytes().data(), words.data(), words.size() * 4);
      std::vector<Argument> arguments = args_of(code, static_cast<std::uint32_t>(words.size() / 9));
      for (Argument& argument : memory()) arguments.push_back(std::move(argument));
      arguments.push_back(Argument::buffer(make_buffer(groups * local_size * 4)));
      Launch launch =
          make_launch(module, "step", groups * local_size, local_size, std::move(arguments));
      launch.check_race = true;
      launch.observed = observed;
      found[observed ? 1 : 0] = findings_of(run(device, launch));
    }
    rounds_with_some += found[0].empty() ? 0 : 1;
    INFO(fmt::format("round {}, {} groups of {}\nsteps {}\nrows: {}\nlanes: {}", round, groups,
                     local_size, fmt::join(words, " "), spell(found[0]), spell(found[1])));
    CHECK(found[0] == found[1]);
  }
  return rounds_with_some;
}

/// A race of two stores to image 'a': what the finding says of the texel, and of what orders the two.
struct NamedTexel {
  std::string_view kernel, texel, help, version = "2.0";
};
const NamedTexel kNamedTexels[] = {
    {"kernel void k(write_only image3d_t a) { write_imagei(a, (int4)(3, 1, 2, 0), "
     "get_local_id(0)); }",
     "texel: (3, 1, 2)", "one instruction made both: each work-item needs a texel of its own"},
    {"kernel void k(write_only image3d_t a) { const int l = get_local_id(0); write_imagei(a, "
     "(int4)(l, 0, 1, 0), 1);"
     " barrier(CLK_GLOBAL_MEM_FENCE); write_imagei(a, (int4)(l ^ 1, 0, 1, 0), 2); }",
     "texel: (1, 0, 1)", "the barrier between them has no CLK_IMAGE_MEM_FENCE"},
    {"kernel void k(write_only image3d_t a) { const int l = get_local_id(0); write_imagei(a, "
     "(int4)(l, 0, 1, 0), 1);"
     " barrier(CLK_LOCAL_MEM_FENCE); write_imagei(a, (int4)(l ^ 1, 0, 1, 0), 2); }",
     "texel: (1, 0, 1)", "the barrier between them has no CLK_GLOBAL_MEM_FENCE", "1.2"},
    {"kernel void k(write_only image3d_t a) { if (get_local_id(0) == 0) write_imagei(a, "
     "(int4)(0, 1, 0, 0),"
     " (int)get_group_id(0)); }",
     "texel: (0, 1, 0)", "one instruction made both: each work-item needs a texel of its own"},
    {"kernel void k(write_only image3d_t a) { const int4 at = (int4)(get_local_id(0) / 2, 0, 0, 0);"
     " if (get_group_id(0) == 0) write_imagei(a, at, 1); barrier(CLK_LOCAL_MEM_FENCE);"
     " if (get_group_id(0) != 0) write_imagei(a, at, 2); }",
     "texel: (0, 0, 0)",
     "the two are of different work-groups: nothing but two launches orders what these do to an "
     "image"},
    {"kernel void k(write_only image3d_t a) { const int l = get_local_id(0); write_imagei(a, "
     "(int4)(l, 0, 0, 0), 1);"
     " write_imagei(a, (int4)(l ^ 1, 0, 0, 0), 2); }",
     "texel: (1, 0, 0)", "a barrier with CLK_IMAGE_MEM_FENCE between them orders the two"},
    {"#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
     "kernel void k(write_only image3d_t a) { write_imagei(a, (int4)(1, 0, 0, 0), 1, "
     "(int4)(get_local_id(0))); }",
     "texel: (1, 0, 0) of level 1",
     "one instruction made both: each work-item needs a texel of its own"},
};

TEST_CASE("races: rows, segments and single accesses find the same") {
  const std::optional<Module> module = compile("step.cl", kStepping);
  if (!module) return;
  const Rounds rounds{5, 400, 9, {16, 48, 64, 128, 200, 256}, random_steps};
  const std::uint32_t found = with_findings(*module, rounds, [] {
    return args_of(make_buffer(kDataBytes, "data"), Argument::local(kScratchBytes));
  });
  CHECK(found > rounds.count / 4);
  CHECK(found < rounds.count);
}

TEST_CASE("races: texels as rows and one by one are found alike") {
  const std::optional<Module> module = compile("step.cl", kTexelStepping);
  if (!module) return;
  const Rounds rounds{7, 300, 7, {16, 48, 64, 128, 200}, random_texel_steps};
  const std::uint32_t found = with_findings(*module, rounds, [] {
    return args_of(make_image("R", "UNSIGNED_INT8"), make_image("RGBA", "UNSIGNED_INT8"),
                   make_image("RGBA", "UNSIGNED_INT32"), make_image("RG", "FLOAT"));
  });
  CHECK(found > rounds.count / 5);
  CHECK(found < rounds.count - rounds.count / 10);
}

TEST_CASE("races: findings of texels name the texel and what orders images") {
  const Device device = make_device();
  for (const NamedTexel& row : kNamedTexels) {
    CAPTURE(row.kernel);
    LoadOptions options;
    options.build_options = {fmt::format("-cl-std=CL{}", row.version)};
    const std::optional<Module> module = compile(
        fmt::format("#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n{}", row.kernel),
        options);
    if (!module) return;
    ImageDescription description;
    description.dim = ImageDim::k3D;
    description.channel_order = "R";
    description.channel_type = "SIGNED_INT32";
    description.width = description.height = description.depth = 4;
    description.levels = row.texel.ends_with("level 1") ? 2 : 1;
    Result<Image> image = Image::create(description, "a");
    REQUIRE(image);
    Launch launch = make_launch(*module, "k", 4, 2, *image);
    launch.check_race = true;
    const LaunchResult result = run(device, launch);
    REQUIRE(!result.findings.empty());
    const Diagnostic& found = result.findings[0].diagnostic;
    CHECK(found.rule == "TSP-R0100");
    CHECK(found.message == "4-byte store of image 'a' races with a store of another work-item");
    CHECK(std::ranges::count(found.notes, row.texel) == 1);
    CHECK(found.help == row.help);
  }
}

}  // namespace
}  // namespace transpire::test
