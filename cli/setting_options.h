// Options of `run` and `cl` that the table of settings makes: their names, and what is said of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transpire/setting_table.hpp"

namespace transpire::cli {

/// An option's description; empty where there is no such option.
struct OptionText {
  std::string_view name{};         ///< "--math"
  std::string_view placeholder{};  ///< what stands for its value
  std::string_view help{};
};

/// What the command line says of a setting.
struct SettingText {
  std::string_view member;  ///< of LaunchSettings
  OptionText run{};  ///< of `run`; of a check, `help` follows its name in the help of --check
  /// The command line refuses values of `run` that have no name by itself, and completes those that have.
  bool listed = false;
  /// The value that `run` and `cl` take for an option without one; empty: the option needs a value.
  std::string_view bare{};
  OptionText driver{};  ///< of `cl`, which sets the driver's variable; not of checks
};

const SettingText& text_of(const Setting& setting);
/// The names of the values that the driver takes.
std::vector<std::string> driver_names(const Setting& setting);
/// Of --check: of `run`, and of `cl`.
std::string check_help();
std::string driver_check_help();

}  // namespace transpire::cli
