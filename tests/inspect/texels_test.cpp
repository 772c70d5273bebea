// The race checker looks at texels as rows, or at each access by itself where a launch is observed: what it finds is the same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

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
  description.height = 20;  // what lies beyond is another finding
  Result<Image> image = Image::create(description, order + " " + type);
  REQUIRE(image);
  return *image;
}

std::vector<std::uint32_t> random_texel_steps(std::mt19937& engine, std::uint32_t steps,
                                              std::uint32_t local_size) {
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  std::vector<std::uint32_t> words;
  for (std::uint32_t s = 0; s < steps; ++s) {
    if (random() % 3 == 0) {
      words.insert(words.end(), {20 + random() % 3, 0, 0, 0, 0, 0, 0, 0, 0});
      continue;
    }
    std::uint32_t first = 0, behind = local_size;
    if (random() % 3 == 0) {
      first = random() % local_size;
      behind = first + 1 + random() % (local_size - first);
    }
    const std::uint32_t strides[] = {1, 1, 1, 0, 2};
    const std::uint32_t stride = strides[random() % 5];
    const std::uint32_t apart = random() % 3 == 0 ? 0 : std::max(stride, 1u) * local_size;
    const std::uint32_t swapped = random() % 4 == 0 ? random() % 8 : 0;
    words.insert(words.end(), {random() % 2, first, behind, random() % 4, random() % 2 * 16, stride,
                               apart, swapped, random() % 2});
  }
  return words;
}

/// How often each was found.
std::map<std::string, std::uint64_t> found_of(const LaunchResult& result) {
  std::map<std::string, std::uint64_t> counts;
  for (const Finding& finding : result.findings)
    counts[finding.diagnostic.rule + " " + finding.diagnostic.message] += finding.count;
  return counts;
}

struct NamedTexel {
  std::string_view kernel, version, message, texel, help;
};
const NamedTexel kNamedTexels[] = {
    {"kernel void k(write_only image3d_t a) { write_imagei(a, (int4)(3, 1, 2, 0), "
     "get_local_id(0)); }",
     "2.0", "4-byte store of image 'a' races with a store of another work-item", "texel: (3, 1, 2)",
     "one instruction made both: each work-item needs a texel of its own"},
    {"kernel void k(write_only image3d_t a) { const int l = get_local_id(0); write_imagei(a, "
     "(int4)(l, 0, 1, 0), 1);"
     " barrier(CLK_GLOBAL_MEM_FENCE); write_imagei(a, (int4)(l ^ 1, 0, 1, 0), 2); }",
     "2.0", "4-byte store of image 'a' races with a store of another work-item", "texel: (1, 0, 1)",
     "the barrier between them has no CLK_IMAGE_MEM_FENCE"},
    {"kernel void k(write_only image3d_t a) { const int l = get_local_id(0); write_imagei(a, "
     "(int4)(l, 0, 1, 0), 1);"
     " barrier(CLK_LOCAL_MEM_FENCE); write_imagei(a, (int4)(l ^ 1, 0, 1, 0), 2); }",
     "1.2", "4-byte store of image 'a' races with a store of another work-item", "texel: (1, 0, 1)",
     "the barrier between them has no CLK_GLOBAL_MEM_FENCE"},
    {"kernel void k(write_only image3d_t a) { if (get_local_id(0) == 0) write_imagei(a, "
     "(int4)(0, 1, 0, 0),"
     " (int)get_group_id(0)); }",
     "2.0", "4-byte store of image 'a' races with a store of another work-item", "texel: (0, 1, 0)",
     "one instruction made both: each work-item needs a texel of its own"},
    {"kernel void k(write_only image3d_t a) { const int4 at = (int4)(get_local_id(0) / 2, 0, 0, 0);"
     " if (get_group_id(0) == 0) write_imagei(a, at, 1); barrier(CLK_LOCAL_MEM_FENCE);"
     " if (get_group_id(0) != 0) write_imagei(a, at, 2); }",
     "2.0", "4-byte store of image 'a' races with a store of another work-item", "texel: (0, 0, 0)",
     "the two are of different work-groups: nothing but two launches orders what these do to an "
     "image"},
    {"kernel void k(write_only image3d_t a) { const int l = get_local_id(0); write_imagei(a, "
     "(int4)(l, 0, 0, 0), 1);"
     " write_imagei(a, (int4)(l ^ 1, 0, 0, 0), 2); }",
     "2.0", "4-byte store of image 'a' races with a store of another work-item", "texel: (1, 0, 0)",
     "a barrier with CLK_IMAGE_MEM_FENCE between them orders the two"},
    {"#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
     "kernel void k(write_only image3d_t a) { write_imagei(a, (int4)(1, 0, 0, 0), 1, "
     "(int4)(get_local_id(0))); }",
     "2.0", "4-byte store of image 'a' races with a store of another work-item",
     "texel: (1, 0, 0) of level 1",
     "one instruction made both: each work-item needs a texel of its own"},
};

}  // namespace

