// The order of findings, and which follow from which.
#include <fmt/format.h>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// "R0020@3", "R0060@5<-3": the rule, its line, and the line of what it follows from.
Rules spell(const LaunchResult& result) {
  Rules all;
  for (const Finding& finding : result.findings) {
    std::string text =
        finding.diagnostic.rule.substr(4) + "@" + std::to_string(finding.diagnostic.source.line);
    if (finding.follows_from) {
      REQUIRE(finding.follows_from->finding < all.size());
      const Finding& cause = result.findings[finding.follows_from->finding];
      CHECK(cause.consequences != 0);
      CHECK(cause.diagnostic.rule == finding.follows_from->rule);
      text += "<-" + std::to_string(finding.follows_from->source.line);
    }
    all.push_back(std::move(text));
  }
  return all;
}

struct Kernel {
  const char* what;
  std::string source;
  Rules expected;
  std::uint64_t items = 4;
  bool table_is_read_only = false;
};

/// Two rules find fault with one access, whose first work-items are of different groups.
constexpr const char* kTwoRules =
    "kernel void k(global uint* a, uint n) {\n"
    "  size_t row = get_group_id(0) == 0 ? 0 : 1000;\n"
    "  size_t col = 5;\n"
    "  global uint (*m)[4] = (global uint (*)[4])a;\n"
    "  for (uint i = 0; i < n; i++) {\n"
    "    uint x = m[row][col];\n"
    "    row += x;\n"
    "  }\n"
    "  a[0] = row;\n"
    "}\n";

/// A kernel of a, b and t, with a and b of 8 zeros and t of 8 thousands.
LaunchResult run_kernel(const Kernel& kernel, const std::string& name, const Module& module,
                        const Device& device) {
  Buffer a = make_buffer(32, "a"), b = make_buffer(32, "b"), t = make_buffer(32, "t");
  for (int& element : t.as<int>()) element = 1000;
  t.set_read_only(kernel.table_is_read_only);
  Launch launch = make_launch(module, name, kernel.items, 0, a, b, t);
  launch.geometry.local_size = {std::min<std::uint64_t>(kernel.items, 256), 1, 1};
  launch.check_ub = true;
  return run(device, launch);
}

/// A kernel of that body.
std::string with_head(std::string_view body) {
  return fmt::format(
      "kernel void k(global int* a, global int* b, global volatile int* t) {{\n"
      "  int g = get_global_id(0);{}}}\n",
      body);
}

/// The first line of a body is line 3.
const std::vector<Kernel> kKernelsWithCauses = {
    {"what a fault gave is followed to indexes and divisors",
     with_head(R"(
  int i = a[g + 8];
  int j = b[i - 1];
  a[(100 / j) & 1] = 1;
)"),
     {"R0020@3", "R0020@4<-3", "R0060@5<-4"}},
    {"what does not use a fault's value does not follow from it",
     with_head(R"(
  int i = a[g + 8];
  t[0] = i;
  i = g;
  b[i + 100] = 1;
)"),
     {"R0020@3", "R0021@6"}},
    {"another work-item's fault is no cause",
     with_head(R"(
  int x = 0;
  if (g == 0) x = a[100];
  b[x + (g == 1 ? 100 : g)] = 1;
)"),
     {"R0020@4", "R0021@5"}},
    {"a store that was dropped is followed to where it is missing",
     with_head(R"(
  t[g] = 7;
  int i = t[g];
  b[i] = 1;
)"),
     {"R0024@3", "R0021@5<-3"},
     4,
     true},
    {"what was stored elsewhere is not missing here",
     with_head(R"(
  t[g] = 7;
  int i = t[g ^ 1];
  b[i] = 1;
)"),
     {"R0024@3", "R0021@5"},
     4,
     true},
    {"calls and private arrays are seen through",
     R"(int get(global int* from, int i) { return from[i]; }
void put(int* to, int value) { *to = value; }
kernel void k(global int* a, global int* b, global volatile int* t) {
  int g = get_global_id(0);
  int kept[4];
  put(&kept[t[0] & 3], get(a, g + 8));
  b[kept[t[1] & 3] - 1] = 1;
}
)",
     {"R0020@1", "R0021@7<-1"}},
    {"the same function called with something else is not the cause",
     R"(int fetch(global int* from, int i) { return from[i]; }
kernel void k(global int* a, global int* b, global volatile int* t) {
  int g = get_global_id(0);
  t[0] = fetch(a, g + 8);
  b[fetch(a, g) - 1] = 1;
}
)",
     {"R0020@1", "R0021@5"}},
    {"findings of one work-item come as it executed them",
     with_head(R"(
  int i = 0;
  for (int n = 0; n < 2; ++n) {
    if (n == t[0] - 999)
      b[i + 99] = 1;
    else
      i = a[g + 8];
  }
)"),
     {"R0020@8", "R0021@6<-8"}},
    {"findings come by barriers passed before work-items",
     with_head(R"(
  local int tile[256];
  tile[g & 255] = g == 200 ? a[100] : 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (g == 3) b[tile[200] - 1] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (g == 0) b[tile[200] - 2] = 1;
)"),
     {"R0020@4", "R0021@6", "R0021@8"},
     256},
    {"a value goes through local memory where both pointers are made in the same way",
     with_head(R"(
  local int tile[256];
  tile[g & 255] = a[g + 8];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[tile[g & 255] - 1] = 1;
)"),
     {"R0020@4", "R0021@6<-4"},
     256}};

TEST_CASE("findings are followed to their causes, and come in order") {
  // One module has all kernels, each with the lines that it has alone.
  std::string source;
  for (std::size_t i = 0; i < kKernelsWithCauses.size(); ++i) {
    std::string one = kKernelsWithCauses[i].source;
    one.insert(one.find("void k(") + 6, std::to_string(i));
    source += "#line 1\n" + one;
  }
  for (const bool optimise : {true, false}) {
    LoadOptions options;
    options.optimise_source = optimise;
    const std::optional<Module> module = compile(source, options);
    if (!module) return;
    for (const std::string& isa : supported_isas())
      for (const unsigned threads : {1u, 2u, 8u})
        for (std::size_t i = 0; i < kKernelsWithCauses.size(); ++i) {
          const Kernel& kernel = kKernelsWithCauses[i];
          CAPTURE(std::string(kernel.what));
          CAPTURE(isa);
          CAPTURE(threads);
          CAPTURE(optimise);
          CHECK(spell(run_kernel(kernel, fmt::format("k{}", i), *module,
                                 make_device(threads, isa))) == kernel.expected);
        }
  }
}

TEST_CASE("two rules of one access do not follow from each other, on any number of threads") {
  LoadOptions options;
  options.build_options = {"-cl-opt-disable"};
  const std::optional<Module> module = compile(kTwoRules, options);
  if (!module) return;
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    for (int turn = 0; turn < 4; ++turn) {
      Buffer a = make_buffer(64, "a");
      Launch launch = make_launch(*module, "k", 1024, 512, a, 30u);
      launch.check_bounds = true;
      CAPTURE(threads);
      // The access follows from the chain that left the buffer, and not from the index of another one.
      CHECK(spell(run(make_device(threads), launch)) == Rules{"R0028@6", "R0030@6", "R0020@6<-6"});
    }
  }
}

}  // namespace
}  // namespace transpire::test
