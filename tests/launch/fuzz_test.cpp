// Fuzzing of schedules: what counts as a difference, and how often a kernel is lowered for all its orders.
#include "launch/fuzz/fuzz.h"

#include "runtime/state.h"
#include "tests/launch/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

/// kernel k(global uint* x): x[0] = the local id, x[1] = the size of sub-groups.
const std::string kOrderKernel = shorthand::declare(R"(
OpCapability SubgroupDispatch
kernel k(%_ptr_CrossWorkgroup_uint x)
%id = OpLoad %ulong %LocalInvocationIndex
%id32 = OpUConvert %uint %id
store %x %id32
%size = OpLoad %uint %SubgroupMaxSize
store %x[%uint_1] %size
)");

LaunchPlan fuzz_plan(const std::string& statements) {
  auto plan = parse_launch_text("module none.spvasm\n" + statements, "x.launch");
  REQUIRE(plan.ok());
  return std::move(plan).value();
}

struct Fuzzed {
  Module module;
  FuzzReport report;
};

Fuzzed fuzz_kernel(const std::string& statements, FuzzOptions options) {
  auto module = Module::load(std::as_bytes(std::span(kOrderKernel)));
  REQUIRE(module.ok());
  options.overrides.module = *module;
  return {*module, fuzz(fuzz_plan(statements), options)};
}

const std::string kFuzzLaunch = "global 64\nlocal 64\narg x = uint:zero:2\n";

TEST_CASE("the first order in which something differs is told, with both work-items") {
  const FuzzReport report =
      fuzz_kernel(kFuzzLaunch, {.overrides = {}, .wants_replay = true}).report;
  REQUIRE(report.difference.has_value());
  CHECK(report.exit_code == 1);
  CHECK(report.runs == 2);
  CHECK(report.difference->first.place == "x[0]");
  CHECK(report.difference->order == Order{Schedule::kReverse, 0, false});
  REQUIRE(report.difference->serial_store.has_value());
  CHECK(report.difference->serial_store->global_id[0] == 63);
  REQUIRE(report.difference->store.has_value());
  CHECK(report.difference->store->global_id[0] == 0);
  REQUIRE(report.replay.has_value());
  REQUIRE(report.replay->ok());
  CHECK(report.replay->value().find("schedule reverse\n") != std::string::npos);
  CHECK(report.replay->value().find("expect x[0] = 63\n") != std::string::npos);
}

TEST_CASE("what the size of sub-groups makes is told as that") {
  FuzzOptions options;
  options.first_seed = 7;
  const std::string tolerant = kFuzzLaunch + "expect x[0] ~ 100 = 0\n";
  const FuzzReport report = fuzz_kernel(tolerant, options).report;
  REQUIRE(report.difference.has_value());
  CHECK(report.difference->first.place == "x[1]");
  CHECK(report.difference->order.schedule == Schedule::kRandom);
  CHECK(report.difference->is_of_subgroups);
  options.overrides.settings.subgroup_size = 32;
  CHECK(fuzz_kernel(tolerant, options).report.exit_code == 0);
}

TEST_CASE("a kernel is lowered once for each size of sub-groups, whatever the number of orders") {
  FuzzOptions options;
  options.runs = 60;
  options.jobs = 2;
  options.ignored = {"x"};
  const Fuzzed fuzzed = fuzz_kernel(kFuzzLaunch, options);
  CHECK(fuzzed.report.exit_code == 0);
  CHECK(fuzzed.report.runs == 62);
  CHECK(fuzzed.report.compared == 0);
  // Four sizes, and that of the reverse order with zeros in place of poison.
  CHECK(fuzzed.module.state()->made().size() == 5);
}

TEST_CASE("whoever asks for an end gets one") {
  FuzzOptions options;
  options.runs = 0;
  options.seconds = 1000;
  options.ignored = {"x"};
  options.waiting = [](std::uint64_t done) { return done < 3; };
  const FuzzReport report = fuzz_kernel(kFuzzLaunch, options).report;
  CHECK(report.interrupted);
  CHECK(report.runs >= 3);
  CHECK_FALSE(report.difference.has_value());
}

TEST_CASE("whoever may end what runs otherwise may end it here") {
  FuzzOptions options;
  options.runs = 0;
  options.seconds = 1000;
  options.ignored = {"x"};
  SUBCASE("by a canceller") {
    options.overrides.canceller = Canceller::create();
    options.overrides.canceller->cancel();
  }
  SUBCASE("when asked") {
    options.overrides.interrupted = [] { return true; };
  }
  CHECK(fuzz_kernel(kFuzzLaunch, options).report.interrupted);
}

BufferReport y_of(std::vector<float> values) {
  const auto bytes = std::as_bytes(std::span(values));
  BufferReport report{"y", type_of({ScalarType::kFloat, 1}), {bytes.begin(), bytes.end()}};
  report.names = {"y"};
  return report;
}

TEST_CASE("buffers differ bit by bit, but for what an expectation tolerates") {
  const LaunchPlan exact = fuzz_plan("global 1\n");
  CHECK_FALSE(difference_of(y_of({1, 2, 3}), y_of({1, 2, 3}), exact, {}).has_value());
  const auto zeros = difference_of(y_of({1, 0.0f, 3}), y_of({1, -0.0f, 4}), exact, {});
  REQUIRE(zeros.has_value());
  CHECK(zeros->first.element == 1);
  CHECK(zeros->count == 2);
  CHECK(zeros->offset_bytes == 7);  // the byte with the sign
  const LaunchPlan tolerant = fuzz_plan("global 1\nlaunch\nexpect y[0..1] ~ 0.5 = 1 2\n");
  const auto last = difference_of(y_of({1, 2, 3}), y_of({1.25f, 2.5f, 3.5f}), tolerant, {});
  REQUIRE(last.has_value());
  CHECK(last->first.element == 2);
  CHECK(last->count == 1);
  CHECK(difference_of(y_of({1, 2, 3}), y_of({1.75f, 2, 3}), tolerant, {})->first.element == 0);
}

TEST_CASE("more or fewer packets are a difference") {
  const auto difference = difference_of(y_of({1, 2}), y_of({1}), fuzz_plan("global 1\n"), {});
  REQUIRE(difference.has_value());
  CHECK(difference->first.expected == "2 packets");
  CHECK(difference->first.found == "1");
  CHECK(difference->is_of_packets);
}

TEST_CASE("padding differs where the kernel's parameter has none") {
  BufferReport a = y_of({1, 2, 3, 4}), b = y_of({1, 2, 3, 5});
  a.type = b.type = type_of({ScalarType::kFloat, 3});
  a.names = b.names = {"x"};
  auto module = Module::load(std::as_bytes(std::span(kOrderKernel)));
  REQUIRE(module.ok());
  const LaunchPlan plan = fuzz_plan(kFuzzLaunch);
  const auto difference = difference_of(a, b, plan, module->info());
  REQUIRE(difference.has_value());
  CHECK(difference->first.place == "y, byte 14");
  CHECK(difference->offset_bytes == 14);
  ModuleInfo padded = module->info();
  padded.kernels[0].parameters[0].type.elements = {a.type};
  CHECK_FALSE(difference_of(a, b, plan, padded).has_value());
}

}  // namespace
}  // namespace transpire::test
