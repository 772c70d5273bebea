// The schedule and its seed, set by every interface, are what a launch runs by: the order of its work-items says which ones.
#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <set>

#include "c_api/c_api.h"
#include "cli/app.h"
#include "launch/run_plan.h"
#include "scheduler/schedule.h"
#include "tests/launch/support.h"
#include "tests/runtime/support.h"
#include "transpire/setting_table.hpp"

namespace transpire::test {

using namespace cli;
namespace {

constexpr std::uint32_t kItems = 64;
constexpr std::uint64_t kBytes = (kItems + 1) * 4;

/// kernel turns(global uint* out): takes two numbers of out[0], one after the other, and keeps the second.
constexpr std::string_view kTurns = R"(
  OpCapability Addresses
  OpCapability Kernel
  OpCapability Int64
  OpMemoryModel Physical64 OpenCL
  OpEntryPoint Kernel %k "turns" %id
  OpName %out "out"
  OpDecorate %id BuiltIn GlobalInvocationId
  %void = OpTypeVoid
  %uint = OpTypeInt 32 0
  %ulong = OpTypeInt 64 0
  %ids = OpTypeVector %ulong 3
  %input = OpTypePointer Input %ids
  %pointer = OpTypePointer CrossWorkgroup %uint
  %type = OpTypeFunction %void %pointer
  %zero = OpConstant %uint 0
  %device = OpConstant %uint 1
  %one = OpConstant %ulong 1
  %id = OpVariable %input Input
  %k = OpFunction %void None %type
  %out = OpFunctionParameter %pointer
  %entry = OpLabel
  %all = OpLoad %ids %id
  %x = OpCompositeExtract %ulong %all 0
  %next = OpIAdd %ulong %x %one
  %mine = OpInBoundsPtrAccessChain %pointer %out %next
  %first = OpAtomicIIncrement %uint %out %device %zero
  %second = OpAtomicIIncrement %uint %out %device %zero
  OpStore %mine %second Aligned 4
  OpReturn
  OpFunctionEnd
)";

/// What each work-item keeps.
using Turns = std::vector<std::uint32_t>;

struct Asked {
  Schedule schedule;
  std::uint32_t seed;
  std::string name;  ///< of the schedule
};

const std::vector<Asked>& all_asked() {
  static const std::vector<Asked> all{
      {Schedule::kLockstep, 0, "lockstep"}, {Schedule::kSerial, 0, "serial"},
      {Schedule::kReverse, 0, "reverse"},   {Schedule::kRandom, 0, "random"},
      {Schedule::kRandom, 1, "random"},     {Schedule::kRandom, 7, "random"},
      {Schedule::kRandom, ~0u, "random"}};
  return all;
}

Turns expected(const Asked& asked) {
  const scheduler::ItemOrder order(asked.schedule, asked.seed);
  const std::uint32_t items = asked.schedule == Schedule::kLockstep ? kItems : order.batch_items(1);
  std::vector<std::uint32_t> batches;
  order.order_batches(0, 0, kItems / items, batches);
  Turns turns(kItems);
  std::uint32_t counter = 0;
  for (const std::uint32_t batch : batches) {
    for (std::uint32_t item = 0; item < items; ++item)
      turns[batch * items + item] = counter + items + item;
    counter += 2 * items;
  }
  return turns;
}

/// Behind the counter, which counted all.
Turns turns_of(std::vector<std::uint32_t> numbers) {
  REQUIRE(numbers.size() == kItems + 1);
  CHECK(numbers[0] == 2 * kItems);
  numbers.erase(numbers.begin());
  return numbers;
}

Turns by_cpp(const Asked& asked) {
  const Buffer out = make_buffer(kBytes);
  Launch launch = make_launch(load(kTurns), "turns", kItems, kItems, {Argument::buffer(out)});
  launch.schedule = asked.schedule;
  launch.seed = asked.seed;
  test::run(make_device(), launch);
  const auto numbers = out.as<std::uint32_t>();
  return turns_of({numbers.begin(), numbers.end()});
}

Turns by_plan(const Result<LaunchPlan>& plan, const PlanSettings& settings = {}) {
  if (!plan) FAIL(errors_of(plan));
  RunOverrides overrides;
  overrides.settings = settings;
  overrides.settings.threads = 1;
  overrides.module = load(kTurns);
  const RunReport report = run_plan(*plan, overrides);
  INFO(format_messages(report));
  REQUIRE(report.exit_code == 0);
  REQUIRE(report.buffers.size() == 1);
  return turns_of(elements<std::uint32_t>(report.buffers[0].bytes));
}

std::string launch_text(const std::string& statements) {
  return fmt::format("kernel turns\nglobal {0}\nlocal {0}\narg out = uint:zero:{1}\n{2}\n", kItems,
                     kItems + 1, statements);
}

Turns by_text(const Asked& asked) {
  return by_plan(parse_launch_text(
      launch_text(fmt::format("schedule {}\nseed {}", asked.name, asked.seed)), "k.launch"));
}

/// As launches are recorded.
Turns by_record(const Asked& asked) {
  LaunchSettings settings;
  settings.schedule = asked.schedule;
  settings.seed = asked.seed;
  std::string statements;
  for (const std::string& statement : statements_of(settings)) statements += statement + "\n";
  return by_plan(parse_launch_text(launch_text(statements), "k.launch"));
}

Turns by_json(const Asked& asked) {
  return by_plan(
      parse_launch_json(fmt::format(R"({{"modules": "k.spv", "schedule": "{}", "seed": {},
                       "steps": [{{"launch": {{"kernel": "turns", "global": {}, "local": {},
                                               "arguments": {{"out": "uint:zero:{}"}}}}}}]}})",
                                    asked.name, asked.seed, kItems, kItems, kItems + 1),
                        "k.json"));
}

