// Settings of launches that the driver's environment gives: each value that the table names for it, in a process of its
// own, is what the launch has and is recorded with.
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>

#include "launch/report/diagnose.h"
#include "launch/runner/run_plan.h"
#include "tests/opencl/support.h"
#include "transpire/setting_table.hpp"

namespace transpire::test::settings_tests {
namespace {

namespace fs = std::filesystem;

/// A module with the kernel k(global uint* a): its capability, if any, and the instructions of its block.
std::string module_of(std::string_view capability, std::string_view body) {
  return fmt::format(R"(
  OpCapability Addresses
  OpCapability Kernel
  {}
  OpMemoryModel Physical64 OpenCL
  OpEntryPoint Kernel %k "k"
  %void = OpTypeVoid
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %workgroup = OpConstant %uint 2
  %pointer = OpTypePointer CrossWorkgroup %uint
  %type = OpTypeFunction %void %pointer
  %k = OpFunction %void None %type
  %a = OpFunctionParameter %pointer
  %entry = OpLabel
  {}
  OpReturn
  OpFunctionEnd
)",
                     capability, body);
}

std::string with_language(std::string text) {
  const std::string before = "OpEntryPoint Kernel %k \"k\"\n";
  return text.insert(text.find(before) + before.size(), "  OpSource OpenCL_C 102000\n");
}

/// Adds to a[0] with the scope that a[0] was: only the run knows it.
const std::string kScopes = module_of("", R"(
  %scope = OpLoad %uint %a Aligned 4
  %old = OpAtomicIIncrement %uint %a %scope %zero)");
constexpr cl_int kWorkgroupScope = 2;

/// OpenCL 1.2 has no such instruction; the driver runs it nevertheless.
const std::string kGroupSum = module_of("OpCapability Groups", R"(
  %one = OpLoad %uint %a Aligned 4
  %all = OpGroupIAdd %uint %workgroup Reduce %one
  %sum = OpIAdd %uint %all %one
  OpStore %a %sum Aligned 4)");

std::vector<std::uint32_t> words_of(std::string_view text) {
  const Result<transpire::Module> module = transpire::Module::load(std::as_bytes(std::span(text)));
  REQUIRE(module.ok());
  return {module->words().begin(), module->words().end()};
}

/// The driver's work: the module's kernel `k` with the one int.
cl_int run_module(std::string_view text, cl_int start) {
  const std::vector<std::uint32_t> words = words_of(text);
  std::vector<unsigned char> binary(words.size() * sizeof(std::uint32_t));
  std::memcpy(binary.data(), words.data(), binary.size());
  const Host host;
  const Program program = host.from_binary(binary);
  REQUIRE(host.build(program) == CL_SUCCESS);
  return host.first_int(program, start);
}

/// A module of OpenCL C 1.2, as IL: ten work-items in groups of four, which only programs from source refuse.
void run_uneven() {
  const Host host;
  const Program program =
      host.from_il(words_of(with_language(module_of("", "OpStore %a %workgroup Aligned 4"))));
  REQUIRE(host.build(program) == CL_SUCCESS);
  const Kernel kernel = host.kernel(program, "k");
  const Memory buffer = host.buffer(4);
  set(kernel, buffer);
  REQUIRE(host.enqueue(kernel, {10}, {4}) == CL_SUCCESS);
  REQUIRE(clFinish(host.queue) == CL_SUCCESS);
}

/// Runs the kernel `k` of a source with the one int.
cl_int run_source(const std::string& text, cl_int start) {
  const Host host;
  return host.first_int(host.built(text), start);
}

void run_scopes() { REQUIRE(run_module(kScopes, kWorkgroupScope) == kWorkgroupScope + 1); }

/// Where a run with the variable left its record and its report; removed with the object.
class Run {
 public:
  using Work = void (*)();
  Run(const std::string& variable, const std::string& value, Work work = run_scopes) {
    std::string pattern = fs::temp_directory_path() / "transpire-settings-XXXXXX";
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    const pid_t child = fork();
    if (child == 0) _exit(run(variable, value, work));
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
  int run(const std::string& variable, const std::string& value, Work work) const {
    try {
      setenv("TRANSPIRE_CL_RECORD", (folder_ / "record").c_str(), 1);
      setenv("TRANSPIRE_CL_REPORT", (folder_ / "report").c_str(), 1);
      if (!variable.empty()) setenv(variable.c_str(), value.c_str(), 1);
      work();
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

/// The record, run as `transpire run` does it, with its module validated.
launch::RunReport replayed(const Run& run) {
  launch::RunOverrides overrides;
  overrides.strictness = Strictness::kField;
  return launch::run_plan(run.plan(), overrides);
}

/// What the variable may be for the setting, and what that makes it.
std::vector<SettingValue> values_of(const Setting& setting) {
  if (setting.kind == SettingKind::kCheck) return {{setting.word, 1}};
  const auto values = driver_values(setting);
  return {values.begin(), values.end()};
}

TEST_CASE("every setting that the environment has arrives, and is recorded") {
  CHECK((recorded(Run("", "")) == LaunchSettings{}));
  for (const Setting& setting : kSettings) {
    if (setting.driver_variable.empty()) continue;
    for (const SettingValue& value : values_of(setting)) {
      INFO(setting.driver_variable << "=" << value.name);
      const Run run(std::string(setting.driver_variable), std::string(value.name));
      LaunchSettings expected;
      setting.set(expected, value.value);
      CHECK((recorded(run) == expected));
    }
  }
}

TEST_CASE("every limit that the environment has arrives, and is recorded") {
  for (const Limit& limit : kLimits) {
    if (limit.driver_variable.empty()) continue;
    INFO(limit.driver_variable);
    // Large enough for the launch to end by itself.
    const std::string value = limit.kind == LimitKind::kTime ? "600s" : "1000000";
    const std::vector<std::string> recorded =
        launch::limit_statements_of(Run(std::string(limit.driver_variable), value).plan().settings);
    CHECK(std::ranges::count(recorded, fmt::format("{} {}", limit.word, value)) == 1);
  }
}

TEST_CASE("checks are a list") {
  const LaunchSettings settings = recorded(Run("TRANSPIRE_CL_CHECK", "sync,ub"));
  CHECK((settings.check_sync && settings.check_ub && !settings.check_bounds));
  for (const char* const none : {"none", "ub,none", "sync,bounds,none"})
    CHECK((recorded(Run("TRANSPIRE_CL_CHECK", none)) == LaunchSettings{}));
  const LaunchSettings later = recorded(Run("TRANSPIRE_CL_CHECK", "ub,none,sync"));
  CHECK((later.check_sync && !later.check_ub && !later.check_bounds));
  LaunchSettings all;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck)
      setting.set(all, setting.member == "check_same_value" ? 0 : 1);
  CHECK((recorded(Run("TRANSPIRE_CL_CHECK", "all")) == all));
  all.check_same_value = true;
  CHECK((recorded(Run("TRANSPIRE_CL_CHECK", "all,race:same-value")) == all));
}

// Nobody reads the quotient: clang's optimiser would delete the division.
TEST_CASE("a check that looks for what is undefined sees sources as they are written") {
  const auto divide = [] {
    REQUIRE(run_source("kernel void k(global int* a) { int x = 7 / a[0]; a[0] = 5; }", 0) == 5);
  };
  const Run run("TRANSPIRE_CL_CHECK", "ub", divide);
  CHECK(run.report().find("TSP-R0060") != std::string::npos);
}

// OpenCL 1.2 has atomics of the scope Device alone; the validator cannot see what this kernel loads.
TEST_CASE("launches are judged by the version that is presented") {
  const std::string rule = "TSP-ENV-6.3-06";
  for (const char* const version : {"1.2", "3.0"}) {
    INFO(std::string(version));
    const bool old = std::string_view(version) == "1.2";
    const Run run("TRANSPIRE_CL_VERSION", version);
    CHECK((run.report().find(rule) != std::string::npos) == old);
    // The record judges alike, also where its module is validated as `run` does.
    const launch::RunReport report = replayed(run);
    INFO(launch::format_messages(report));
    CHECK(report.errors.empty());
    CHECK(report.failures.empty());
    REQUIRE(report.findings.size() == (old ? 1 : 0));
    if (old) CHECK(report.findings[0].finding.diagnostic.rule == rule);
  }
}

// What the driver runs at an old version a replay does not refuse: a record says by which version the launch was judged,
// not for which environment its module is to be validated.
TEST_CASE("records of an old version run again") {
  const auto sum = [] { REQUIRE(run_module(kGroupSum, 4) == 8); };
  const auto eights = [] {
    REQUIRE(
        run_source("kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int* a) {\n"
                   "  a[0] += 3;\n}",
                   4) == 7);
  };
  for (const Run::Work work : {Run::Work(sum), Run::Work(eights)}) {
    const Run run("TRANSPIRE_CL_VERSION", "1.2", work);
    CHECK(recorded(run).opencl_version == 12);
    CHECK_FALSE(run.plan().settings.environment);
    const launch::RunReport report = replayed(run);
    INFO(launch::format_messages(report));
    CHECK(report.exit_code == 0);
    CHECK(report.expectations == 2);  // the values, and no faults
    launch::RunOverrides old;
    old.strictness = Strictness::kField;
    old.settings.environment = "opencl1.2";
    CHECK(launch::run_plan(run.plan(), old).exit_code == launch::kInvalidModule);
  }
}

TEST_CASE("hosts are told the size of sub-groups that a seed chooses") {
  const Run run("TRANSPIRE_CL_SCHEDULE", "random", [] {
    setenv("TRANSPIRE_CL_SEED", "9", 1);
    const Host host;
    const Kernel kernel =
        host.kernel(host.built("#pragma OPENCL EXTENSION cl_intel_subgroups : enable\n"
                               "kernel void k(global int* a) { a[0] = get_max_sub_group_size(); }"),
                    "k");
    const std::size_t local = 128;
    const auto tell = [&](cl_kernel_sub_group_info name) {
      return info<std::size_t>(clGetKernelSubGroupInfo, kernel, host.device, name, sizeof local,
                               &local);
    };
    REQUIRE(tell(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE) == 64);
    REQUIRE(tell(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE) == 2);
    REQUIRE(host.first_int(kernel, 0) == 64);
  });
  CHECK(recorded(run).schedule == Schedule::kRandom);
  CHECK(recorded(run).seed == 9);
  CHECK(replayed(run).exit_code == 0);
}

/// A buffer of which the first half was written, shared virtual memory of which the last number was not, and a kernel
/// that reads all of both.
void read_unwritten() {
  const Host host;
  const Kernel kernel = host.kernel(
      host.built("kernel void k(global const int* a, global const int* b, global int* out) {\n"
                 "  size_t i = get_global_id(0);\n  out[i] = a[i];\n  out[i + 4] = b[i];\n}"),
      "k");
  const cl_int numbers[4] = {1, 2, 3, 4};
  const Memory a = host.buffer(16), out = host.buffer(32);
  void* const b = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 16, 0);
  REQUIRE(issue(clEnqueueWriteBuffer, host.queue, a, CL_TRUE, 0, 8, numbers) == CL_SUCCESS);
  REQUIRE(issue(clEnqueueSVMMemcpy, host.queue, CL_TRUE, b, numbers, 12) == CL_SUCCESS);
  set(kernel, a, Shared{b}, out);
  REQUIRE(host.enqueue(kernel, {4}) == CL_SUCCESS);
  REQUIRE(clFinish(host.queue) == CL_SUCCESS);
  clSVMFree(host.context, b);
}

TEST_CASE("records say which memory nobody has written") {
  const Run run("TRANSPIRE_CL_CHECK", "uninit", read_unwritten);
  CHECK(run.report().find("TSP-R0101") != std::string::npos);
  std::set<std::string> undefined;
  for (const launch::BufferSpec& buffer : run.plan().buffers)
    for (const launch::ByteRange& range : buffer.value.undefined)
      undefined.insert(fmt::format("{} {}..{}", buffer.name, range.first, range.last));
  CHECK(undefined == std::set<std::string>{"a 8..15", "out 0..31", "shared0 12..15"});
  const launch::RunReport report = replayed(run);
  INFO(launch::format_messages(report));
  CHECK(report.exit_code == 0);
  REQUIRE(report.findings.size() == 2);
  for (const launch::ReportedFinding& each : report.findings)
    CHECK(each.finding.diagnostic.rule == "TSP-R0101");
  CHECK(report.findings[0].finding.global_id != report.findings[1].finding.global_id);
  // Without the check nobody asks.
  for (const launch::BufferSpec& buffer : Run("", "", read_unwritten).plan().buffers)
    CHECK(buffer.value.undefined.empty());
}

// The driver goes by how a program was made, and lets kernels write what is const as other drivers do.
TEST_CASE("records of launches that a run would refuse are lenient") {
  const auto cast = [] {
    REQUIRE(run_source("kernel void k(global const int* a) { *(global int*)a = 5; }", 0) == 5);
  };
  const std::pair<Run::Work, std::string> cases[] = {{run_uneven, "TSP-C0005"},
                                                     {cast, "TSP-R0025"}};
  for (const auto& [work, code] : cases) {
    const std::string& rule = code;
    INFO(rule);
    const Run run("", "", work);
    CHECK(run.report().empty());
    CHECK(recorded(run).lenient);
    const launch::RunReport report = replayed(run);
    INFO(launch::format_messages(report));
    CHECK(report.exit_code == 0);
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].rule == rule);
  }
  const auto reads = [] {
    REQUIRE(run_source("kernel void k(global const int* a) { int x = a[0]; (void)x; }", 3) == 3);
  };
  CHECK_FALSE(recorded(Run("", "", reads)).lenient);
  const Run enforced("TRANSPIRE_CL_ENFORCE_FLAGS", "1", [] {
    REQUIRE(run_source("kernel void k(global const int* a) { *(global int*)a = 5; }", 3) == 3);
  });
  CHECK(enforced.report().find("TSP-R0025") != std::string::npos);
  CHECK_FALSE(recorded(enforced).lenient);
}

}  // namespace
}  // namespace transpire::test::settings_tests
