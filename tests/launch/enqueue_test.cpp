// Queues as arguments of the launch language, and what a launch's kernels enqueued, as people read it.
#include "launch/bind.h"
#include "launch/launch_tree.h"
#include "launch/launch_writer.h"
#include "launch/plan_builder.h"
#include "launch/queue_argument.h"
#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;

namespace {

ParameterInfo queue_parameter() {
  ParameterInfo parameter;
  parameter.name = "q";
  parameter.type.spelling = "queue_t";
  parameter.is_queue = true;
  return parameter;
}

Result<BoundArgument> bound(const ParameterInfo& parameter, const std::string& words) {
  const auto argument = parse_argument(parameter.name, words);
  if (!argument) return argument.errors();
  return bind_argument(parameter, *argument, {}, 1 << 20);
}

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

}  // namespace

TEST_CASE("queues by words") {
  const auto queue = parse_argument("q", " queue ");
  REQUIRE(queue);
  CHECK(queue->kind == ArgumentSpec::Kind::kQueue);
  CHECK(queue->queue.empty());
  const auto named = parse_argument("q", "queue  2 ");
  REQUIRE(named);
  CHECK((named->kind == ArgumentSpec::Kind::kQueue && named->queue == "2"));
  CHECK(parse_argument("q", "queue:small")->queue == "small");
  CHECK(error_of(parse_argument("q", "queue small 4KiB")) ==
        "TSP-C0021: '4KiB' was not expected after 'queue small'");
  LaunchWriter writer;
  writer.argument(*queue, "queue_t q");
  writer.argument(*named);
  CHECK(writer.text() == "arg q = queue  # queue_t q\narg q = queue 2\n");
  PlanBuilder builder("");
  CHECK(error_of(builder.buffer("q", "queue")) ==
        "TSP-C0021: buffer 'q' needs contents, not 'queue'");
}

TEST_CASE("queues are declared by statements") {
  const auto queue = parse_queue(" small  4 KiB");
  REQUIRE(queue);
  CHECK((queue->name == "small" && queue->size_bytes == 4096));
  CHECK_FALSE(parse_queue("usual")->size_bytes);
  CHECK(parse_queue("one 1")->size_bytes == 1);
  CHECK(parse_queue("all 1GiB")->size_bytes == DeviceQueue::kMaxBytes);
  for (const auto& [words, error] :
       {std::pair{"", "TSP-C0021: the name of the queue is missing"},
        {"none", "TSP-C0021: a queue cannot be called 'none'"},
        {"a 0",
         "TSP-C0022: queue 'a': expected 1 to 1073741824 bytes as the size of a queue, found 0"},
        {"a 1073741825",
         "TSP-C0022: queue 'a': expected 1 to 1073741824 bytes as the size of a queue, found "
         "1073741825"},
        {"a 99999999999GiB", "TSP-C0022: '99999999999' is too large"},
        {"a b", "TSP-C0022: 'b' is no number of bytes: a whole number is expected"},
        {"a handle 0", "TSP-C0022: queue 'a' has the handle 0, and 1 to 4294967295 can be"},
        {"a 1 handle 4294967296",
         "TSP-C0022: queue 'a' has the handle 4294967296, and 1 to 4294967295 can be"},
        {"a 1 handle", "TSP-C0022: '' is no handle: a whole number is expected"},
        {"a -1", "TSP-C0022: '-1' is no number of bytes: a whole number is expected"},
        {"a 1 default",
         "TSP-C0022: '1 default' is no number of bytes: a whole number is expected"}})
    CHECK(error_of(parse_queue(words)) == error);
  PlanBuilder builder("");
  REQUIRE(builder.queue("a"));
  CHECK(error_of(builder.queue("a 4KiB")) == "TSP-C0021: queue 'a' is declared twice");
  for (std::size_t i = 1; i < kMaxDeviceQueues; ++i)
    REQUIRE(builder.queue("q" + std::to_string(i)));
  CHECK(error_of(builder.queue("b")) == "TSP-C0022: expected at most 1024 queues, found 1025");
  for (const char* const words : {"", " ", "a b"})
    CHECK(error_of(builder.default_queue(words)) ==
          "TSP-C0021: 'default-queue' takes the name of a queue, or 'none'");
}

