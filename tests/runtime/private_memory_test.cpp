// Private memory: as many variables as a kernel has, and no more bytes than a launch's work-items need.
#include <fmt/format.h>

#include <algorithm>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// kernel test(global uint* out): `variables`, then `body`, to which %i, %bit, which is its last, and %other, the other
/// value of that bit, are known.
std::string kernel_of(std::uint64_t words, std::string_view variables, std::string_view body) {
  return fmt::format(R"(
OpName %last "last"
%array = OpTypeArray %uint %ulong_{}
kernel test(%_ptr_CrossWorkgroup_uint out)
{}
%ids = OpLoad %v3ulong %GlobalInvocationId
%i = OpCompositeExtract %ulong %ids 0
%bit = OpBitwiseAnd %ulong %i %ulong_1
%other = OpBitwiseXor %ulong %bit %ulong_1
%sum_0 = OpUConvert %uint %i
{}
)",
                     words, variables, body);
}

/// Adds 2 to the work-item's number through each of so many arrays, at a place that only it knows; with `reads_other`, then
/// what the last one has elsewhere, through a pointer that was stored.
std::string many(unsigned variables, bool reads_other) {
  const auto name = [&](unsigned n) {
    return n == variables ? std::string("last") : fmt::format("a_{}", n);
  };
  std::string own = "%kept = OpVariable %_ptr_Function__ptr_Function_uint Function\n", text;
  for (unsigned n = 1; n <= variables; ++n) {
    own += fmt::format("%{} = OpVariable %_ptr_Function_array Function\n", name(n));
    text += fmt::format(R"(%at_{0} = OpInBoundsAccessChain %_ptr_Function_uint %{1} %bit
%next_{0} = OpIAdd %uint %sum_{2} %uint_2
OpStore %at_{0} %next_{0} Aligned 4
%sum_{0} = OpLoad %uint %at_{0} Aligned 4
)",
                        n, name(n), n - 1);
  }
  if (reads_other)
    text += R"(%elsewhere = OpInBoundsAccessChain %_ptr_Function_uint %last %other
store %kept %elsewhere
%again = load %kept
%never = load %again
store %out[%i] %never
)";
  else
    text += fmt::format("store %out[%i] %sum_{}\n", variables);
  return kernel_of(2, own, text);
}

/// An array of so many words, between whose store and load there is a barrier or none.
std::string large(std::uint64_t words, bool has_barrier) {
  return kernel_of(words, "%last = OpVariable %_ptr_Function_array Function",
                   fmt::format(R"(%at = OpInBoundsAccessChain %_ptr_Function_uint %last %i
store %at %uint_2
{}
%from = OpInBoundsAccessChain %_ptr_Function_uint %last %i
%loaded = load %from
store %out[%i] %loaded)",
                               has_barrier ? "OpControlBarrier %uint_2 %uint_2 %uint_272" : ""));
}

Launch launch_of(const Module& module, std::uint64_t items, std::uint64_t local) {
  Launch launch = make_launch(module, "test", items, local, make_buffer(4 * items, "out"));
  launch.limits.timeout_seconds = 60;
  return launch;
}

void check_sums(const Launch& launch, unsigned variables) {
  const auto sums = launch.arguments[0].memory->as<std::uint32_t>();
  for (std::uint32_t i = 0; i < sums.size(); ++i) CHECK(sums[i] == i + 2 * variables);
}

/// Where slots are cut, and where without that those with a shadow, those with a tag, and so the variables would end.
constexpr unsigned kCounts[] = {1,    511,  512,  513,  682,  683,  1023, 1024,
                                1365, 1366, 2045, 2046, 2047, 2048, 6145};

TEST_CASE("a kernel has as many private variables as it declares, with checks and without") {
  const Device device = make_device();
  for (const unsigned variables : kCounts) {
    CAPTURE(variables);
    const Module module = load(many(variables, false));
    for (const bool checks : {false, true}) {
      Launch launch = launch_of(module, 3, 3);
      launch.check_uninit = launch.check_bounds = checks;
      CHECK(run(device, launch).findings.empty());
      check_sums(launch, variables);
    }
  }
}

TEST_CASE("of very many private variables undefined values and their names are found as of few") {
  const Device device = make_device();
  for (const unsigned variables : {1u, 2046u, 2047u, 6145u}) {
    CAPTURE(variables);
    Launch launch = launch_of(load(many(variables, true)), 2, 2);
    launch.check_uninit = true;
    const LaunchResult result = run(device, launch);
    REQUIRE(rules_of(result) == Rules{"TSP-R0101"});
    const std::vector<std::string>& notes = result.findings[0].diagnostic.notes;
    CHECK(std::ranges::any_of(notes, [](const std::string& note) {
      return note.find("private variable 'last'") != std::string::npos;
    }));
  }
}

TEST_CASE("private memory is what a launch's work-items need, whatever the width of a batch") {
  constexpr std::uint64_t kWords = std::uint64_t{1} << 17, kBytes = 4 * kWords;
  struct Case {
    std::uint64_t items, local;
    bool has_barrier;
    std::uint64_t charged;  ///< work-items
  };
  for (const Case& each :
       {Case{1, 1, false, 1}, Case{1, 1, true, 1}, Case{2, 1, false, 2}, Case{3, 3, true, 4},
        Case{33, 33, true, 64}, Case{64, 64, false, 64}, Case{65, 65, true, 128},
        Case{128, 128, true, 128}, Case{130, 130, true, 256}, Case{130, 130, false, 128}}) {
    const Module module = load(large(kWords, each.has_barrier));
    for (const std::string& isa : isas_of_each_width()) {
      CAPTURE(isa);
      CAPTURE(each.items);
      CAPTURE(each.has_barrier);
      const Device device = make_device(1, isa);
      Launch launch = launch_of(module, each.items, each.local);
      // Registers take a few pages.
      launch.limits.max_memory_bytes = each.charged * kBytes + kBytes / 2;
      CHECK(run(device, launch).findings.empty());
      for (const std::uint32_t loaded : launch.arguments[0].memory->as<std::uint32_t>())
        CHECK(loaded == 2);
      launch.limits.max_memory_bytes = each.charged * kBytes;
      CHECK(error_of(device.run(launch)).starts_with("TSP-L0004: the launch needs "));
    }
  }
}

}  // namespace
}  // namespace transpire::test
