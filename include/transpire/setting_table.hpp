// The settings of a launch as a table, for whatever reads or writes descriptions of launches: command lines, launch files,
// the OpenCL driver's environment, records, the C interface. The rows are in transpire/launch_settings.def.
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

/// How a setting is written in the launch language, and so on the command line (`--WORD`) and in JSON (a member WORD).
enum class SettingKind : std::uint8_t {
  kCheck,   ///< `check WORD`, one of several; see check_value()
  kFlag,    ///< `WORD`; in JSON true or false
  kChoice,  ///< `WORD NAME`
  kCount,   ///< `WORD NUMBER`
};

struct SettingValue {
  std::string_view name;
  std::uint32_t value = 0;
};

struct Setting {
  std::string_view member;  ///< of LaunchSettings
  std::uint32_t (*get)(const LaunchSettings& settings);
  void (*set)(LaunchSettings& settings, std::uint32_t value);
  SettingKind kind;
  std::string_view word{};  ///< empty: nothing but C++ has the setting
  /// The legal ones of choices, and of counts besides 0; see legal_values().
  SettingValue values[5]{};
  std::string_view unit{};     ///< what the names, or the number, are, in messages
  std::string_view unknown{};  ///< the message about another name, which replaces {}
  /// Of the OpenCL driver's environment, with one of driver_values(), or any number of a count; checks are a list with commas. Empty: it has none.
  std::string_view driver_variable{};
  /// In transpire_launch_set_checks(): makes the setting 1. 0: there is none.
  std::uint32_t c_bit = 0;
  std::string_view c_function{};  ///< of the C interface, where it is another one
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

/// A string or a flag and the like for each setting, in the order of the table.
template <class T>
using PerSetting = std::array<T, std::size(kSettings)>;

/// The setting that is this member of LaunchSettings.
consteval const Setting& setting_of(std::string_view member) {
  for (const Setting& setting : kSettings)
    if (setting.member == member) return setting;
  throw "no member of LaunchSettings";  // never compiles
}

inline std::uint32_t initial_value(const Setting& setting) { return setting.get({}); }

/// The values that have a name: of choices all there are.
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

/// What lists of checks may name beside the checks: every one, and none of those before it.
inline constexpr std::string_view kAllChecks = "all", kNoChecks = "none";

/// An option of a check, `race:same-value`, is asked for by its name alone.
constexpr bool is_check_option(const Setting& setting) {
  return setting.kind == SettingKind::kCheck && setting.word.find(':') != setting.word.npos;
}

/// What a name in a list of checks makes the setting; nothing where it leaves the setting as it is.
constexpr std::optional<std::uint32_t> check_value(const Setting& setting, std::string_view name) {
  if (setting.kind != SettingKind::kCheck) return std::nullopt;
  if (name == kNoChecks) return 0;
  if (name == setting.word || (name == kAllChecks && !is_check_option(setting))) return 1;
  return std::nullopt;
}

/// One more name of a list of checks; false where it is none.
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
/// Names in the driver's environment.
constexpr std::span<const SettingValue> driver_values(const Setting& setting) {
  return setting.kind == SettingKind::kFlag ? std::span<const SettingValue>(kSwitchValues)
                                            : named_values(setting);
}

/// What the setting may be.
inline std::vector<std::uint32_t> legal_values(const Setting& setting) {
  if (is_switch(setting)) return {0, 1};
  std::vector<std::uint32_t> values;
  if (setting.kind == SettingKind::kCount) values.push_back(0);
  for (const SettingValue& value : named_values(setting)) values.push_back(value.value);
  return values;
}

}  // namespace transpire
