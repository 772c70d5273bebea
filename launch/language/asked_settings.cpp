// Reads and writes settings in the launch language: see the header.
#include "launch/language/asked_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "launch/language/number.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

constexpr const Setting& kVersion = setting_of("opencl_version");
/// Largest value of a setting. The launch checks the value itself.
constexpr std::uint64_t kLargestCount = 0xffffffff;

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

/// Turns a check on, or all checks on or off.
Status read_check(AskedSettings& asked, std::string_view name) {
  bool known = false;
  for (const Setting& setting : kSettings) {
    const std::optional<std::uint32_t> value = check_value(setting, name);
    if (value) ask(asked, setting, *value);
    known |= value.has_value();
  }
  if (known) return Unit{};
  return refuse(fmt::format("there is no check '{}'", name),
                suggestion(name, check_names(), "checks"));
}

/// Reads names separated by commas. An empty list is an empty name, which is wrong.
Status read_checks(AskedSettings& asked, std::string_view names) {
  for (bool more = true; more;) {
    const std::size_t comma = std::min(names.find(','), names.size());
    if (const Status read = read_check(asked, names.substr(0, comma)); !read) return read;
    more = comma < names.size();
    names.remove_prefix(more ? comma + 1 : comma);
  }
  return Unit{};
}

Status read_name(AskedSettings& asked, const Setting& setting, std::string_view name) {
  for (const SettingValue& value : named_values(setting)) {
    if (value.name != name) continue;
    ask(asked, setting, value.value);
    return Unit{};
  }
  return refuse(fmt::format(fmt::runtime(setting.unknown), name),
                suggestion(name, value_names(setting), "values"));
}

/// An environment and its version of OpenCL; 0 for other environments.
struct NamedEnvironment {
  std::string name;
  std::uint32_t version = 0;
};

const std::vector<NamedEnvironment>& environments() {
  static const std::vector<NamedEnvironment> all = [] {
    std::vector<NamedEnvironment> environments;
    for (const SettingValue& value : named_values(kVersion))
      for (const std::string_view profile : {"", "embedded"})
        environments.push_back({fmt::format("opencl{}{}", value.name, profile), value.value});
    for (const int minor : {0, 1, 2, 3, 4})
      environments.push_back({fmt::format("vulkan1.{}", minor)});
    for (const int minor : {0, 1, 2, 3, 4, 5, 6})
      environments.push_back({fmt::format("universal1.{}", minor)});
    return environments;
  }();
  return all;
}

Status read_environment(AskedSettings& asked, std::string_view name) {
  if (std::ranges::find(environments(), name, &NamedEnvironment::name) == environments().end())
    return refuse(fmt::format("there is no environment '{}'", name),
                  suggestion(name, environment_names(), "environments"));
  asked.environment = name;
  return Unit{};
}

// The first argument only selects the type.
Result<double> parse_limit(const std::optional<double>&, LimitKind, std::string_view text,
                           std::string_view) {
  return parse_seconds(text);
}

Result<std::uint64_t> parse_limit(const std::optional<std::uint64_t>&, LimitKind kind,
                                  std::string_view text, std::string_view unit) {
  return kind == LimitKind::kBytes ? parse_bytes(text) : parse_count(text, unit);
}

std::string limit_statement(std::string_view member, const auto& value) {
  const auto limit = std::ranges::find(kLimits, member, &Limit::member);
  return fmt::format("{} {}{}", limit->word, value, limit->kind == LimitKind::kTime ? "s" : "");
}

}  // namespace

void AskedSettings::replace_by(const AskedSettings& other) {
  const auto take = [](auto& mine, const auto& theirs) {
    if (theirs) mine = theirs;
  };
#define TRANSPIRE_SETTING(type, member, ...) take(member, other.member);
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
#define TRANSPIRE_LIMIT(type, member, ...) take(member, other.member);
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
  take(environment, other.environment);
  take(isa, other.isa);
  take(threads, other.threads);
  take(shared_base, other.shared_base);
}

AskedSettings merged(AskedSettings plan, const AskedSettings& overrides) {
  plan.replace_by(overrides);
  return plan;
}

void AskedSettings::apply_to(LaunchSettings& settings) const {
  for (const NamedEnvironment& known : environments())
    if (environment == known.name && known.version != 0) settings.opencl_version = known.version;
#define TRANSPIRE_SETTING(type, member, ...) settings.member = member.value_or(settings.member);
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING
}