Turns by_command_line(const Asked& asked) {
  const std::string schedule = "--schedule=" + asked.name,
                    seed = fmt::format("--seed={}", asked.seed);
  const char* const words[] = {"transpire", "run", "k.spv", schedule.c_str(), seed.c_str()};
  const std::optional<RunOptions> options = run_options(std::size(words), words);
  REQUIRE(options);
  const Result<PlanSettings> settings = settings_of(*options);
  REQUIRE(settings.ok());
  return by_plan(parse_launch_text(launch_text(""), "k.launch"), *settings);
}

Turns by_c(const Asked& asked) {
  transpire_module* module = nullptr;
  transpire_launch* launch = nullptr;
  transpire_device* device = nullptr;
  transpire_result* result = nullptr;
  transpire_buffer* out = nullptr;
  const std::uint64_t items[] = {kItems};
  alignas(128) std::uint32_t numbers[kItems + 1] = {};
  REQUIRE(transpire_module_load(kTurns.data(), kTurns.size(), nullptr, &module, nullptr) ==
          TRANSPIRE_OK);
  REQUIRE(transpire_launch_create(module, "turns", &launch, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_set_size(launch, 1, items, items, nullptr, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_buffer_wrap(numbers, sizeof numbers, "out", &out, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_set_buffer(launch, 0, out, 0, nullptr) == TRANSPIRE_OK);
  CHECK(transpire_launch_set_schedule(launch, static_cast<std::uint32_t>(asked.schedule),
                                      asked.seed, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_device_create(nullptr, 1, &device, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_run(launch, device, &result, nullptr) == TRANSPIRE_OK);
  transpire_result_release(result);
  transpire_launch_release(launch);
  transpire_buffer_release(out);
  transpire_device_release(device);
  transpire_module_release(module);
  return turns_of({std::begin(numbers), std::end(numbers)});
}

}  // namespace

TEST_CASE("the schedule and its seed arrive from every interface") {
  std::set<Turns> found;
  for (const Asked& asked : all_asked()) {
    INFO(asked.name << ", seed " << asked.seed);
    const Turns turns = expected(asked);
    CHECK(by_cpp(asked) == turns);
    CHECK(by_text(asked) == turns);
    CHECK(by_record(asked) == turns);
    CHECK(by_json(asked) == turns);
    CHECK(by_command_line(asked) == turns);
    CHECK(by_c(asked) == turns);
    found.insert(turns);
  }
  CHECK(found.size() == all_asked().size());  // else it would not show what arrives
}

TEST_CASE("a work-item's turn is its place in the order") {
  const Turns lockstep = by_cpp(all_asked()[0]), serial = by_cpp(all_asked()[1]),
              reverse = by_cpp(all_asked()[2]);
  for (std::uint32_t item = 0; item < kItems; ++item) {
    INFO(item);
    CHECK(lockstep[item] == kItems + item);
    CHECK(serial[item] == 2 * item + 1);
    CHECK(reverse[item] == 2 * (kItems - 1 - item) + 1);
  }
}

}  // namespace transpire::test
