// The order of findings, and which follow from which.
#include <string>
#include <vector>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// "R0020@3", "R0060@5<-3": the rule, its line, and the line of what it follows from.
std::vector<std::string> spell(const LaunchResult& result) {
  std::vector<std::string> all;
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
  std::string source;
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

/// Kernel k(a, b, t) with a and b of 8 zeros and t of 8 thousands.
LaunchResult run_kernel(const Kernel& kernel, const Module& module, const Device& device) {
  Buffer a = make_buffer(32, "a"), b = make_buffer(32, "b"), t = make_buffer(32, "t");
  for (int& element : t.as<int>()) element = 1000;
  t.set_read_only(kernel.table_is_read_only);
  Launch launch = make_launch(module, "k", kernel.items, 0,
                              {Argument::buffer(a), Argument::buffer(b), Argument::buffer(t)});
  launch.geometry.local_size = {std::min<std::uint64_t>(kernel.items, 256), 1, 1};
  launch.check_ub = true;
  return run(device, launch);
}

/// What is found, the same whatever the optimiser did, on every instruction set and any number of threads.
std::vector<std::string> found(const Kernel& kernel) {
  std::vector<std::string> first;
  bool is_first = true;
  for (const bool optimise : {true, false}) {
    const TemporaryFile file(".cl", kernel.source);
    LoadOptions options;
    options.optimise_source = optimise;
    const Result<Module> module = Module::load_file(file.path(), options);
    if (!module.ok()) {
      if (module.errors()[0].rule != "TSP-C0031") FAIL(format(module.errors()[0]));
      return {"no compiler"};
    }
    for (const std::string& isa : supported_isas()) {
      for (const unsigned threads : {1u, 2u, 8u}) {
        const std::vector<std::string> now =
            spell(run_kernel(kernel, *module, make_device(threads, isa)));
        if (is_first) first = now;
        is_first = false;
        CAPTURE(isa);
        CAPTURE(threads);
        CAPTURE(optimise);
        CHECK(now == first);
      }
    }
  }
  return first;
}

void check(const Kernel& kernel, const std::vector<std::string>& expected) {
  const std::vector<std::string> all = found(kernel);
  if (all != std::vector<std::string>{"no compiler"}) CHECK(all == expected);
}

constexpr const char* kCausesHead =
    "kernel void k(global int* a, global int* b, global volatile int* t) {\n"
    "  int g = get_global_id(0);\n";

}  // namespace

TEST_CASE("what a fault gave is followed to indexes and divisors") {
  check({std::string(kCausesHead) + "  int i = a[g + 8];\n"
                                    "  int j = b[i - 1];\n"
                                    "  a[(100 / j) & 1] = 1;\n"
                                    "}\n"},
        {"R0020@3", "R0020@4<-3", "R0060@5<-4"});
}

TEST_CASE("the first cause counts all that follows") {
  const Kernel kernel{std::string(kCausesHead) +
                      "  int i = a[g + 8];\n  int j = b[i - 1];\n  a[(100 / j) & 1] = 1;\n}\n"};
  const TemporaryFile file(".cl", kernel.source);
  const Result<Module> module = Module::load_file(file.path());
  if (!module.ok()) return;
  const LaunchResult result = run_kernel(kernel, *module, make_device());
  REQUIRE(result.findings.size() == 3);
  CHECK(result.findings[0].is_first_cause());
  CHECK(result.findings[0].consequences == 2);
  CHECK(result.findings[0].diagnostic.notes[0] ==
        "first cause: 2 findings below follow from this one");
  CHECK_FALSE(result.findings[1].is_first_cause());
  CHECK(result.findings[1].consequences == 1);
  CHECK(result.findings[1].diagnostic.notes[0] ==
        "follows from TSP-R0020 at " + file.path() + ":3:11");
}

TEST_CASE("what does not use a fault's value does not follow from it") {
  check({std::string(kCausesHead) + "  int i = a[g + 8];\n"
                                    "  t[0] = i;\n"
                                    "  i = g;\n"
                                    "  b[i + 100] = 1;\n"
                                    "}\n"},
        {"R0020@3", "R0021@6"});
}

