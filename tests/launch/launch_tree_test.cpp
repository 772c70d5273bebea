// The kernels that a launch's kernels enqueued, as people read it.
#include "launch/runner/launch_tree.h"

#include <algorithm>

#include "tests/launch/support.h"

namespace transpire::test {
namespace {

ChildLaunch child(const std::string& kernel, std::size_t parent, std::uint32_t line,
                  std::uint64_t items = 4) {
  ChildLaunch child;
  child.kernel = kernel;
  child.parent = parent;
  child.source = {"k.cl", line, 3};
  child.global_size = {items, 1, 1};
  child.local_size = {std::min<std::uint64_t>(items, 64), 1, 1};
  child.seconds = 1e-6;
  child.end = ChildLaunch::End::kCompleted;
  return child;
}

constexpr std::size_t kLaunch = ChildLaunch::kLaunch;

LaunchReport report_of(std::vector<ChildLaunch> children) {
  LaunchReport report;
  report.child_count = children.size();
  report.children = std::move(children);
  return report;
}

std::string tree_of(std::vector<ChildLaunch> children) {
  return format_tree(report_of(std::move(children)));
}

TEST_CASE("one line for each child that is unlike the others") {
  ChildLaunch plane = child("b", 0, 5);
  plane.dimensions = 2;
  plane.global_size = {8, 4, 1};
  plane.local_size = {2, 4, 1};
  plane.enqueued_by = {3, 0, 0};
  ChildLaunch marker = child("", kLaunch, 6);
  CHECK(tree_of({child("a", kLaunch, 4), plane, marker}) ==
        "  a: 4 work-items in groups of 4, 1 us; enqueued at k.cl:4:3 by work-item (0,0,0)\n"
        "    b: 8x4 work-items in groups of 2x4, 1 us; enqueued at k.cl:5:3 by work-item (3,0,0)\n"
        "  marker enqueued at k.cl:6:3 by work-item (0,0,0)\n");
  ChildLaunch nowhere = child("a", kLaunch, 0, 1);
  nowhere.source = {};
  CHECK(tree_of({nowhere}) ==
        "  a: 1 work-item in groups of 1, 1 us; enqueued by work-item (0,0,0)\n");
  CHECK(tree_of({}).empty());
}

TEST_CASE("children that are alike are one line") {
  std::vector<ChildLaunch> children;
  for (std::uint64_t i = 0; i < 100; ++i) {
    children.push_back(child("a", kLaunch, 4));
    children.back().enqueued_by = {i % 10, 0, 0};
  }
  CHECK(
      tree_of(children) ==
      "  a 100 times: 4 work-items in groups of 4, 100 us; enqueued at k.cl:4:3 by 10 work-items, "
      "the first (0,0,0)\n");
  children.resize(3);
  children[0].global_size = {128, 1, 1};
  children[1].global_size = {1, 1, 1};
  children[0].local_size = {64, 1, 1};
  children[2].findings = 2;
  CHECK(tree_of(children) ==
        "  a 3 times: 1 to 128 work-items, 133 in all, in groups of 4 to 64, 3 us; enqueued at "
        "k.cl:4:3 by 3 work-items, the first (0,0,0); 2 findings\n");
  children[0].findings = 1;
  CHECK(tree_of(children).ends_with("; 3 findings in 2 of them\n"));
  children[1].source.line = 5;
  children[2].kernel = "b";
  const std::string text = tree_of(children);
  CHECK(std::ranges::count(text, '\n') == 3);
}

TEST_CASE("what became of children is told") {
  using End = ChildLaunch::End;
  std::vector<ChildLaunch> children(6, child("a", kLaunch, 4));
  children[0].end = End::kStopped;
  for (std::size_t i = 1; i < children.size(); ++i) children[i].seconds = 0;
  children[1].end = End::kStopped;
  children[2].end = End::kCancelled;
  children[3].end = End::kRefused;
  children[3].local_size = {};
  children[4].end = children[5].end = End::kNeverRan;
  const std::string at = "; enqueued at k.cl:4:3 by work-item (0,0,0)";
  CHECK(tree_of(children) == "  a: 4 work-items in groups of 4, 1 us" + at + "; ended early\n" +
                                 "  a: 4 work-items in groups of 4" + at + "; not begun\n" +
                                 "  a: 4 work-items in groups of 4" + at +
                                 "; cancelled: an event that it waited for has an error\n" +
                                 "  a: 4 work-items" + at + "; could not be launched\n" +
                                 "  a 2 times: 4 work-items in groups of 4" + at +
                                 "; never ran: nothing that it waited for could still come\n");
}

TEST_CASE("what a kernel enqueues of itself is one line, however deep") {
  std::vector<ChildLaunch> children;
  for (std::size_t i = 0; i < 10'000; ++i)
    children.push_back(child("a", i == 0 ? kLaunch : i - 1, 4));
  CHECK(tree_of(children).starts_with("  a 10000 times, nested 10000 deep: 4 work-items"));
  // By way of another one.
  children.clear();
  for (std::size_t i = 0; i < 10; ++i)
    children.push_back(child(i % 2 == 0 ? "a" : "b", i == 0 ? kLaunch : i - 1, 4));
  const std::string text = tree_of(children);
  CHECK(text.starts_with("  a 5 times, nested 5 deep: "));
  CHECK(text.find("\n    b 5 times: ") != std::string::npos);
  CHECK(std::ranges::count(text, '\n') == 2);
}

TEST_CASE("trees are neither endlessly long nor endlessly wide") {
  std::vector<ChildLaunch> children;
  for (std::uint32_t i = 0; i < 60; ++i)
    children.push_back(child("a", i == 0 ? kLaunch : i - 1, i + 1));
  std::string text = tree_of(children);
  CHECK(std::ranges::count(text, '\n') == 51);
  CHECK(text.find("\n                a: 4 work-items") != std::string::npos);
  CHECK(text.find("\n                  a") == std::string::npos);
  CHECK(text.ends_with("\n  and 10 more lines like these; --format=json tells all\n"));
  ChildLaunch huge = child("a", kLaunch, 1);
  huge.global_size = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  text = tree_of({huge, huge, child("a", kLaunch, 1)});
  CHECK(text.find(", 18446744073709551615 in all, ") != std::string::npos);
}

TEST_CASE("the launch's line has how many there were") {
  LaunchReport report = report_of({child("a", kLaunch, 1), child("a", kLaunch, 1)});
  report.child_seconds = 0.5;
  CHECK(format_enqueued(report) == "; enqueued 2 kernels, 500 ms");
  report.children[1].kernel = "";
  CHECK(format_enqueued(report) == "; enqueued 1 kernel and 1 marker, 500 ms");
  report.child_count = 3;
  CHECK(format_enqueued(report) == "; enqueued 3 kernels and markers, 500 ms");
  CHECK(format_tree(report).ends_with("\n  and 1 more, which were only counted\n"));
  report = report_of({child("", kLaunch, 1)});
  CHECK(format_enqueued(report) == "; enqueued 1 marker, 0 us");
  CHECK(format_enqueued(report_of({})).empty());
}

TEST_CASE("repeated launches have all their children") {
  LaunchResult result;
  result.children = {child("a", kLaunch, 1), child("b", 0, 2)};
  result.child_count = 2;
  result.child_seconds = 1;
  LaunchReport report;
  for (int i = 0; i < 3; ++i) add_children(report, result);
  CHECK((report.child_count == 6 && report.child_seconds == 3));
  REQUIRE(report.children.size() == 6);
  CHECK(report.children[4].parent == kLaunch);
  CHECK(report.children[5].parent == 4);
  for (int i = 0; i < 6'000; ++i) add_children(report, result);
  CHECK(report.children.size() == LaunchResult::kMostChildren);
  CHECK(report.child_count == 12'006);
}

}  // namespace
}  // namespace transpire::test
