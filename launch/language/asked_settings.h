// The settings of transpire/setting_table.hpp and the limits of transpire/limit_table.hpp in the launch language. Reads and
// writes their statements, which are also members in JSON and options of the command line. `env` is a statement like them:
// the environment that modules are validated for. `isa`, `threads` and `shared-base` are statements of launches alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/limit_table.hpp"
#include "transpire/result.hpp"
#include "transpire/setting_table.hpp"

namespace transpire::launch {

/// Words of the statements that are in no table: the checks together, and the environment.
inline constexpr std::string_view kCheckWord = "check", kEnvironmentWord = "env";

/// The settings and limits that a description of launches sets. A member without a value is not set.
struct AskedSettings {
#define TRANSPIRE_SETTING(type, member, ...) std::optional<type> member{};
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
#define TRANSPIRE_LIMIT(type, member, ...) std::optional<type> member{};
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
  /// Environment for validation: one of environment_names(). Its version is the default of opencl_version.
  std::optional<std::string> environment{};
  std::optional<std::string> isa{};            ///< the device's instruction set
  std::optional<unsigned> threads{};           ///< the device's threads
  std::optional<std::uint64_t> shared_base{};  ///< first address of shared memory

  /// Takes all members that `other` sets.
  void replace_by(const AskedSettings& other);
  /// Changes the settings that this sets, and no others.
  void apply_to(LaunchSettings& settings) const;
  /// Changes the limits that this sets, and no others.
  void apply_to(Limits& limits) const;
};

/// The settings of the overrides if set, else the plan's.
AskedSettings merged(AskedSettings plan, const AskedSettings& overrides);

/// True if a check needs sources compiled without optimisation.
bool wants_source_as_written(const LaunchSettings& settings);

/// Reads a statement, WORD VALUE: one of setting_words(). Fails with C0021 and C0022.
Status read_setting(AskedSettings& asked, std::string_view word, std::string_view value);
/// Reads the value of a limit. Messages call a wrong count `unit`. Fails with C0022.
Status read_limit(AskedSettings& asked, const Limit& limit, std::string_view value,
                  std::string_view unit = "limit");

/// The setting whose statement begins with this word. Null if there is none, and for "check", which has many settings.
const Setting* find_setting(std::string_view word);
/// First words of all statements, in the order of the tables. "check" is in it once, and limits of time come last.
const std::vector<std::string_view>& setting_words();
/// Words that may follow "check": the checks, "all" and "none".
std::vector<std::string> check_names();
/// Names of the setting's values in the launch language.
std::vector<std::string> value_names(const Setting& setting);
/// Words that may follow "env": "opencl1.2", "opencl1.2embedded", ...
std::vector<std::string> environment_names();

/// The statement that sets the setting to this value. Empty if the language has none: it cannot turn off a check or flag.
std::string statement_of(const Setting& setting, std::uint32_t value);
/// The statements for all settings that differ from their initial values.
std::vector<std::string> statements_of(const LaunchSettings& settings);
/// The statements for all limits that differ from their initial values.
std::vector<std::string> limit_statements_of(const Limits& limits);
/// The statements for all limits that are set.
std::vector<std::string> limit_statements_of(const AskedSettings& asked);

}  // namespace transpire::launch
