// Every setting, set by every interface that its row names, is what lowering gets. The schedule and its seed are what a launch runs
// by: the order of its work-items says which ones.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "c_api/c_api.h"
#include "cli/app.h"
#include "launch/runner/run_plan.h"
#include "runtime/state.h"
#include "scheduler/schedule.h"
#include "tests/launch/support.h"
#include "tests/runtime/support.h"
#include "tests/shorthand/shorthand.h"
#include "transpire/setting_table.hpp"

namespace transpire::test {
namespace {

using namespace cli;

constexpr std::uint32_t kItems = 64;
constexpr std::uint64_t kBytes = (kItems + 1) * 4;

/// Takes two numbers of out[0], one after the other, and keeps the second.
const std::string kTurns = shorthand::declare(R"(
  kernel turns(%_ptr_CrossWorkgroup_uint out)
  %next = OpIAdd %ulong %gid %ulong_1
  %first = OpAtomicIIncrement %uint %out %uint_1 %uint_0
  %second = OpAtomicIIncrement %uint %out %uint_1 %uint_0
  store %out[%next] %second
  OpReturn
  OpFunctionEnd
)");

/// The settings of the program that a launch with these runs: some make the same. A schedule is no part of it.
LaunchSettings effective(LaunchSettings settings) {
  if (settings.subgroup_size == 32) settings.subgroup_size = 0;
  settings.schedule = Schedule::kLockstep;
  settings.seed = 0;
  settings.fair_progress = false;
  settings.debug_info = settings.debug_info && settings.observed;
  return settings;
}

/// The number that each work-item of `turns` keeps.
using Turns = std::vector<std::uint32_t>;

/// The settings that the only program of a launch was made for, and the order of its work-items.
struct Ran {
  LaunchSettings lowered;
  Turns turns;
};

/// `numbers` is what the kernel left in its buffer: a counter, which counted all, and the turns.
Ran ran(const Module& module, std::span<const std::uint32_t> numbers) {
  const std::vector<runtime::ProgramKey> made = module.state()->made();
  REQUIRE(made.size() == 1);
  REQUIRE(numbers.size() == kItems + 1);
  CHECK(numbers[0] == 2 * kItems);
  return {made[0].settings, {numbers.begin() + 1, numbers.end()}};
}

Ran by_cpp(const std::function<void(Launch&)>& set) {
  const Module module = test::load(kTurns);
  const Buffer out = make_buffer(kBytes);
  Launch launch = make_launch(module, "turns", kItems, kItems, {Argument::buffer(out)});
  set(launch);
  test::run(test::make_device(), launch);
  return ran(module, out.as<std::uint32_t>());
}

Ran by_plan(const Result<LaunchPlan>& plan, const AskedSettings& settings = {}) {
  if (!plan) FAIL(errors_of(plan));
  RunOverrides overrides;
  overrides.settings = settings;
  overrides.settings.threads = 1;
  overrides.module = test::load(kTurns);
  const RunReport report = run_plan(*plan, overrides);
  INFO(format_messages(report));
  REQUIRE(report.exit_code == 0);
  REQUIRE(report.buffers.size() == 1);
  return ran(*overrides.module, elements<std::uint32_t>(report.buffers[0].bytes));
}

Ran by_text(const std::string& statements) {
  return by_plan(parse_launch_text(
      fmt::format("kernel turns\nglobal {0}\nlocal {0}\narg out = uint:zero:{1}\n{2}\n", kItems,
                  kItems + 1, statements),
      "k.launch"));
}

/// As launches are recorded.
Ran by_record(const LaunchSettings& settings) {
  return by_text(fmt::format("{}", fmt::join(statements_of(settings), "\n")));
}

Ran by_json(const std::string& members) {
  return by_plan(parse_launch_json(
      fmt::format(
          R"({{"modules": "k.spv", {}, "steps": [{{"launch": {{"kernel": "turns", "global": {},
                                        "local": {}, "arguments": {{"out": "uint:zero:{}"}}}}}}]}})",
          members, kItems, kItems, kItems + 1),
      "k.json"));
}

