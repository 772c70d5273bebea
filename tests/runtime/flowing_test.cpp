// Kernels whose work-items do not need each other, in groups that do not fill batches: what the
// work-items see of their groups, and what is found about them, is as if each group had its own
// batches. Without a compiler on the machine these tests pass without running.
#include <optional>

#include "runtime/state.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr std::string_view kKernels = R"(
kernel void places(global uint* out) {
  size_t i = get_global_id(0);
  uint seen[5];
  seen[0] = get_local_id(0);
  seen[1] = get_group_id(0);
  seen[2] = get_local_size(0) + 10000 * get_num_groups(0);
  seen[3] = get_local_linear_id();
  seen[4] = get_local_id(1) + get_group_id(2);
  for (int k = 0; k < 5; ++k) out[i * 5 + k] = seen[(k + seen[0]) % 5];
}

kernel void divergent(global uint* out) {
  uint n = 0, l = get_local_id(0);
  for (uint k = l; k != 1 && k != 0; ++n) k = k % 2 == 0 ? k / 2 : 3 * k + 1;
  out[get_global_id(0)] = n * 1000 + get_group_id(0);
}

kernel void wrong(global uint* out, uint first, uint every) {
  size_t i = get_global_id(0);
  if (i >= first && (i - first) % every == 0) out[1 << 20] = 1;
  out[i] = 1;
}

kernel void endless(global uint* out, uint at) {
  uint i = get_global_id(0);
  while (i == at) out[0] = i;
}

kernel void meets(global uint* out) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}

uint first_of(local uint* shared) { return shared[0]; }

kernel void shares(global uint* out, local uint* shared) { out[get_global_id(0)] = first_of(shared); }

kernel void ignores(global uint* out, local uint* shared) { out[get_global_id(0)] = get_group_id(0); }

kernel void says(global uint* out) { printf("%u", out[get_global_id(0)]); }

kernel void alone(global uint* out) { out[get_global_id(0)] = 1; }
)";

const Module* kernels() {
  static const std::optional<Module> module = compile("flowing_test.cl", kKernels);
  return module ? &*module : nullptr;
}

Launch make_launch(const std::string& kernel, std::uint64_t global, std::uint64_t local,
                   std::vector<Argument> arguments) {
  return test::make_launch(*kernels(), kernel, global, local, std::move(arguments));
}

/// On every instruction set, with one and with several threads, on both paths, in groups of several
/// sizes.
template <class Body>
void everywhere(Body body) {
  if (kernels() == nullptr) return;
  for (const std::string& isa : supported_isas())
    for (unsigned threads : {1u, 3u})
      for (const bool reference : {false, true})
        for (std::uint64_t local : {3u, 33u, 65u, 100u, 129u, 250u}) {
          CAPTURE(isa);
          CAPTURE(threads);
          CAPTURE(reference);
          CAPTURE(local);
          body(make_device(threads, isa), local, reference);
        }
}

constexpr std::uint64_t kGroups = 23;

}  // namespace

TEST_CASE("each kernel of a module is asked whether its batches may flow") {
  if (kernels() == nullptr) return;
  const runtime::ModuleState& state = *kernels()->state();
  const auto use = [&](std::string_view kernel) { return state.uses[*state.find_kernel(kernel)]; };
  for (const std::string_view kernel :
       {"places", "divergent", "wrong", "endless", "ignores", "alone"})
    CHECK(use(kernel).may_flow());
  for (const std::string_view kernel : {"meets", "shares", "says"})
    CHECK_FALSE(use(kernel).may_flow());
  CHECK(use("alone").group_is_invisible());
  CHECK(use("says").group_is_invisible());
  for (const std::string_view kernel : {"places", "meets", "shares", "ignores"})
    CHECK_FALSE(use(kernel).group_is_invisible());
}

TEST_CASE("work-items of flowing batches know their places") {
  everywhere([](const Device& device, std::uint64_t local, bool reference) {
    const std::uint64_t items = kGroups * local;
    const Buffer out = make_buffer(items * 20);
    Launch launch = make_launch("places", items, local, {Argument::buffer(out)});
    launch.reference = reference;
    CHECK(run(device, launch).findings.empty());
    const std::span<std::uint32_t> got = out.as<std::uint32_t>();
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < items; ++i) {
      const std::uint64_t l = i % local;
      const std::uint64_t seen[] = {l, i / local, local + 10000 * kGroups, l, 0};
      for (std::uint64_t k = 0; k < 5; ++k) wrong += got[i * 5 + k] != seen[(k + l) % 5];
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("work-items of flowing batches part and meet") {
  everywhere([](const Device& device, std::uint64_t local, bool reference) {
    const std::uint64_t items = kGroups * local;
    const Buffer out = make_buffer(items * 4);
    Launch launch = make_launch("divergent", items, local, {Argument::buffer(out)});
    launch.reference = reference;
    CHECK(run(device, launch).findings.empty());
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < items; ++i) {
      std::uint32_t n = 0;
      for (std::uint64_t k = i % local; k > 1; ++n) k = k % 2 == 0 ? k / 2 : 3 * k + 1;
      wrong += out.as<std::uint32_t>()[i] != n * 1000 + i / local;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("findings in flowing batches name the work-item and its group") {
  everywhere([](const Device& device, std::uint64_t local, bool reference) {
    const std::uint64_t items = kGroups * local;
    const std::uint32_t first = static_cast<std::uint32_t>(items / 3), every = 7;
    const Buffer out = make_buffer(items * 4);
    Launch launch =
        make_launch("wrong", items, local,
                    {Argument::buffer(out), Argument::value(first), Argument::value(every)});
    launch.reference = reference;
    const LaunchResult result = run(device, launch);
    REQUIRE(result.findings.size() == 1);
    const Finding& finding = result.findings[0];
    CHECK(finding.count == (items - first + every - 1) / every);
    CHECK(finding.global_id[0] == first);
    CHECK(finding.group_id[0] == first / local);
    CHECK(finding.local_id[0] == first % local);
  });
}

TEST_CASE("a work-item of a flowing batch that does not end is named") {
  everywhere([](const Device& device, std::uint64_t local, bool reference) {
    const std::uint64_t items = kGroups * local;
    const std::uint32_t at = static_cast<std::uint32_t>(items / 2);
    const Buffer out = make_buffer(items * 4);
    Launch launch =
        make_launch("endless", items, local, {Argument::buffer(out), Argument::value(at)});
    launch.reference = reference;
    launch.limits.max_steps = 10000;
    const LaunchResult result = run(device, launch);
    CHECK(result.end == LaunchResult::End::kStepLimit);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].group_id[0] == at / local);
    CHECK(result.findings[0].local_id[0] == at % local);
  });
}

TEST_CASE("progress counts the groups of flowing batches") {
  if (kernels() == nullptr) return;
  const Buffer out = make_buffer(1300 * 65 * 4);
  Launch launch = make_launch("wrong", 1300 * 65, 65,
                              {Argument::buffer(out), Argument::value(~0u), Argument::value(1u)});
  std::uint64_t last = 0, total = 0;
  launch.progress = [&](std::uint64_t done, std::uint64_t all) {
    CHECK(done >= last);
    CHECK(done <= all);
    last = done;
    total = all;
    return true;
  };
  CHECK(run(make_device(2), launch).findings.empty());
  if (total != 0) CHECK(total == 1300);
}

}  // namespace transpire::test
