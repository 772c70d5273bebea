// Settings of launches that the driver's environment gives: each value that the table names for it, in a process of its
// own, is what the launch has and is recorded with.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "launch/run_plan.h"
#include "tests/opencl/host.h"
#include "transpire/setting_table.hpp"

namespace transpire::test {
namespace {

namespace fs = std::filesystem;

/// Adds to a[0] with the scope that a[0] was: only the run knows it.
constexpr std::string_view kScopes = R"(
  OpCapability Addresses
  OpCapability Kernel
  OpMemoryModel Physical64 OpenCL
  OpEntryPoint Kernel %k "k"
  %void = OpTypeVoid
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %pointer = OpTypePointer CrossWorkgroup %uint
  %type = OpTypeFunction %void %pointer
  %k = OpFunction %void None %type
  %a = OpFunctionParameter %pointer
  %entry = OpLabel
  %scope = OpLoad %uint %a Aligned 4
  %old = OpAtomicIIncrement %uint %a %scope %zero
  OpReturn
  OpFunctionEnd
)";
constexpr cl_int kWorkgroupScope = 2;

/// The driver's work: the kernel with the scope Workgroup.
void run_scopes() {
  const Result<Module> module = Module::load(std::as_bytes(std::span(kScopes)));
  REQUIRE(module.ok());
  const auto bytes = std::as_bytes(module->words());
  std::vector<unsigned char> binary(bytes.size());
  std::memcpy(binary.data(), bytes.data(), bytes.size());
  const Host host;
  cl_int code = 0;
  cl_program program = host.from_binary(binary, &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(host.build(program) == CL_SUCCESS);
  cl_kernel kernel = host.kernel(program, "k");
  REQUIRE(host.first_int(kernel, kWorkgroupScope) == kWorkgroupScope + 1);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

/// Where a run with the variable left its record and its report; removed with the object.
class Run {
 public:
  Run(const std::string& variable, const std::string& value) {
    std::string pattern = fs::temp_directory_path() / "transpire-settings-XXXXXX";
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    const pid_t child = fork();
    if (child == 0) _exit(run(variable, value));
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
  }
  ~Run() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  launch::LaunchPlan plan() const {
    const auto read = launch::load_plan(folder_ / "record" / "0001-k.launch");
    REQUIRE(read.ok());
    return *read;
  }
  std::string report() const {
    std::ifstream file(folder_ / "report");
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  int run(const std::string& variable, const std::string& value) const {
    try {
      setenv("TRANSPIRE_CL_RECORD", (folder_ / "record").c_str(), 1);
      setenv("TRANSPIRE_CL_REPORT", (folder_ / "report").c_str(), 1);
      if (!variable.empty()) setenv(variable.c_str(), value.c_str(), 1);
      run_scopes();
      return 0;
    } catch (...) {  // doctest's own, which the parent is not to see
      return 1;
    }
  }

  fs::path folder_;
};

LaunchSettings recorded(const Run& run) {
  LaunchSettings settings;
  run.plan().settings.apply_to(settings);
  return settings;
}

/// What the variable may be for the setting, and what that makes it.
std::vector<SettingValue> values_of(const Setting& setting) {
  if (setting.kind == SettingKind::kCheck) return {{setting.word, 1}};
  const auto values = driver_values(setting);
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("every setting that the environment has arrives, and is recorded") {
  CHECK((recorded(Run("", "")) == LaunchSettings{}));
  for (const Setting& setting : kSettings) {
    if (setting.driver.variable.empty()) continue;
    for (const SettingValue& value : values_of(setting)) {
      INFO(setting.driver.variable << "=" << value.name);
      const Run run(std::string(setting.driver.variable), std::string(value.name));
      LaunchSettings expected;
      setting.set(expected, value.value);
      CHECK((recorded(run) == expected));
    }
  }
}

TEST_CASE("checks are a list") {
  const LaunchSettings settings = recorded(Run("TRANSPIRE_CL_CHECK", "sync,ub"));
  CHECK((settings.check_sync && settings.check_ub && !settings.check_bounds));
}

// OpenCL 1.2 has atomics of the scope Device alone; the validator cannot see what this kernel loads.
TEST_CASE("launches are judged by the version that is presented") {
  const std::string rule = "TSP-ENV-6.3-06";
  for (const char* const version : {"1.2", "3.0"}) {
    INFO(version);
    const bool old = std::string_view(version) == "1.2";
    const Run run("TRANSPIRE_CL_VERSION", version);
    CHECK((run.report().find(rule) != std::string::npos) == old);
    // The record judges alike, also where its module is validated as `run` does.
    const launch::LaunchPlan plan = run.plan();
    launch::RunOverrides overrides;
    overrides.strictness = Strictness::kField;
    const launch::RunReport report = launch::run_plan(plan, overrides);
    INFO(launch::format_messages(report));
    CHECK(report.errors.empty());
    CHECK(report.failures.empty());
    REQUIRE(report.findings.size() == (old ? 1 : 0));
    if (old) CHECK(report.findings[0].finding.diagnostic.rule == rule);
  }
}

}  // namespace transpire::test
