// Environments, devices and the capability table: see the header.
#include "validator/environment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"

namespace transpire::validator {
namespace {

using Api = Environment::Api;

/// In the order in which environment_names() has them.
const std::vector<Environment>& all_environments() {
  static const std::vector<Environment>& all = *new std::vector<Environment>([] {
    std::vector<Environment> made;
    for (const std::uint32_t version : {12u, 20u, 21u, 22u, 30u})
      for (const bool embedded : {false, true}) made.push_back({version, embedded});
    for (std::uint32_t version = 10; version <= 14; ++version)
      made.push_back({version, false, Api::kVulkan});
    for (std::uint32_t version = 10; version <= 16; ++version)
      made.push_back({version, false, Api::kUniversal});
    return made;
  }());
  return all;
}

struct LimitRow {
  std::string_view name;
  std::uint64_t value;
};
constexpr LimitRow kLimits[] = {
    {"string_characters", 65535}, {"instruction_words", 65535}, {"id_bound", 4194303},
    {"nesting_depth", 1023},      {"global_variables", 65535},  {"local_variables", 524287},
    {"decorations_per_id", 0},    {"execution_modes", 255},     {"indexes", 255},
    {"parameters", 255},          {"call_arguments", 255},      {"ext_inst_arguments", 255},
    {"switch_pairs", 16383},      {"struct_members", 16383},    {"struct_depth", 255},
};
static_assert(std::size(kLimits) == static_cast<std::size_t>(Limit::kCount));

struct CapabilityRow {
  spv::Capability capability;
  std::string_view full, embedded;  ///< a letter for each of OpenCL 1.2, 2.0, 2.1, 2.2
  std::string_view extension;
};

constexpr CapabilityRow kCapabilities[] = {
#define TRANSPIRE_CAPABILITY(name, full, embedded, extension) \
  {spv::Capability::name, #full, #embedded, extension},
#include "validator/capabilities.def"
#undef TRANSPIRE_CAPABILITY
};

CapabilityStatus status_of(char letter) {
  switch (letter) {
    case 'R':
      return CapabilityStatus::kRequired;
    case 'O':
      return CapabilityStatus::kOptional;
    case 'E':
      return CapabilityStatus::kExtension;
    default:
      return CapabilityStatus::kForbidden;
  }
}

Diagnostic device_error(const std::string& input, std::string message) {
  Diagnostic error = make_diagnostic(Rule::kC0035, std::move(message));
  error.input = input;
  error.help =
      "members are address_bits (32 or 64), images, fp64, il_program (true or false), extensions, "
      "features (arrays of names) and limits (an object of numbers)";
  return error;
}

/// Fills in a Device, member by member; `error` gets the first mistake.
class DeviceReader {
 public:
  DeviceReader(Device& device, const std::string& input) : device_(device), input_(input) {}

  bool read(const Json& json) {
    if (!json.is_object()) return fail("expected a JSON object");
    for (const auto& [key, value] : json.items())
      if (!member(key, value)) return false;
    return true;
  }

  Diagnostic error;

 private:
  bool fail(std::string message) {
    error = device_error(input_, std::move(message));
    return false;
  }

  bool member(const std::string& key, const Json& value) {
    if (key == "address_bits") return address_bits(value);
    if (key == "images") return flag(key, value, device_.images);
    if (key == "fp64") return flag(key, value, device_.fp64);
    if (key == "il_program") return flag(key, value, device_.il_program);
    if (key == "extensions") return names(key, value, device_.extensions);
    if (key == "features") return names(key, value, device_.features.emplace());
    if (key == "limits") return limits(value);
    return fail(fmt::format("a device has no member '{}'", key));
  }

  bool address_bits(const Json& value) {
    const auto bits = value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
    if (bits != 32 && bits != 64)
      return fail(fmt::format("expected 32 or 64 for 'address_bits', found {}", shown(value)));
    device_.address_bits = static_cast<std::uint32_t>(bits);
    return true;
  }

  bool flag(const std::string& key, const Json& value, bool& target) {
    if (!value.is_boolean())
      return fail(fmt::format("expected true or false for '{}', found {}", key, shown(value)));
    target = value.get<bool>();
    return true;
  }

  bool names(const std::string& key, const Json& value,
             std::set<std::string, std::less<>>& target) {
    if (!value.is_array())
      return fail(fmt::format("expected an array of names for '{}', found {}", key, shown(value)));
    for (const Json& name : value) {
      if (!name.is_string())
        return fail(fmt::format("expected a name in '{}', found {}", key, shown(name)));
      target.insert(name.string());
    }
    return true;
  }

  bool limits(const Json& value) {
    if (!value.is_object())
      return fail(fmt::format("expected an object for 'limits', found {}", shown(value)));
    for (const auto& [key, number] : value.items()) {
      const auto* row =
          std::find_if(std::begin(kLimits), std::end(kLimits),
                       [&name = key](const LimitRow& limit) { return limit.name == name; });
      if (row == std::end(kLimits)) return fail(fmt::format("there is no limit '{}'", key));
      if (!number.is_number_unsigned())
        return fail(
            fmt::format("expected a number for the limit '{}', found {}", key, shown(number)));
      device_.limits[static_cast<Limit>(row - kLimits)] = number.get<std::uint64_t>();
    }
    return true;
  }

  static std::string shown(const Json& value) {
    if (value.is_structured()) return value.is_array() ? "an array" : "an object";
    return value.dump(-1, JsonText::kAscii).substr(0, 60);
  }

  Device& device_;
  const std::string& input_;
};

}  // namespace

std::string Environment::title() const {
  const std::string_view title = is_opencl() ? "OpenCL" : api == Api::kVulkan ? "Vulkan" : "SPIR-V";
  return fmt::format("{} {}.{}{}", title, version / 10, version % 10,
                     embedded ? " embedded profile" : "");
}

std::string Environment::name() const {
  const std::string_view word = is_opencl()           ? "opencl"
                                : api == Api::kVulkan ? "vulkan"
                                                      : "universal";
  return fmt::format("{}{}.{}{}", word, version / 10, version % 10, embedded ? "embedded" : "");
}

std::uint32_t Environment::newest_spirv() const {
  // A device of OpenCL 3.0 lists the versions that it takes; there is no newest one.
  if (api == Api::kUniversal) return 0x00010000 | (version % 10) << 8;
  if (api == Api::kVulkan)
    return version == 10   ? 0x00010000
           : version == 11 ? 0x00010300
           : version == 12 ? 0x00010500
                           : 0x00010600;
  return version == 30 ? 0x00010600 : version == 22 ? 0x00010200 : 0x00010000;
}

std::optional<Environment> find_environment(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '-' && c != ' ' && c != '_') plain += c;
  for (const Environment& environment : all_environments())
    if (plain == environment.name()) return environment;
  return std::nullopt;
}

std::vector<std::string> environment_names() {
  std::vector<std::string> names;
  for (const Environment& environment : all_environments()) names.push_back(environment.name());
  return names;
}

bool Device::has_all(std::string_view joined) const {
  while (!joined.empty()) {
    const std::size_t end = std::min(joined.find('+'), joined.size());
    if (!has(joined.substr(0, end))) return false;
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
  return true;
}

std::uint64_t Device::limit(Limit limit) const {
  const auto found = limits.find(limit);
  return found != limits.end() ? found->second : kLimits[static_cast<std::size_t>(limit)].value;
}

std::string_view limit_name(Limit limit) { return kLimits[static_cast<std::size_t>(limit)].name; }

Result<Device> read_device(std::string_view json, const std::string& input_name) {
  auto document = Json::try_parse(json);
  if (!document) return device_error(input_name, "the description is no JSON text");
  document->sort_members();  // the first member that is wrong is one in the order of names
  Device device;
  DeviceReader reader(device, input_name);
  if (!reader.read(*document)) return reader.error;
  return device;
}

std::optional<CapabilityAnswer> capability_in(const Environment& environment,
                                              spv::Capability capability) {
  for (const CapabilityRow& row : kCapabilities) {
    if (row.capability != capability) continue;
    // OpenCL 3.0 keeps what 2.2 has; its features say what is there (rules of the capabilities).
    const std::size_t column = environment.version == 12   ? 0
                               : environment.version == 20 ? 1
                               : environment.version == 21 ? 2
                                                           : 3;
    const char letter = (environment.embedded ? row.embedded : row.full)[column];
    return CapabilityAnswer{status_of(letter), row.extension};
  }
  return std::nullopt;
}

}  // namespace transpire::validator
