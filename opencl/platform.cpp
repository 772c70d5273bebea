// The platform, and the reader of the environment.
#include "opencl/platform.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/work_limit.h"
#include "compiler/kept_source.h"
#include "launch/language/asked_settings.h"
#include "launch/language/number.h"
#include "launch/language/plan_builder.h"
#include "opencl/device.h"
#include "opencl/entry_point.h"
#include "opencl/extensions.h"
#include "transpire/limit_table.hpp"
#include "transpire/setting_table.hpp"

namespace transpire::opencl {
namespace {

/// Reads environment variables with one word or a list of words, and collects their errors.
class Reader {
 public:
  using Words = std::vector<SettingValue>;
  explicit Reader(std::vector<Diagnostic>* errors) : errors_(*errors) {}

  /// The value of the variable's word; none if it is not set or empty.
  std::optional<std::uint32_t> one_of(std::string_view name, const Words& words) {
    const std::string value = environment_variable(name.data());
    if (value.empty()) return std::nullopt;
    return find(name, value, words);
  }

  /// The 32-bit number in the variable.
  std::optional<std::uint32_t> count(std::string_view name, std::string_view unit) {
    const std::string value = environment_variable(name.data());
    if (value.empty()) return std::nullopt;
    const Result<std::uint64_t> number = launch::parse_count(value, unit);
    if (number && *number <= ~std::uint32_t{0}) return static_cast<std::uint32_t>(*number);
    Diagnostic error;
    error.rule = "TSP-C0033";
    error.message = fmt::format("'{}' in {} means nothing", value, name);
    error.help = fmt::format("expected a {}, of 32 bits", unit);
    errors_.push_back(std::move(error));
    return std::nullopt;
  }

  /// The values of the words of a list with commas, in its order.
  std::vector<std::uint32_t> some_of(std::string_view name, const Words& words) {
    std::vector<std::uint32_t> found;
    const std::string value = environment_variable(name.data());
    for (std::string_view left = value; !left.empty();) {
      const std::size_t comma = left.find(',');
      if (const auto word = find(name, left.substr(0, comma), words)) found.push_back(*word);
      left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
    }
    return found;
  }

 private:
  std::optional<std::uint32_t> find(std::string_view name, std::string_view value,
                                    const Words& words) {
    const auto at = std::ranges::find(words, value, &SettingValue::name);
    if (at != words.end()) return at->value;
    std::vector<std::string_view> known;
    for (const SettingValue& word : words) known.push_back(word.name);
    Diagnostic error;
    error.rule = "TSP-C0033";
    error.message = fmt::format("'{}' in {} means nothing", value, name);
    error.help = fmt::format("known are: {}", fmt::join(known, ", "));
    errors_.push_back(std::move(error));
    return std::nullopt;
  }