TEST_CASE("another work-item's fault is no cause") {
  check({std::string(kCausesHead) + "  int x = 0;\n"
                                    "  if (g == 0) x = a[100];\n"
                                    "  b[x + (g == 1 ? 100 : g)] = 1;\n"
                                    "}\n"},
        {"R0020@4", "R0021@5"});
}

TEST_CASE("a store that was dropped is followed to where it is missing") {
  check({std::string(kCausesHead) + "  t[g] = 7;\n"
                                    "  int i = t[g];\n"
                                    "  b[i] = 1;\n"
                                    "}\n",
         4, true},
        {"R0024@3", "R0021@5<-3"});
  // What was stored elsewhere is not missing here.
  check({std::string(kCausesHead) + "  t[g] = 7;\n"
                                    "  int i = t[g ^ 1];\n"
                                    "  b[i] = 1;\n"
                                    "}\n",
         4, true},
        {"R0024@3", "R0021@5"});
}

TEST_CASE("calls and private arrays are seen through") {
  check({"int get(global int* from, int i) { return from[i]; }\n"
         "void put(int* to, int value) { *to = value; }\n"
         "kernel void k(global int* a, global int* b, global volatile int* t) {\n"
         "  int g = get_global_id(0);\n"
         "  int kept[4];\n"
         "  put(&kept[t[0] & 3], get(a, g + 8));\n"
         "  b[kept[t[1] & 3] - 1] = 1;\n"
         "}\n"},
        {"R0020@1", "R0021@7<-1"});
  // Not where the same function was called with something else.
  check({"int get(global int* from, int i) { return from[i]; }\n"
         "kernel void k(global int* a, global int* b, global volatile int* t) {\n"
         "  int g = get_global_id(0);\n"
         "  t[0] = get(a, g + 8);\n"
         "  b[get(a, g) - 1] = 1;\n"
         "}\n"},
        {"R0020@1", "R0021@5"});
}

TEST_CASE("findings of one work-item come as it executed them") {
  check({std::string(kCausesHead) + "  int i = 0;\n"
                                    "  for (int n = 0; n < 2; ++n) {\n"
                                    "    if (n == t[0] - 999)\n"
                                    "      b[i + 99] = 1;\n"
                                    "    else\n"
                                    "      i = a[g + 8];\n"
                                    "  }\n"
                                    "}\n"},
        {"R0020@8", "R0021@6<-8"});
}

TEST_CASE("findings come by barriers passed before work-items") {
  check({std::string(kCausesHead) + "  local int tile[256];\n"
                                    "  tile[g & 255] = g == 200 ? a[100] : 1;\n"
                                    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "  if (g == 3) b[tile[200] - 1] = 1;\n"
                                    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "  if (g == 0) b[tile[200] - 2] = 1;\n"
                                    "}\n",
         256},
        {"R0020@4", "R0021@6", "R0021@8"});
}

TEST_CASE("a value goes through local memory where both pointers are made in the same way") {
  check({std::string(kCausesHead) + "  local int tile[256];\n"
                                    "  tile[g & 255] = a[g + 8];\n"
                                    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "  b[tile[g & 255] - 1] = 1;\n"
                                    "}\n",
         256},
        {"R0020@4", "R0021@6<-4"});
}

TEST_CASE("two rules of one access do not follow from each other, on any number of threads") {
  const TemporaryFile file(".cl", kTwoRules);
  LoadOptions options;
  options.build_options = {"-cl-opt-disable"};
  const Result<Module> module = Module::load_file(file.path(), options);
  if (!module.ok()) {
    if (module.errors()[0].rule != "TSP-C0031") FAIL(format(module.errors()[0]));
    return;
  }
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    for (int turn = 0; turn < 4; ++turn) {
      Buffer a = make_buffer(64, "a");
      Launch launch =
          make_launch(*module, "k", 1024, 512, {Argument::buffer(a), Argument::value(30u)});
      launch.check_bounds = true;
      CAPTURE(threads);
      // The access follows from the chain that left the buffer, and not from the index of another one.
      CHECK(spell(run(make_device(threads), launch)) ==
            std::vector<std::string>{"R0028@6", "R0030@6", "R0020@6<-6"});
    }
  }
}

}  // namespace transpire::test
