// JUnit's XML: one test case for each launch description, its folder as the class.
#include <fmt/format.h>

#include <filesystem>

#include "launch/report/text.h"
#include "suite/formats.h"

namespace transpire::suite {
namespace {

/// In an attribute a line end is a blank unless it is escaped.
std::string xml_escaped(std::string_view text, bool in_attribute = true) {
  std::string out;
  for (const char c : launch::printable(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n' && in_attribute)
      out += "&#10;";
    else
      out += c;
  }
  return out;
}

/// Class names are dotted in the readers that there are.
std::string class_of(const std::string& path) {
  std::string name = std::filesystem::path(path).parent_path().string();
  for (char& c : name)
    if (c == '/') c = '.';
  return name.empty() ? "transpire" : name;
}

std::string test_case(const TestResult& result) {
  const std::string name = std::filesystem::path(result.path).filename().string();
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" time=\"{:.3f}\"",
                  xml_escaped(class_of(result.path)), xml_escaped(name), xml_escaped(result.path),
                  result.seconds);
  if (result.outcome == Outcome::kPassed && result.output.empty()) return text + "/>\n";
  text += ">\n";
  if (result.outcome == Outcome::kNotRun) text += "      <skipped message=\"not run\"/>\n";
  if (result.outcome != Outcome::kPassed && result.outcome != Outcome::kNotRun) {
    const std::string_view tag = result.outcome == Outcome::kFailed ? "failure" : "error";
    std::string all;
    for (const Problem& problem : result.problems) all += format(problem.diagnostic);
    const std::string type = result.problems.empty() ? std::string(name_of(result.outcome))
                                                     : result.problems[0].diagnostic.rule;
    text += fmt::format("      <{} type=\"{}\" message=\"{}\">{}</{}>\n", tag, xml_escaped(type),
                        xml_escaped(headline_of(result)), xml_escaped(all, false), tag);
  }
  if (!result.output.empty())
    text += fmt::format("      <system-out>{}</system-out>\n", xml_escaped(result.output, false));
  return text + "    </testcase>\n";
}

}  // namespace

std::string junit_of(const SuiteReport& report) {
  const std::size_t failed = report.count(Outcome::kFailed);
  const std::size_t skipped = report.count(Outcome::kNotRun);
  const std::size_t errors =
      report.results.size() - failed - skipped - report.count(Outcome::kPassed);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                  report.results.size(), failed, errors, skipped, report.seconds);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite "
      "name=\"transpire\" {}>\n",
      counts, counts);
  for (const TestResult& result : report.results) text += test_case(result);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace transpire::suite