  std::vector<Diagnostic>& errors_;
};

/// Reads the list of checks in the variable.
void read_checks(Reader& reader, std::string_view variable, LaunchSettings& settings) {
  Reader::Words words;
  const auto add = [&words](std::string_view name) {
    words.push_back({name, static_cast<std::uint32_t>(words.size())});
  };
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck && setting.driver_variable == variable)
      add(setting.word);
  add(kAllChecks);
  add(kNoChecks);
  for (const std::uint32_t i : reader.some_of(variable, words)) set_check(settings, words[i].name);
}

LaunchSettings read_settings(Reader& reader) {
  LaunchSettings settings;
  std::string_view checks;
  for (const Setting& setting : kSettings) {
    const std::string_view variable = setting.driver_variable;
    if (variable.empty() || variable == checks) continue;
    if (setting.kind == SettingKind::kCheck) {
      read_checks(reader, checks = variable, settings);
      continue;
    }
    if (setting.kind == SettingKind::kCount) {
      if (const auto number = reader.count(variable, setting.unit)) setting.set(settings, *number);
      continue;
    }
    const auto values = driver_values(setting);
    if (const auto value = reader.one_of(variable, {values.begin(), values.end()}))
      setting.set(settings, *value);
  }
  return settings;
}

/// Splits the variable; none if it is not set or empty.
std::vector<std::string> parts_of(const char* name, char separator) {
  const std::string value = environment_variable(name);
  std::vector<std::string> parts;
  for (std::string_view left = value; !left.empty();) {
    const std::size_t end = std::min(left.find(separator), left.size());
    if (end != 0) parts.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return parts;
}

launch::FindingRules read_rules(double timeout_seconds, std::vector<Diagnostic>* errors) {
  auto rules = launch::FindingRules::read(parts_of("TRANSPIRE_CL_WARNINGS", ','),
                                          parts_of("TRANSPIRE_CL_SUPPRESS", ':'),
                                          launch::text_limit(WorkLimit::after(timeout_seconds)));
  if (rules) return std::move(rules).value();
  errors->insert(errors->end(), rules.errors().begin(), rules.errors().end());
  return {};
}

/// An error for a value that a reader of the launch language refused.
Diagnostic no_value(std::string_view variable, std::string_view value, const Diagnostics& refused) {
  Diagnostic error;
  error.rule = "TSP-C0033";
  error.message = fmt::format("'{}' in {} means nothing", value, variable);
  error.help = refused[0].help;
  return error;
}

Limits read_limits(std::vector<Diagnostic>& errors) {
  launch::AskedSettings asked;
  for (const Limit& limit : kLimits) {
    if (limit.driver_variable.empty()) continue;
    const std::string value = environment_variable(limit.driver_variable.data());
    if (value.empty()) continue;
    if (const Status read = launch::read_limit(asked, limit, value); !read)
      errors.push_back(no_value(limit.driver_variable, value, read.errors()));
  }
  Limits limits;
  asked.apply_to(limits);
  return limits;
}

Result<std::uint64_t> parse_memory(std::string_view text) {
  constexpr std::uint64_t kLeastBytes = std::uint64_t{64} << 20;
  Result<std::uint64_t> bytes = launch::parse_bytes(text);
  if (!bytes || *bytes >= kLeastBytes) return bytes;
  Diagnostic error;
  error.help = "a device of the full profile has buffers of 32 MiB at least: give it 64MiB";
  return error;
}

/// Creates the file if it does not exist. A FIFO is not opened: its reader would take that for the
/// end of the report.
void check_report_file(const std::string& path, std::vector<Diagnostic>& errors) {
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::status(path, ignored).type();
  if (path.empty() || type == std::filesystem::file_type::fifo) return;
  if (std::FILE* const file = std::fopen(path.c_str(), "ae")) {
    std::fclose(file);
    return;
  }
  Diagnostic error;
  error.rule = "TSP-C0033";
  error.message =
      fmt::format("'{}' in TRANSPIRE_CL_REPORT cannot be written: {}", path, std::strerror(errno));
  errors.push_back(std::move(error));
}

Environment read_environment() {
  Environment read;
  Reader reader(&read.errors);
  read.settings = read_settings(reader);
  const std::uint32_t version = read.settings.opencl_version;
  read.version = CL_MAKE_VERSION(version / 10, version % 10, 0);
  read.record_folder = environment_variable("TRANSPIRE_CL_RECORD");
  read.report_file = environment_variable("TRANSPIRE_CL_REPORT");
  check_report_file(read.report_file, read.errors);
  if (auto refusal = compiler::refusal_of_users_cache()) read.errors.push_back(*refusal);
  read.limits = read_limits(read.errors);
  read.rules = read_rules(read.limits.timeout_seconds, &read.errors);
  read.enforce_flags = reader.one_of("TRANSPIRE_CL_ENFORCE_FLAGS", {{"0", 0}, {"1", 1}}) == 1u;
  read.interrupt = reader.one_of("TRANSPIRE_CL_INTERRUPT", {{"0", 0}, {"1", 1}}) == 1u;
  constexpr const char* kMemory = "TRANSPIRE_CL_MEMORY";
  if (const std::string value = environment_variable(kMemory); !value.empty()) {
    const Result<std::uint64_t> bytes = parse_memory(value);
    if (bytes)
      read.memory_bytes = *bytes;
    else
      read.errors.push_back(no_value(kMemory, value, bytes.errors()));
  }
  return read;
}

void give_platforms(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  check((num_entries != 0) == (platforms != nullptr), CL_INVALID_VALUE);
  check(platforms != nullptr || num_platforms != nullptr, CL_INVALID_VALUE);
  if (platforms != nullptr) platforms[0] = &platform();
  if (num_platforms != nullptr) *num_platforms = 1;
}

}  // namespace

// Neither is ever destroyed: threads of the application may call while the process exits.
const Environment& environment() {
  static const Environment* const read = new Environment(read_environment());
  return *read;
}

void configure(Launch& launch) {
  static_cast<LaunchSettings&>(launch) = environment().settings;
  launch.limits = environment().limits;
}

_cl_platform_id& platform() {
  static _cl_platform_id* const made = new _cl_platform_id;
  return *made;
}

}  // namespace transpire::opencl

using namespace transpire::opencl;

_cl_platform_id::_cl_platform_id() {
  std::vector<transpire::Diagnostic> errors = environment().errors;
  transpire::Result<transpire::Device> device = transpire::Device::create();
  if (!device.ok()) errors.push_back(device.errors()[0]);
  if (errors.empty()) root = new _cl_device_id(std::move(*device));
  // Some environment variables are wrong; the loader itself would only say that there is no
  // platform.
  for (const transpire::Diagnostic& error : errors)
    std::fputs(transpire::format(error).c_str(), stderr);
}

_cl_platform_id::~_cl_platform_id() {
  if (root != nullptr) root->release();
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms,
                                    cl_uint* num_platforms) {
  return guarded([&] { give_platforms(num_entries, platforms, num_platforms); });
}

/// The loader's query. A driver without a platform returns an error of its own.
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                          cl_uint* num_platforms) {
  return guarded([&] {
    check(platform().root != nullptr, CL_PLATFORM_NOT_FOUND_KHR);
    give_platforms(num_entries, platforms, num_platforms);
  });
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id of, cl_platform_info param_name, size_t size,
                                     void* value, size_t* size_ret) {
  return guarded([&] {
    if (of == nullptr) of = &platform();
    check_object(of, CL_INVALID_PLATFORM);
    const cl_version version = environment().version;
    const Answer answer{size, value, size_ret};
    switch (param_name) {
      case CL_PLATFORM_PROFILE:
        return answer.give_text("FULL_PROFILE");
      case CL_PLATFORM_VERSION:
        return answer.give_text(fmt::format("OpenCL {}.{} Transpire {}", CL_VERSION_MAJOR(version),
                                            CL_VERSION_MINOR(version), transpire::version()));
      case CL_PLATFORM_NUMERIC_VERSION:
        return answer.give(version);
      case CL_PLATFORM_NAME:
        return answer.give_text("Transpire");
      case CL_PLATFORM_VENDOR:
        return answer.give_text("Transpire");
      case CL_PLATFORM_EXTENSIONS:
        return answer.give_text(extension_names());
      case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return answer.give_list(extensions());
      case CL_PLATFORM_ICD_SUFFIX_KHR:
        return answer.give_text("TRANSPIRE");
      case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return answer.give<cl_ulong>(1);  // steady_clock
      default:
        throw ApiError{CL_INVALID_VALUE};
    }
  });
}