TEST_CASE("a launch has the default queue, and those that were declared") {
  const auto queues = [](const std::string& text) {
    return parse_launch_text(text + "kernel k\nglobal 1\n", "f.launch");
  };
  // By handle: its size; the first one is the default one where there is one.
  const auto given = [](const Result<LaunchPlan>& plan) {
    const auto known = queues_of(*plan);
    REQUIRE(known);
    std::string text = known->has_default ? "" : "none ";
    for (const auto& [_, queue] : known->queues)
      text += std::to_string(queue.handle) + ":" + std::to_string(queue.size_bytes) + " ";
    return text;
  };
  const std::string usual = std::to_string(DeviceQueue{}.size_bytes);
  CHECK(given(queues("")) == "1:" + usual + " ");
  CHECK(given(queues("default-queue none\n")) == "none ");
  CHECK(given(queues("queue b 100\nqueue a\n")) == "1:" + usual + " 2:100 3:" + usual + " ");
  CHECK(given(queues("queue b 100 handle 1\nqueue a 2\nqueue c handle 3\n")) ==
        "2:" + usual + " 1:100 4:2 3:" + usual + " ");
  CHECK(error_of(queues_of(*queues("queue b handle 2\nqueue a 5 handle 2\n"))) ==
        "TSP-C0022: another queue than 'a' has the handle 2");
  const auto chosen = queues("default-queue a\nqueue b 100\nqueue a 2KiB\n");
  CHECK(given(chosen) == "1:2048 2:100 ");
  CHECK(given(queues("default-queue none\nqueue b 100\n")) == "none 1:100 ");
  CHECK(given(queues("queue b 100\ndefault-queue none\ndefault-queue b\n")) == "1:100 ");
  CHECK(queues_of(*chosen)->find("b")->size_bytes == 100);
  CHECK(queues_of(*chosen)->find("")->size_bytes == 2048);
  CHECK(error_of(queues_of(*queues("queue small\ndefault-queue smal\n"))) ==
        "TSP-C0003: there is no queue 'smal'");
  LaunchWriter writer;
  for (const QueueSpec& queue : chosen->queues) writer.queue(queue);
  writer.queue({"c", {}, {}, {}});
  writer.queue({"d", 1, 9, {}});
  writer.default_queue(chosen->default_queue->name);
  CHECK(writer.text() ==
        "queue b 100\nqueue a 2048\nqueue c\nqueue d 1 handle 9\ndefault-queue a\n");
  CHECK(given(queues(writer.text())) == "1:2048 2:100 3:" + usual + " 9:1 ");
}

TEST_CASE("names of queues are those that were declared") {
  const ParameterInfo parameter = queue_parameter();
  KnownQueues known;
  const auto refused = [&](const std::string& words) {
    return error_of(bind_argument(parameter, *parse_argument("q", words), {}, 1 << 20, known));
  };
  CHECK(refused("queue a") == "TSP-C0003: argument 'q': there is no queue 'a'");
  known.queues.push_back({"small", {2, 100}});
  CHECK(refused("queue smal") == "TSP-C0003: argument 'q': there is no queue 'smal'");
  const auto bound =
      bind_argument(parameter, *parse_argument("q", "queue small"), {}, 1 << 20, known);
  REQUIRE(bound);
  CHECK((bound->argument.kind == Argument::Kind::kQueue && bound->argument.address == 2));
  known.queues.erase(known.queues.begin());
  known.has_default = false;
  CHECK(refused("queue") == "TSP-C0003: argument 'q': there is no default queue");
}

