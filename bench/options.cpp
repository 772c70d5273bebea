// A table of flags, each with what it does to the options.
// Anything unexpected is a usage error; there are no abbreviations.
#include "bench/options.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string_view>

#include "bench/registry.h"

namespace transpire::bench {

const char* const kUsage =
    "usage: transpire-bench [--case A,B] [--repeat N] [--json] [--no-oclgrind] [--small]\n"
    "       transpire-bench --one CASE --via native|pocl|oclgrind|transpire|glsl|lavapipe\n"
    "                       [--threads N] [--isa NAME] [--check NAME] [--repeat N] [--small]\n"
    "       transpire-bench --list\n";

namespace {

struct Flag {
  std::string_view name;
  bool takes_value;
  std::function<bool(Options&, const std::string&)> apply;  // false: the value is not valid
};

bool ParseUnsigned(const std::string& text, unsigned& value) {
  char* end = nullptr;
  value = static_cast<unsigned>(std::strtoul(text.c_str(), &end, 10));
  return !text.empty() && *end == '\0';
}

bool AddCases(Options& options, const std::string& list) {
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    options.cases.push_back(list.substr(start, end - start));
    if (FindCase(options.cases.back()) == nullptr) return false;
    start = end + 1;
  }
  return true;
}

const std::vector<Flag>& Flags() {
  using Value = const std::string&;
  static const std::vector<Flag> flags = {
      {"--case", true, [](Options& o, Value v) { return AddCases(o, v); }},
      {"--repeat", true, [](Options& o, Value v) { return ParseUnsigned(v, o.repeats); }},
      {"--json", false, [](Options& o, Value) { return o.json = true; }},
      {"--no-oclgrind", false, [](Options& o, Value) { return !(o.with_oclgrind = false); }},
      {"--small", false, [](Options& o, Value) { return o.size = Size::kSmall, true; }},
      {"--list", false, [](Options& o, Value) { return o.list = true; }},
      {"--help", false, [](Options& o, Value) { return o.help = true; }},
      {"--one", true, [](Options& o, Value v) { return FindCase(o.one = v) != nullptr; }},
      {"--via", true, [](Options& o, Value v) { return o.runner.via = v, true; }},
      {"--threads", true, [](Options& o, Value v) { return ParseUnsigned(v, o.runner.threads); }},
      {"--isa", true, [](Options& o, Value v) { return o.runner.isa = v, true; }},
      {"--check", true, [](Options& o, Value v) { return o.runner.check = v, true; }},
      {"--serve", false, [](Options& o, Value) { return o.serve = true; }},
  };
  return flags;
}

const Flag* FindFlag(std::string_view name) {
  for (const Flag& flag : Flags()) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

}  // namespace

std::optional<Options> ParseOptions(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const Flag* flag = FindFlag(arguments[i]);
    if (flag == nullptr || (flag->takes_value && i + 1 == count)) {
      std::cerr << "unexpected '" << arguments[i] << "'\n" << kUsage;
      return std::nullopt;
    }
    const std::string value = flag->takes_value ? arguments[++i] : "";
    if (flag->apply(options, value)) continue;
    std::cerr << "not valid for " << flag->name << ": '" << value << "'\n";
    return std::nullopt;
  }
  return options;
}

}  // namespace transpire::bench
