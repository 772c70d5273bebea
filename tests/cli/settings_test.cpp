// Every setting of the table, set by every interface that the row names, is what lowering gets.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "c_api/c_api.h"
#include "cli/app.h"
#include "launch/run_plan.h"
#include "runtime/state.h"
#include "tests/launch/support.h"
#include "tests/runtime/support.h"
#include "transpire/setting_table.hpp"

namespace transpire::test {

using namespace cli;
namespace {

constexpr std::string_view kEmptyKernel = R"(
  OpCapability Addresses
  OpCapability Kernel
  OpMemoryModel Physical64 OpenCL
  OpEntryPoint Kernel %k "k"
  %void = OpTypeVoid
  %type = OpTypeFunction %void
  %k = OpFunction %void None %type
  %entry = OpLabel
  OpReturn
  OpFunctionEnd
)";

/// The settings of the program that a launch with these runs: some make the same. A schedule is no part of it, see
/// schedule_settings_test.cpp.
LaunchSettings effective(LaunchSettings settings) {
  if (settings.subgroup_size == 32) settings.subgroup_size = 0;
  settings.schedule = Schedule::kLockstep;
  settings.seed = 0;
  settings.fair_progress = false;
  settings.debug_info = settings.debug_info && settings.observed;
  return settings;
}

/// What the module's only program was made for.
LaunchSettings lowered(const Module& module) {
  const std::vector<runtime::ProgramKey> made = module.state()->made();
  REQUIRE(made.size() == 1);
  return made[0].settings;
}

LaunchSettings by_cpp(const Setting& setting, std::uint32_t value) {
  const Module module = test::load(kEmptyKernel);
  Launch launch = test::make_launch(module, "k", 1, 0, {});
  setting.set(launch, value);
  test::run(test::make_device(), launch);
  return lowered(module);
}

LaunchSettings by_plan(const Result<LaunchPlan>& plan, const PlanSettings& settings = {}) {
  if (!plan) FAIL(errors_of(plan));
  RunOverrides overrides;
  overrides.settings = settings;
  overrides.settings.threads = 1;
  overrides.module = test::load(kEmptyKernel);
  const RunReport report = run_plan(*plan, overrides);
  INFO(format_messages(report));
  REQUIRE(report.exit_code == 0);
  return lowered(*overrides.module);
}

LaunchSettings by_text(const std::string& statement) {
  return by_plan(parse_launch_text("kernel k\nglobal 1\n" + statement + "\n", "k.launch"));
}

/// A statement in two: "check" and "ub".
std::pair<std::string, std::string> parts(const std::string& statement) {
  const std::size_t blank = std::min(statement.find(' '), statement.size());
  return {statement.substr(0, blank), statement.substr(std::min(blank + 1, statement.size()))};
}

LaunchSettings by_json(const Setting& setting, const std::string& statement) {
  const auto [word, value] = parts(statement);
  const std::string written = setting.kind == SettingKind::kFlag    ? "true"
                              : setting.kind == SettingKind::kCount ? value
                                                                    : '"' + value + '"';
  return by_plan(parse_launch_json(
      fmt::format(
          R"({{"modules": "k.spv", "{}": {}, "steps": [{{"launch": {{"kernel": "k", "global": 1}}}}]}})",
          word, written),
      "k.json"));
}

LaunchSettings by_command_line(const std::string& statement) {
  const auto [word, value] = parts(statement);
  const std::string option = "--" + word + (value.empty() ? "" : "=" + value);
  const char* const words[] = {"transpire", "run", "k.spv", option.c_str()};
  const std::optional<RunOptions> options = run_options(std::size(words), words);
  REQUIRE(options);
  const Result<PlanSettings> settings = settings_of(*options);
  REQUIRE(settings.ok());
  return by_plan(parse_launch_text("kernel k\nglobal 1\n", "k.launch"), *settings);
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
  };
  return setters;
}

LaunchSettings by_c(const Setting& setting, const LaunchSettings& settings) {
  transpire_module* module = nullptr;
  transpire_launch* launch = nullptr;
  transpire_device* device = nullptr;
  transpire_result* result = nullptr;
  const std::uint64_t one[] = {1};
  REQUIRE(transpire_module_load(kEmptyKernel.data(), kEmptyKernel.size(), nullptr, &module,
                                nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_create(module, "k", &launch, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_set_size(launch, 1, one, nullptr, nullptr, nullptr) == TRANSPIRE_OK);
  if (setting.c_bit != 0) {
    CHECK(transpire_launch_set_checks(launch, setting.c_bit, nullptr) == TRANSPIRE_OK);
  } else {
    REQUIRE_MESSAGE(c_setters().contains(setting.c_function), setting.c_function);
    CHECK(c_setters().at(setting.c_function)(launch, settings) == TRANSPIRE_OK);
  }
  REQUIRE(transpire_device_create(nullptr, 1, &device, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_run(launch, device, &result, nullptr) == TRANSPIRE_OK);
  const LaunchSettings got = lowered(module->module);
  transpire_result_release(result);
  transpire_launch_release(launch);
  transpire_device_release(device);
  transpire_module_release(module);
  return got;
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

}  // namespace

TEST_CASE("every setting arrives from C++") {
  for_each_value([](const Setting& setting, std::uint32_t value, const LaunchSettings& expected) {
    CHECK((by_cpp(setting, value) == expected));
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
    CHECK((by_text(statement) == expected));
    CHECK((by_json(setting, statement) == expected));
    CHECK((by_command_line(statement) == expected));
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
  std::string text = "kernel k\nglobal 1\n";
  for (const std::string& statement : statements_of(settings)) text += statement + "\n";
  CHECK((by_plan(parse_launch_text(text, "k.launch")) == effective(settings)));
  CHECK(statements_of({}).empty());
}

TEST_CASE("later settings go before earlier ones") {
  CHECK((by_text("math reference\nmath fast\ndenorms flush\ndenorms keep") == LaunchSettings{}));
  CHECK((by_text("check ub\ncheck sync\ncheck none") == LaunchSettings{}));
  LaunchSettings sync;
  sync.check_sync = true;
  CHECK((by_text("check ub\ncheck none\ncheck sync") == sync));
  CHECK((by_text("check all\ncheck none") == LaunchSettings{}));
  CHECK((by_text("check all,none,sync") == sync));
  LaunchSettings embedded;
  embedded.opencl_version = 21;
  CHECK((by_text("env opencl2.1embedded") == embedded));
  for (const char* both :
       {"opencl-version 2.1\nenv opencl1.2", "env opencl1.2\nopencl-version 2.1"})
    CHECK((by_text(both) == embedded));
  const auto plan = parse_launch_json(
      R"({"modules": "k.spv", "reference": false, "count-instructions": false,
          "steps": [{"launch": {"global": 1}}]})",
      "k.json");
  CHECK((by_plan(plan) == LaunchSettings{}));
}

TEST_CASE("all checks are those that are no option of another one") {
  LaunchSettings every;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck && setting.member != "check_same_value")
      setting.set(every, 1);
  REQUIRE((every.check_ub && every.check_race && !every.check_same_value));
  const Setting& some = setting_of("check_ub");
  CHECK((by_text("check all") == every));
  CHECK((by_json(some, "check all") == every));
  CHECK((by_command_line("check all") == every));
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
    CHECK((by_text(both) == every));
    CHECK((by_command_line(both) == every));
  }
  LaunchSettings two;
  two.check_ub = two.check_race = true;
  CHECK((by_command_line("check ub,race") == two));
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

}  // namespace transpire::test
