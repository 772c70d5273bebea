// Options that the table of settings makes: see the header.
#include "cli/setting_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace transpire::cli {
namespace {

constexpr SettingText kTexts[] = {
    {.member = "check_ub",
     .run = {.help = "reports undefined results, and promises of the module that are broken"}},
    {.member = "check_bounds", .run = {.help = "indexes outside their array's type"}},
    {.member = "check_sync",
     .run = {.help = "use of memory that an asynchronous copy has yet to fill, operands of group "
                     "instructions, and texels of read-write images without a fence"}},
    {.member = "check_race",
     .run = {.help = "accesses of work-items to the same memory that nothing orders"}},
    {.member = "check_same_value",
     .run = {.help = "the same, and where both store the same value"}},
    {.member = "check_uninit",
     .run = {.help = "values that were never written, where they decide something or are stored"}},
    {.member = "subgroup_size",
     .run = {"--subgroup-size", "N",
             "Work-items of a sub-group where the kernel does not say: 8, 16, 32 or 64 (default "
             "32)"}},
    {.member = "schedule",
     .run = {"--schedule", "ORDER",
             "In which order work-items run: 'lockstep' (default), 'serial' one after the other, "
             "'reverse' from the last one, or 'random' by --seed"},
     .listed = true,
     .driver = {"--schedule", "ORDER",
                "In which order work-items run: 'lockstep' (default), 'serial', 'reverse', or "
                "'random' by --seed"}},
    {.member = "seed",
     .run = {"--seed", "N", "Of the schedule 'random': another number is another order"},
     .driver = {"--seed", "N", "Of the schedule 'random': another number is another order"}},
    {.member = "fair_progress",
     .run =
         {"--progress", "WHOSE",
          "Whose loops may wait for others: 'sub-groups' (default), or 'fair' for each work-item"},
     .listed = true,
     .driver = {"--progress", "WHOSE",
                "Whose loops may wait for others: 'sub-groups' (default), or 'fair' for each "
                "work-item"}},
    {.member = "rounding",
     .run = {"--rounding", "MODE",
             "How half and float round where the kernel does not say: 'rte' to nearest even "
             "(default), 'rtz' towards zero"}},
    {.member = "flush_denorms",
     .run = {"--denorms", "WHAT",
             "Denormals of half and float where the kernel does not say: 'keep' (default) or "
             "'flush'"}},
    {.member = "count_instructions",
     .run = {"--count-instructions", "",
             "Count how many work-items execute each instruction of SPIR-V"}},
    {.member = "math",
     .run = {"--math", "MODE",
             "How math functions are computed: 'fast', within the bounds of the specification, "
             "or 'reference', correctly rounded"},
     .listed = true,
     .driver = {"--math", "MODE",
                "How math functions are computed: 'fast', or 'reference', correctly rounded"}},
    {.member = "reference",
     .run = {"--reference", "", "Use the unoptimised path that others are tested against"}},
    {.member = "opencl_version",
     .run = {"--opencl-version", "VERSION",
             "The version of OpenCL by whose rules scopes that only the run knows are judged "
             "(default that of the environment for which the module is validated)"},
     .listed = true,
     .driver = {"--cl-version", "VERSION", "The version of OpenCL to present (default 3.0)"}},
    {.member = "poison",
     .run =
         {"--poison", "",
          "Fill local and private memory that nothing has written with bytes 0xa5, not with zeros; "
          "--poison=off takes that back, also where it is on by itself, as in 'test' and 'fuzz'"},
     .listed = true,
     .bare = "on",
     .driver = {"--poison", "",
                "Fill local and private memory that nothing has written with bytes 0xa5, not with "
                "zeros"}},
    {.member = "robust",
     .run = {"--robust", "HOW",
             "What a shader's access out of bounds of a descriptor does: 'fault' is a finding "
             "(default), 'clamp' goes to the last place in the buffer, 'zero' loads zeros and "
             "stores nothing"}},
    {.member = "lenient",
     .run = {"--lenient", "",
             "Run what a device would refuse: work-groups that do not divide, more local memory, "
             "images "
             "or samplers, stores through const arguments"}},
};

constexpr const SettingText* find_text(const Setting& setting) {
  for (const SettingText& text : kTexts)
    if (text.member == setting.member) return &text;
  return nullptr;
}

/// True if the option has a description, and the name that the launch language gives to the
/// setting.
constexpr bool is_described(const Setting& setting) {
  const SettingText* const text = find_text(setting);
  if (setting.word.empty()) return text == nullptr;
  if (text == nullptr || text->run.help.empty()) return false;
  if (setting.kind == SettingKind::kCheck) return text->run.name.empty();
  return text->run.name.starts_with("--") && text->run.name.substr(2) == setting.word &&
         setting.driver_variable.empty() == text->driver.name.empty();
}

static_assert(std::ranges::all_of(kSettings, is_described));

}  // namespace

const SettingText& text_of(const Setting& setting) {
  static constexpr SettingText kNone{};
  const SettingText* const text = find_text(setting);
  return text == nullptr ? kNone : *text;
}

std::vector<std::string> driver_names(const Setting& setting) {
  std::vector<std::string> names;
  if (setting.kind == SettingKind::kCount) return names;  // accepts any number
  for (const SettingValue& value : driver_values(setting)) names.emplace_back(value.name);
  return names;
}

std::string check_help() {
  std::string text = "Look for more, several with commas between:";
  for (const Setting& setting : kSettings) {
    if (setting.kind != SettingKind::kCheck) continue;
    text += fmt::format("{} '{}' {}", text.ends_with(':') ? "" : ",", setting.word,
                        text_of(setting).run.help);
  }
  return text + fmt::format(
                    "; '{}' is every one without what stands behind a ':', '{}' takes back "
                    "what the launch file asks for",
                    kAllChecks, kNoChecks);
}

std::string driver_check_help() {
  std::vector<std::string> names;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck && !setting.driver_variable.empty())
      names.push_back(fmt::format("'{}'", setting.word));
  std::string text = "Look for more, several with commas between: ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text + fmt::format(
                    "; '{}' is every one without what stands behind a ':', '{}' takes back "
                    "those before it",
                    kAllChecks, kNoChecks);
}

}  // namespace transpire::cli