void AskedSettings::apply_to(Limits& limits) const {
#define TRANSPIRE_LIMIT(type, member, ...) limits.member = member.value_or(limits.member);
#define TRANSPIRE_RUN_LIMIT(...)
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
}

bool wants_source_as_written(const LaunchSettings& settings) {
  return std::any_of(std::begin(kSettings), std::end(kSettings), [&](const Setting& setting) {
    return setting.kind == SettingKind::kCheck && setting.get(settings) != initial_value(setting);
  });
}

Status read_setting(AskedSettings& asked, std::string_view word, std::string_view value) {
  if (word == kCheckWord) return read_checks(asked, value);
  if (word == kEnvironmentWord) return read_environment(asked, value);
  for (const Limit& limit : kLimits)
    if (limit.word == word) return read_limit(asked, limit, value);
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
  if (*count > kLargestCount)
    return refuse(fmt::format("'{}' is too large: expected a {} of 32 bits", value, setting->unit));
  ask(asked, *setting, static_cast<std::uint32_t>(*count));
  return Unit{};
}

Status read_limit(AskedSettings& asked, const Limit& limit, std::string_view value,
                  std::string_view unit) {
  const auto read = [&](auto& member) -> Status {
    const auto parsed = parse_limit(member, limit.kind, value, unit);
    if (!parsed) return parsed.errors();
    member = *parsed;
    return Unit{};
  };
#define TRANSPIRE_LIMIT(type, member_name, ...) \
  if (limit.member == #member_name) return read(asked.member_name);
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
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
    std::vector<std::string_view> all{kCheckWord};
    for (const Setting& setting : kSettings)
      if (setting.kind != SettingKind::kCheck && !setting.word.empty()) all.push_back(setting.word);
    all.push_back(kEnvironmentWord);
    for (const bool is_time : {false, true})
      for (const Limit& limit : kLimits)
        if ((limit.kind == LimitKind::kTime) == is_time) all.push_back(limit.word);
    return all;
  }();
  return words;
}

std::vector<std::string> check_names() {
  std::vector<std::string> names;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck) names.emplace_back(setting.word);
  names.emplace_back(kAllChecks);
  names.emplace_back(kNoChecks);
  return names;
}

std::vector<std::string> value_names(const Setting& setting) {
  std::vector<std::string> names;
  for (const SettingValue& value : named_values(setting)) names.emplace_back(value.name);
  return names;
}

std::vector<std::string> environment_names() {
  std::vector<std::string> names;
  for (const NamedEnvironment& environment : environments()) names.push_back(environment.name);
  return names;
}

std::string statement_of(const Setting& setting, std::uint32_t value) {
  if (setting.word.empty()) return {};
  const SettingValue* const named = find_value(setting, value);
  switch (setting.kind) {
    case SettingKind::kCheck:
      return value != 0 ? fmt::format("{} {}", kCheckWord, setting.word) : "";
    case SettingKind::kFlag:
      return std::string(value != 0 ? setting.word : "");
    case SettingKind::kCount:
      return fmt::format("{} {}", setting.word, value);
    case SettingKind::kChoice:
      return named != nullptr ? fmt::format("{} {}", setting.word, named->name) : "";
  }
  return {};
}

std::vector<std::string> statements_of(const LaunchSettings& settings) {
  std::vector<std::string> statements;
  for (const Setting& setting : kSettings)
    if (const std::uint32_t value = setting.get(settings); value != initial_value(setting))
      if (std::string text = statement_of(setting, value); !text.empty())
        statements.push_back(std::move(text));
  return statements;
}

std::vector<std::string> limit_statements_of(const Limits& limits) {
  AskedSettings asked;
#define TRANSPIRE_LIMIT(type, member, ...) \
  if (limits.member != Limits{}.member) asked.member = limits.member;
#define TRANSPIRE_RUN_LIMIT(...)
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
  return limit_statements_of(asked);
}

std::vector<std::string> limit_statements_of(const AskedSettings& asked) {
  std::vector<std::string> statements;
#define TRANSPIRE_LIMIT(type, member, ...) \
  if (asked.member) statements.push_back(limit_statement(#member, *asked.member));
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
  return statements;
}

}  // namespace transpire::launch
