// Settings of a launch in the launch language: see the header.
#include "launch/asked_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/diagnose.h"
#include "launch/number.h"
#include "launch/text.h"

namespace transpire::launch {
namespace {

constexpr std::string_view kCheck = "check", kNone = "none";
constexpr std::string_view kVersion = "opencl", kEmbedded = "embedded";
/// Counts beyond are refused by whoever runs the launch, as any other illegal one is.
constexpr std::uint64_t kLargestCount = 4096;

Status refuse(const std::string& message, std::string help = {}) {
  return command_error(kBadLaunchFile, message, std::move(help));
}

template <class T>
void ask(std::optional<T>& member, std::uint32_t value) {
  member = static_cast<T>(value);
}

void ask(AskedSettings& asked, const Setting& setting, std::uint32_t value) {
#define TRANSPIRE_SETTING(type, name, ...) \
  if (setting.member == #name) return ask(asked.name, value);
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
}

/// One more check, or none of those before it.
Status read_check(AskedSettings& asked, std::string_view name) {
  bool known = false;
  for (const Setting& setting : kSettings) {
    if (setting.kind != SettingKind::kCheck) continue;
    if (name == kNone) ask(asked, setting, 0);
    if (name == setting.word) ask(asked, setting, 1);
    known |= name == kNone || name == setting.word;
  }
  if (known) return Unit{};
  return refuse(fmt::format("there is no check '{}'", name),
                fmt::format("there are {}", listed(check_names())));
}

/// The names without "embedded", which stand in hints.
std::vector<std::string> short_names(const Setting& setting) {
  std::vector<std::string> names;
  for (const SettingValue& value : named_values(setting))
    names.push_back(
        fmt::format("{}{}", setting.kind == SettingKind::kVersion ? kVersion : "", value.name));
  return names;
}

Status read_name(AskedSettings& asked, const Setting& setting, std::string_view name) {
  std::string_view wanted = name;
  const bool version = setting.kind == SettingKind::kVersion;
  if (version && wanted.ends_with(kEmbedded)) wanted.remove_suffix(kEmbedded.size());
  const std::vector<std::string> names = short_names(setting);
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    return refuse(fmt::format(fmt::runtime(setting.unknown), name),
                  fmt::format("there are {}{}", listed(names),
                              version ? ", each also with 'embedded' at its end" : ""));
  ask(asked, setting, setting.values[found - names.begin()].value);
  return Unit{};
}

}  // namespace

void AskedSettings::replace_by(const AskedSettings& other) {
#define TRANSPIRE_SETTING(type, member, ...) \
  if (other.member) member = other.member;
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
}

void AskedSettings::apply_to(LaunchSettings& settings) const {
#define TRANSPIRE_SETTING(type, member, ...) settings.member = member.value_or(settings.member);
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
}

bool AskedSettings::want_source_as_written() const {
  LaunchSettings settings;
  apply_to(settings);
  return std::any_of(std::begin(kSettings), std::end(kSettings), [&](const Setting& setting) {
    return setting.as_written && setting.get(settings) != initial_value(setting);
  });
}

Status read_setting(AskedSettings& asked, std::string_view word, std::string_view value) {
  if (word == kCheck) return read_check(asked, value);
  const Setting* const setting = find_setting(word);
  if (setting == nullptr) return refuse(fmt::format("there is no setting '{}'", word));
  if (setting->kind == SettingKind::kFlag) {
    if (!value.empty()) return refuse(fmt::format("'{}' was not expected after '{}'", value, word));
    ask(asked, *setting, 1);
    return Unit{};
  }
  if (setting->kind != SettingKind::kCount) return read_name(asked, *setting, value);
  const auto count = parse_count(value, setting->unit);
  if (!count) return count.errors();
  ask(asked, *setting, static_cast<std::uint32_t>(std::min(*count, kLargestCount)));
  return Unit{};
}

const Setting* find_setting(std::string_view word) {
  for (const Setting& setting : kSettings)
    if (!word.empty() && setting.word == word && setting.kind != SettingKind::kCheck)
      return &setting;
  return nullptr;
}

const std::vector<std::string_view>& setting_words() {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> all{kCheck};
    for (const Setting& setting : kSettings)
      if (setting.kind != SettingKind::kCheck && !setting.word.empty()) all.push_back(setting.word);
    return all;
  }();
  return words;
}

std::vector<std::string> check_names() {
  std::vector<std::string> names;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck) names.emplace_back(setting.word);
  names.emplace_back(kNone);
  return names;
}

std::vector<std::string> value_names(const Setting& setting) {
  std::vector<std::string> names;
  for (const std::string& name : short_names(setting)) {
    names.push_back(name);
    if (setting.kind == SettingKind::kVersion)
      names.push_back(fmt::format("{}{}", name, kEmbedded));
  }
  return names;
}

}  // namespace transpire::launch