TEST_CASE("races: texels as rows and one by one are found alike") {
  const std::optional<Module> module = compile("step.cl", kTexelStepping);
  if (!module) return;
  Device device = make_device();
  std::mt19937 random(7);
  std::uint32_t with_findings = 0, without = 0;
  constexpr std::uint32_t kRounds = 300, kSizes[] = {16, 48, 64, 128, 200};
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const std::uint32_t local_size = kSizes[random() % std::size(kSizes)],
                        groups = 1 + random() % 3;
    const std::vector<std::uint32_t> words =
        random_texel_steps(random, 2 + random() % 6, local_size);
    std::map<std::string, std::uint64_t> found[2];
    for (const bool observed : {false, true}) {
      Buffer code = make_buffer(words.size() * 4);
      std::memcpy(code.bytes().data(), words.data(), words.size() * 4);
      Launch launch = make_launch(
          *module, "step", groups * local_size, local_size,
          {Argument::buffer(code), Argument::value(static_cast<std::uint32_t>(words.size() / 9)),
           Argument::image(make_image("R", "UNSIGNED_INT8")),
           Argument::image(make_image("RGBA", "UNSIGNED_INT8")),
           Argument::image(make_image("RGBA", "UNSIGNED_INT32")),
           Argument::image(make_image("RG", "FLOAT")),
           Argument::buffer(make_buffer(groups * local_size * 4))});
      launch.check_race = true;
      launch.observed = observed;
      found[observed ? 1 : 0] = found_of(run(device, launch));
    }
    ++(found[0].empty() ? without : with_findings);
    CAPTURE(round);
    CAPTURE(fmt::format("{} groups of {}, steps {}", groups, local_size, fmt::join(words, " ")));
    CHECK(found[0] == found[1]);
  }
  CHECK(with_findings > kRounds / 5);
  CHECK(without > kRounds / 10);
}

TEST_CASE("races: findings of texels name the texel and what orders images") {
  Device device = make_device();
  for (const NamedTexel& row : kNamedTexels) {
    CAPTURE(row.kernel);
    const TemporaryFile file(
        ".cl",
        fmt::format("#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n{}", row.kernel));
    LoadOptions options;
    options.build_options = {fmt::format("-cl-std=CL{}", row.version)};
    Result<Module> module = Module::load_file(file.path(), options);
    if (!module && module.errors()[0].rule == "TSP-C0031") return;  // there is no compiler
    REQUIRE(module);
    ImageDescription description;
    description.dim = ImageDim::k3D;
    description.channel_order = "R";
    description.channel_type = "SIGNED_INT32";
    description.width = description.height = description.depth = 4;
    description.levels = row.texel.ends_with("level 1") ? 2 : 1;
    Result<Image> image = Image::create(description, "a");
    REQUIRE(image);
    Launch launch = make_launch(*module, "k", 4, 2, {Argument::image(*image)});
    launch.check_race = true;
    const LaunchResult result = run(device, launch);
    REQUIRE(!result.findings.empty());
    const Diagnostic& found = result.findings[0].diagnostic;
    CHECK(found.rule == "TSP-R0100");
    CHECK(found.message == row.message);
    CHECK(std::ranges::count(found.notes, row.texel) == 1);
    CHECK(found.help == row.help);
  }
}

}  // namespace transpire::test
