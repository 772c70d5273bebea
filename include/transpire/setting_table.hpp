// The settings of a launch as a table. Code that reads or writes settings uses it: command lines, launch files, the OpenCL
// driver's environment, records, the C interface. The rows are in transpire/launch_settings.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "transpire/launch_settings.hpp"
#include "transpire/transpire.h"

namespace transpire {

/// Syntax of a setting in the launch language. The command line (`--WORD`) and JSON (a member WORD) follow from it.
enum class SettingKind : std::uint8_t {
  kCheck,   ///< `check WORD`, or several words; see check_value()
  kFlag,    ///< `WORD`; in JSON true or false
  kChoice,  ///< `WORD NAME`
  kCount,   ///< `WORD NUMBER`
};

struct SettingValue {
  std::string_view name;
  std::uint32_t value = 0;
};

struct Setting {
  std::string_view member;  ///< name of the member of LaunchSettings
  std::uint32_t (*get)(const LaunchSettings& settings);
  void (*set)(LaunchSettings& settings, std::uint32_t value);
  SettingKind kind;
  std::string_view word{};  ///< the setting's word; empty: only C++ has the setting
  /// Legal values of a choice. A count may also be 0; see legal_values().
  SettingValue values[5]{};
  std::string_view unit{};     ///< noun for the values in messages: "schedules"
  std::string_view unknown{};  ///< message about an unknown name, which replaces the {} in it
  /// Environment variable of the OpenCL driver; empty: the driver has none. Its value is one of driver_values(), any number
  /// for a count, or a list of checks separated by commas.
  std::string_view driver_variable{};
  /// Bit of transpire_launch_set_checks() that sets the setting to 1; 0: it has no bit.
  std::uint32_t c_bit = 0;
  std::string_view c_function{};  ///< function of the C interface that sets it, if it has no bit
};

template <auto kMember>
constexpr std::uint32_t get_setting(const LaunchSettings& settings) {
  return static_cast<std::uint32_t>(settings.*kMember);
}

template <auto kMember>
constexpr void set_setting(LaunchSettings& settings, std::uint32_t value) {
  auto& member = settings.*kMember;
  member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

inline constexpr Setting kSettings[] = {
#define TRANSPIRE_SETTING(type, name, initial, ...) \
  {.member = #name,                                 \
   .get = &get_setting<&LaunchSettings::name>,      \
   .set = &set_setting<&LaunchSettings::name>,      \
   __VA_ARGS__},
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
};

/// An array with one element per setting, in the order of the table.
template <class T>
using PerSetting = std::array<T, std::size(kSettings)>;

/// Returns the row of a member of LaunchSettings. An unknown name does not compile.
consteval const Setting& setting_of(std::string_view member) {
  for (const Setting& setting : kSettings)
    if (setting.member == member) return setting;
  throw "no member of LaunchSettings";  // never compiles
}

inline std::uint32_t initial_value(const Setting& setting) { return setting.get({}); }

/// The values of a setting that have a name. All values of a choice have one.
constexpr std::span<const SettingValue> named_values(const Setting& setting) {
  std::size_t count = 0;
  while (count < std::size(setting.values) && !setting.values[count].name.empty()) ++count;
  return std::span(setting.values, count);
}

constexpr const SettingValue* find_value(const Setting& setting, std::uint32_t number) {
  for (const SettingValue& value : named_values(setting))
    if (value.value == number) return &value;
  return nullptr;
}

constexpr bool is_switch(const Setting& setting) {
  return setting.kind == SettingKind::kCheck || setting.kind == SettingKind::kFlag;
}

/// Words in a list of checks beside the names of checks. "all" turns every check on, but no option of a check; "none" turns
/// off all checks that come before it in the list.
inline constexpr std::string_view kAllChecks = "all", kNoChecks = "none";

/// True for an option of a check, e.g. `race:same-value`. Only its own name turns it on; "all" does not.
constexpr bool is_check_option(const Setting& setting) {
  return setting.kind == SettingKind::kCheck && setting.word.find(':') != setting.word.npos;
}

/// The value that a word in a list of checks gives to the setting; nothing if the word leaves the setting unchanged.
constexpr std::optional<std::uint32_t> check_value(const Setting& setting, std::string_view name) {
  if (setting.kind != SettingKind::kCheck) return std::nullopt;
  if (name == kNoChecks) return 0;
  if (name == setting.word || (name == kAllChecks && !is_check_option(setting))) return 1;
  return std::nullopt;
}

/// Applies one word of a list of checks to all settings. Returns false if the word is unknown.
inline bool set_check(LaunchSettings& settings, std::string_view name) {
  bool known = false;
  for (const Setting& setting : kSettings) {
    const std::optional<std::uint32_t> value = check_value(setting, name);
    if (value) setting.set(settings, *value);
    known |= value.has_value();
  }
  return known;
}

inline constexpr SettingValue kSwitchValues[] = {{"0", 0}, {"1", 1}};
/// The values that the setting's environment variable of the OpenCL driver may have. Flags have "0" and "1".
constexpr std::span<const SettingValue> driver_values(const Setting& setting) {
  return setting.kind == SettingKind::kFlag ? std::span<const SettingValue>(kSwitchValues)
                                            : named_values(setting);
}

/// All legal values of a setting.
inline std::vector<std::uint32_t> legal_values(const Setting& setting) {
  if (is_switch(setting)) return {0, 1};
  std::vector<std::uint32_t> values;
  if (setting.kind == SettingKind::kCount) values.push_back(0);
  for (const SettingValue& value : named_values(setting)) values.push_back(value.value);
  return values;
}

}  // namespace transpire