Ran by_command_line(const std::vector<std::string>& given) {
  std::vector<const char*> words{"transpire", "run", "k.spv"};
  for (const std::string& word : given) words.push_back(word.c_str());
  const std::optional<RunOptions> options =
      run_options(static_cast<int>(words.size()), words.data());
  REQUIRE(options);
  const Result<AskedSettings> settings = settings_of(*options);
  REQUIRE(settings.ok());
  const auto plan = parse_launch_text(
      fmt::format("kernel turns\nglobal {0}\nlocal {0}\narg out = uint:zero:{1}\n", kItems,
                  kItems + 1),
      "k.launch");
  return by_plan(plan, *settings);
}

Ran by_c(const std::function<transpire_status(transpire_launch*)>& set) {
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
  CHECK(set(launch) == TRANSPIRE_OK);
  REQUIRE(transpire_device_create(nullptr, 1, &device, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_run(launch, device, &result, nullptr) == TRANSPIRE_OK);
  Ran got = ran(module->module, numbers);
  transpire_result_release(result);
  transpire_launch_release(launch);
  transpire_buffer_release(out);
  transpire_device_release(device);
  transpire_module_release(module);
  return got;
}

/// A statement in two: "check" and "ub".
std::pair<std::string, std::string> parts(const std::string& statement) {
  const std::size_t blank = std::min(statement.find(' '), statement.size());
  return {statement.substr(0, blank), statement.substr(std::min(blank + 1, statement.size()))};
}

std::string json_member(const Setting& setting, const std::string& statement) {
  const auto [word, value] = parts(statement);
  const std::string written = setting.kind == SettingKind::kFlag    ? "true"
                              : setting.kind == SettingKind::kCount ? value
                                                                    : '"' + value + '"';
  return fmt::format(R"("{}": {})", word, written);
}

std::string option(const std::string& statement) {
  const auto [word, value] = parts(statement);
  return "--" + word + (value.empty() ? "" : "=" + value);
}

/// The functions of the C interface that set something besides transpire_launch_set_checks().
using CSetter = transpire_status (*)(transpire_launch*, const LaunchSettings&);
const std::map<std::string_view, CSetter>& c_setters() {
  static const std::map<std::string_view, CSetter> setters{
      {"transpire_launch_set_subgroup_size",
       [](transpire_launch* launch, const LaunchSettings& settings) {
         return transpire_launch_set_subgroup_size(launch, settings.subgroup_size, nullptr);
       }},
      {"transpire_launch_set_schedule",
       [](transpire_launch* launch, const LaunchSettings& settings) {
         return transpire_launch_set_schedule(launch, static_cast<std::uint32_t>(settings.schedule),
                                              settings.seed, nullptr);
       }},
      {"transpire_launch_set_float_controls",
       [](transpire_launch* launch, const LaunchSettings& settings) {
         return transpire_launch_set_float_controls(launch,
                                                    static_cast<std::uint32_t>(settings.rounding),
                                                    settings.flush_denorms ? 1 : 0, nullptr);
       }},
      {"transpire_launch_set_opencl_version",
       [](transpire_launch* launch, const LaunchSettings& settings) {
         return transpire_launch_set_opencl_version(launch, settings.opencl_version, nullptr);
       }},
      {"transpire_launch_set_robust",
       [](transpire_launch* launch, const LaunchSettings& settings) {
         return transpire_launch_set_robust(launch, static_cast<std::uint32_t>(settings.robust),
                                            nullptr);
       }},
  };
  return setters;
}

LaunchSettings by_c(const Setting& setting, const LaunchSettings& settings) {
  if (setting.c_bit == 0)
    REQUIRE_MESSAGE(c_setters().contains(setting.c_function), setting.c_function);
  return by_c([&](transpire_launch* launch) {
           return setting.c_bit != 0 ? transpire_launch_set_checks(launch, setting.c_bit, nullptr)
                                     : c_setters().at(setting.c_function)(launch, settings);
         })
      .lowered;
}

std::string document(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(fmt::format("{}/{}", TRANSPIRE_DOCS, name)).rdbuf();
  REQUIRE(!text.str().empty());
  return text.str();
}

template <class Body>
void for_each_value(const Body& body) {
  for (const Setting& setting : kSettings) {
    for (const std::uint32_t value : legal_values(setting)) {
      LaunchSettings settings;
      setting.set(settings, value);
      INFO(setting.member << " = " << value);
      REQUIRE(setting.get(settings) == value);
      body(setting, value, effective(settings));
    }
  }
}

struct Asked {
  Schedule schedule;
  std::uint32_t seed;
  const char* name;  ///< the schedule's
};

constexpr Asked kAsked[] = {{Schedule::kLockstep, 0, "lockstep"}, {Schedule::kSerial, 0, "serial"},
                            {Schedule::kReverse, 0, "reverse"},   {Schedule::kRandom, 0, "random"},
                            {Schedule::kRandom, 1, "random"},     {Schedule::kRandom, 7, "random"},
                            {Schedule::kRandom, ~0u, "random"}};

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

Turns by_cpp(const Asked& asked) {
  return by_cpp([&](Launch& launch) {
           launch.schedule = asked.schedule;
           launch.seed = asked.seed;
         })
      .turns;
}

TEST_CASE("every setting arrives from C++") {
  for_each_value([](const Setting& setting, std::uint32_t value, const LaunchSettings& expected) {
    CHECK((by_cpp([&](Launch& launch) { setting.set(launch, value); }).lowered == expected));
  });
}

TEST_CASE("every setting arrives from launch files and command lines") {
  for_each_value([](const Setting& setting, std::uint32_t value, const LaunchSettings& expected) {
    if (setting.word.empty()) return;
    const std::string statement = statement_of(setting, value);
    if (is_switch(setting) && value == 0) {
      CHECK(statement.empty());
      return;
    }
    CHECK((by_text(statement).lowered == expected));
    CHECK((by_json(json_member(setting, statement)).lowered == expected));
    CHECK((by_command_line({option(statement)}).lowered == expected));
  });
}

TEST_CASE("every setting that the C interface has arrives from it") {
  for_each_value([](const Setting& setting, std::uint32_t value, const LaunchSettings& expected) {
    if (setting.c_bit == 0 && setting.c_function.empty()) return;
    if (setting.c_bit != 0 && value == 0) return;
    LaunchSettings given;
    setting.set(given, value);
    CHECK((by_c(setting, given) == expected));
  });
}

TEST_CASE("what a launch is recorded with gives its settings back") {
  LaunchSettings settings;
  for (const Setting& setting : kSettings)
    if (!setting.word.empty())
      for (const std::uint32_t value : legal_values(setting))
        if (value != initial_value(setting)) setting.set(settings, value);
  CHECK((by_record(settings).lowered == effective(settings)));
  CHECK(statements_of({}).empty());
}

TEST_CASE("later settings go before earlier ones") {
  CHECK((by_text("math reference\nmath fast\ndenorms flush\ndenorms keep").lowered ==
         LaunchSettings{}));
  CHECK((by_text("check ub\ncheck sync\ncheck none").lowered == LaunchSettings{}));
  LaunchSettings sync;
  sync.check_sync = true;
  CHECK((by_text("check ub\ncheck none\ncheck sync").lowered == sync));
  CHECK((by_text("check all\ncheck none").lowered == LaunchSettings{}));
  CHECK((by_text("check all,none,sync").lowered == sync));
  LaunchSettings embedded;
  embedded.opencl_version = 21;
  CHECK((by_text("env opencl2.1embedded").lowered == embedded));
  for (const char* both :
       {"opencl-version 2.1\nenv opencl1.2", "env opencl1.2\nopencl-version 2.1"})
    CHECK((by_text(both).lowered == embedded));
  CHECK(
      (by_json(R"("reference": false, "count-instructions": false)").lowered == LaunchSettings{}));
}

TEST_CASE("all checks are those that are no option of another one") {
  LaunchSettings every;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck && setting.member != "check_same_value")
      setting.set(every, 1);
  REQUIRE((every.check_ub && every.check_race && !every.check_same_value));
  const Setting& some = setting_of("check_ub");
  CHECK((by_text("check all").lowered == every));
  CHECK((by_json(json_member(some, "check all")).lowered == every));
  CHECK((by_command_line({"--check=all"}).lowered == every));
  LaunchSettings named;
  CHECK(set_check(named, "all"));
  CHECK((named == every));
  CHECK_FALSE(set_check(named, "al"));
  CHECK((named == every));
  const Setting c{.member = "",
                  .get = some.get,
                  .set = some.set,
                  .kind = SettingKind::kCheck,
                  .c_bit = TRANSPIRE_CHECK_ALL};
  CHECK((by_c(c, every) == every));
  every.check_same_value = true;
  for (const char* both : {"check all,race:same-value", "check race:same-value,all"}) {
    CHECK((by_text(both).lowered == every));
    CHECK((by_command_line({option(both)}).lowered == every));
  }
  LaunchSettings two;
  two.check_ub = two.check_race = true;
  CHECK((by_command_line({"--check=ub,race"}).lowered == two));
}

