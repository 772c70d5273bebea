// Options that the table of settings makes: see the header.
#include "cli/setting_options.h"

#include <fmt/format.h>

namespace transpire::cli {

std::string run_option(const Setting& setting) {
  if (setting.word.empty() || setting.kind == SettingKind::kCheck) return {};
  return fmt::format("--{}", setting.word);
}

std::vector<std::string> driver_names(const Setting& setting) {
  std::vector<std::string> names;
  for (const SettingValue& value : driver_values(setting)) names.emplace_back(value.name);
  return names;
}

std::string check_help() {
  std::string text = "Look for more:";
  for (const Setting& setting : kSettings) {
    if (setting.kind != SettingKind::kCheck) continue;
    text += fmt::format("{} '{}' {}", text.ends_with(':') ? "" : ",", setting.word, setting.help);
  }
  return text + "; 'none' takes back what the launch file asks for";
}

std::string driver_check_help() {
  std::vector<std::string> names;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck && !setting.driver.variable.empty())
      names.push_back(fmt::format("'{}'", setting.word));
  std::string text = "Look for more: ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

}  // namespace transpire::cli