TEST_CASE("flags declare queues, and replace those of a file") {
  LaunchFlags flags;
  flags.queues = {"a=4KiB", "b"};
  flags.default_queue = "b";
  CHECK(describes_launch(flags));
  auto plan = parse_launch_text("queue a 100\nqueue c 5\nkernel k\nglobal 1\n", "f.launch");
  REQUIRE(plan);
  REQUIRE(override_plan(*plan, flags));
  std::string text;
  for (const QueueSpec& queue : plan->queues)
    text += queue.name + ":" + std::to_string(queue.size_bytes.value_or(0)) + " ";
  CHECK(text == "a:4096 c:5 b:0 ");
  CHECK(plan->default_queue->name == "b");
  flags.queues = {"a=1", "a=2", "b=0", "c=1=2"};
  CHECK(error_of(plan_from_flags(flags)) == "TSP-C0021: queue 'a' is declared twice");
  flags = {};
  flags.default_queue = "none";
  CHECK(describes_launch(flags));
}

TEST_CASE("faults on memory whose name has blanks") {
  const auto plan = parse_launch_text(
      "kernel k\nglobal 1\nexpect fault TSP-R0020 on \"captures of # \\\"k\" at 3 line 2\n"
      "expect fault TSP-R0020 on \"y\"\nexpect fault TSP-R0020 on \"y\n",
      "f.launch");
  REQUIRE(plan);
  CHECK(plan->expected_faults[0].buffer == "captures of # \"k");
  CHECK(plan->expected_faults[0].line == 2);
  CHECK(plan->expected_faults[1].buffer == "y");
  CHECK(plan->expected_faults[2].buffer == "\"y");
  LaunchWriter writer;
  writer.expect(plan->expected_faults[0]);
  writer.expect(plan->expected_faults[1]);
  CHECK(writer.text() ==
        "expect fault TSP-R0020 on \"captures of # \\\"k\" at 3,0,0 line 2\n"
        "expect fault TSP-R0020 on y\n");
}

TEST_CASE("queues meet their parameters") {
  const ParameterInfo parameter = queue_parameter();
  CHECK(kind_of(parameter) == ParameterKind::kQueue);
  CHECK(argument_template(parameter) == "q = queue");
  const auto queue = bound(parameter, "queue");
  REQUIRE(queue);
  CHECK(queue->argument.kind == Argument::Kind::kQueue);
  CHECK(queue->argument.address == DeviceQueue{}.handle);
  CHECK(bound(parameter, "null")->argument.kind == Argument::Kind::kNull);
  for (const auto& [words, found] : {std::pair{"1", "a value"},
                                     {"int:zero:4", "a value"},
                                     {"local:4", "local memory"},
                                     {"buffer b", "buffer 'b'"},
                                     {"sampler nearest", "a sampler"},
                                     {"pipe int 4", "a pipe of packets of 4 bytes"}})
    CHECK(error_of(bound(parameter, words)) ==
          std::string("TSP-C0003: argument 'q': a queue is expected (queue_t), found ") + found);
  ParameterInfo number;
  number.name = "n";
  number.type = type_of(TypeWord{ScalarType::kInt, 1});
  CHECK(error_of(bound(number, "queue")) ==
        "TSP-C0003: argument 'n': a value is expected (int), found a queue");
  ParameterInfo pointer;
  pointer.name = "y";
  pointer.type.kind = TypeInfo::Kind::kPointer;
  pointer.type.spelling = "global int*";
  pointer.type.address_space = "global";
  CHECK(error_of(bound(pointer, "queue")) ==
        "TSP-C0003: argument 'y': a buffer is expected (global int*), found a queue");
  pointer.type.address_space = "local";
  CHECK(error_of(bound(pointer, "queue")) ==
        "TSP-C0003: argument 'y': a size of local memory is expected (global int*), found a queue");
}

TEST_CASE("a launch without a name is of the kernel that no other one enqueues") {
  ModuleInfo module;
  module.kernels.resize(3);
  module.kernels[0].name = "block";
  module.kernels[1].name = "k";
  module.kernels[2].name = "other_block";
  module.kernels[0].is_enqueued = module.kernels[2].is_enqueued = true;
  CHECK((*find_kernel(module, ""))->name == "k");
  CHECK((*find_kernel(module, "block"))->name == "block");
  module.kernels[2].is_enqueued = false;
  CHECK(error_of(find_kernel(module, "")).starts_with("TSP-C0002"));
  module.kernels.resize(1);
  CHECK(error_of(find_kernel(module, "")).starts_with("TSP-C0002"));
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

}  // namespace transpire::test
