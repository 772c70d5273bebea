// Options of `run` and `cl` made from the table of settings: names and descriptions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transpire/setting_table.hpp"

namespace transpire::cli {

/// An option's description; empty if there is no such option.
struct OptionText {
  std::string_view name{};         ///< "--math"
  std::string_view placeholder{};  ///< placeholder for its value
  std::string_view help{};
};

/// The command line's texts for a setting.
struct SettingText {
  std::string_view member;  ///< name of the member of LaunchSettings
  OptionText run{};  ///< option of `run`; for a check, `help` follows its name in the help of
                     ///< --check
  /// True if the parser refuses values without a name, and completes names.
  bool listed = false;
  /// The value when the option of `run` or `cl` stands alone; empty: it needs a value.
  std::string_view bare{};
  OptionText driver{};  ///< option of `cl`, which sets the driver's variable; none for checks
};

const SettingText& text_of(const Setting& setting);
/// Names of the values that the driver accepts.
std::vector<std::string> driver_names(const Setting& setting);
/// Help texts of --check for `run` and `cl`.
std::string check_help();
std::string driver_check_help();

}  // namespace transpire::cli