TEST_CASE("the documents name every setting") {
  const std::string schema = document("launch.schema.json"), page = document("launch-file.md"),
                    driver = document("opencl.md");
  for (const Setting& setting : kSettings) {
    INFO(setting.member);
    const bool check = setting.kind == SettingKind::kCheck;
    const std::string word(setting.word), variable(setting.driver_variable);
    if (!word.empty()) {
      CHECK(schema.find(check ? '"' + word + '"' : '"' + word + "\": {") != std::string::npos);
      CHECK(page.find('`' + word) != std::string::npos);
    }
    if (!variable.empty()) CHECK(driver.find('`' + variable + '`') != std::string::npos);
  }
}

TEST_CASE("the schema and the build name the instruction sets of the table") {
  const std::vector<std::string> names = known_isas();
  CHECK(document("launch.schema.json")
            .find(fmt::format(R"("isa": {{"enum": ["{}"]}})", fmt::join(names, R"(", ")"))) !=
        std::string::npos);
  CHECK(fmt::format("{}", fmt::join(names, " ")) == TRANSPIRE_ALL_INSTRUCTION_SETS);
}

TEST_CASE("the schedule and its seed arrive from every interface") {
  std::set<Turns> found;
  for (const Asked& asked : kAsked) {
    INFO(std::string(asked.name) << ", seed " << asked.seed);
    const Turns turns = expected(asked);
    LaunchSettings settings;
    settings.schedule = asked.schedule;
    settings.seed = asked.seed;
    CHECK(by_cpp(asked) == turns);
    CHECK(by_text(fmt::format("schedule {}\nseed {}", asked.name, asked.seed)).turns == turns);
    CHECK(by_record(settings).turns == turns);
    CHECK(by_json(fmt::format(R"("schedule": "{}", "seed": {})", asked.name, asked.seed)).turns ==
          turns);
    CHECK(by_command_line(
              {fmt::format("--schedule={}", asked.name), fmt::format("--seed={}", asked.seed)})
              .turns == turns);
    CHECK(by_c([&](transpire_launch* launch) {
            return transpire_launch_set_schedule(launch, static_cast<std::uint32_t>(asked.schedule),
                                                 asked.seed, nullptr);
          }).turns == turns);
    found.insert(turns);
  }
  CHECK(found.size() == std::size(kAsked));  // else it would not show what arrives
}

TEST_CASE("a work-item's turn is its place in the order") {
  const Turns lockstep = by_cpp(kAsked[0]), serial = by_cpp(kAsked[1]), reverse = by_cpp(kAsked[2]);
  for (std::uint32_t item = 0; item < kItems; ++item) {
    INFO(item);
    CHECK(lockstep[item] == kItems + item);
    CHECK(serial[item] == 2 * item + 1);
    CHECK(reverse[item] == 2 * (kItems - 1 - item) + 1);
  }
}

}  // namespace
}  // namespace transpire::test
