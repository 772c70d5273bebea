#include "opencl/repeated_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/excerpt.h"

namespace transpire::opencl {
namespace {

constexpr std::size_t kMostKinds = 10000;
/// Maximum number of lines of the summary.
constexpr std::size_t kMostNamed = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes numbers of work-items, addresses, values and counts; "heat.cl:14:3" and "word 239" stay.
void append_without_numbers(std::string& text, std::string_view words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view before = words.substr(0, i);
    const bool is_first = is_digit(words[i]) && (i == 0 || !is_digit(words[i - 1]));
    if (is_first && !before.ends_with(':') && !before.ends_with("word ")) {
      while (i + 1 < words.size() && is_digit(words[i + 1])) ++i;
      text += '#';
    } else {
      text += words[i];
    }
  }
  text += '\n';
}

std::string name_of(const Diagnostic& finding) {
  std::string name = finding.rule;
  if (finding.source.known())
    name += " at " + text_of(finding.source);
  else if (finding.word_offset)
    name += fmt::format(" at word {}", *finding.word_offset);
  if (!finding.frames.empty())
    name += fmt::format(" in kernel '{}'", finding.frames.back().function);
  if (!finding.input.empty() && finding.input != finding.source.file)
    name += fmt::format(" of {}", finding.input);
  return name;
}

}  // namespace

std::string kind_of(const Diagnostic& finding) {
  std::string kind = fmt::format("{} {} {} {}\n", finding.rule, finding.input,
                                 finding.word_offset.value_or(0), finding.source.line);
  append_without_numbers(kind, finding.message);
  for (const Frame& frame : finding.frames)
    kind += fmt::format("{} {}\n", frame.function, frame.word_offset.value_or(0));
  for (const std::string& note : finding.notes)
    if (!note.starts_with("work-item: ")) append_without_numbers(kind, note);
  return kind;
}

/// By name: number of later launches with the finding; the maximum over kinds of the same name.
std::map<std::string, std::uint64_t> Repeated::later() const {
  std::map<std::string, std::uint64_t> most;
  for (const auto& [key, kind] : kinds_)
    if (kind.later != 0) most[kind.name] = std::max(most[kind.name], kind.later);
  for (const auto& [name, count] : forgotten_) most[name] += count;
  return most;
}

bool Repeated::came_before(std::uint64_t launch, const Diagnostic& finding) {
  if (kinds_.size() >= kMostKinds) {
    forgotten_ = later();
    kinds_.clear();
  }
  const auto [found, is_new] = kinds_.try_emplace(kind_of(finding));
  Kind& kind = found->second;
  if (is_new) kind = {launch, launch, 0, name_of(finding)};
  if (kind.first == launch) return false;
  if (kind.last != launch) ++kind.later;
  kind.last = launch;
  return true;
}

std::string Repeated::summary() const {
  const std::map<std::string, std::uint64_t> by_name = later();
  if (by_name.empty()) return {};
  std::vector<std::pair<std::string, std::uint64_t>> lines(by_name.begin(), by_name.end());
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = "again, of the findings above, which are told in full once:\n";
  for (std::size_t i = 0; i < std::min(lines.size(), kMostNamed); ++i)
    text += fmt::format("  in {} later launch{}: {}\n", lines[i].second,
                        lines[i].second == 1 ? "" : "es", lines[i].first);
  if (lines.size() > kMostNamed) text += fmt::format("  and {} more\n", lines.size() - kMostNamed);
  return text;
}

}  // namespace transpire::opencl
