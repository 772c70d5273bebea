// The settings of transpire/setting_table.hpp in the launch language: what a description of launches asks for, and the
// reader of the statements, which are JSON members and options of the command line too.
#pragma once

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

  /// What the other one says goes before what this one says.
  void replace_by(const AskedSettings& other);
  /// Leaves what is not said as it is.
  void apply_to(LaunchSettings& settings) const;
  /// Whether a check asks for a source to be compiled as it is written.
  bool want_source_as_written() const;
};

/// Reads a statement, WORD VALUE: one of setting_words(). Fails with C0021 and C0022.
Status read_setting(AskedSettings& asked, std::string_view word, std::string_view value);

/// The setting that has a statement of its own by this word; null for others, also for "check".
const Setting* find_setting(std::string_view word);
/// First words of statements, in the order of the table; "check" once.
const std::vector<std::string_view>& setting_words();
/// What may follow "check": the checks, and "none".
std::vector<std::string> check_names();
/// The names of its values in the language; of versions also with "embedded".
std::vector<std::string> value_names(const Setting& setting);

}  // namespace transpire::launch
