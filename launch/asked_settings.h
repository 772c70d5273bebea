// The settings of transpire/setting_table.hpp in the launch language: what a description of launches asks for, and the
// reader and the writer of the statements, which are JSON members and options of the command line too. `env`, the
// environment that modules are validated for, is a statement like them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/result.hpp"
#include "transpire/setting_table.hpp"

namespace transpire::launch {

/// Nothing: not said.
struct AskedSettings {
#define TRANSPIRE_SETTING(type, member, ...) std::optional<type> member{};
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
  /// That validation goes by: one of environment_names(). Its version is opencl_version where that is not said.
  std::optional<std::string> environment{};

  /// What the other one says goes before what this one says.
  void replace_by(const AskedSettings& other);
  /// Leaves what is not said as it is.
  void apply_to(LaunchSettings& settings) const;
};

/// Whether a check asks for a source to be compiled as it is written, not optimised.
bool wants_source_as_written(const LaunchSettings& settings);

/// Reads a statement, WORD VALUE: one of setting_words(). Fails with C0021 and C0022.
Status read_setting(AskedSettings& asked, std::string_view word, std::string_view value);

/// The setting that has a statement of its own by this word; null for others, also for "check".
const Setting* find_setting(std::string_view word);
/// First words of statements, in the order of the table; "check" once.
const std::vector<std::string_view>& setting_words();
/// What may follow "check": the checks, "all" and "none".
std::vector<std::string> check_names();
/// The names of its values in the language.
std::vector<std::string> value_names(const Setting& setting);
/// What may follow "env": "opencl1.2", "opencl1.2embedded", ...
std::vector<std::string> environment_names();

/// The statement that gives the setting this value; empty: there is none, of what is on without being asked for.
std::string statement_of(const Setting& setting, std::uint32_t value);
/// All statements that give a launch these settings, but for those that are as they begin.
std::vector<std::string> statements_of(const LaunchSettings& settings);

}  // namespace transpire::launch
