// SARIF: see the header.
#include "cli/sarif.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace transpire::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* level_of(Severity severity) {
  if (severity == Severity::kError) return "error";
  return severity == Severity::kWarning ? "warning" : "note";
}

/// A file name as a relative reference of RFC 3986.
std::string uri_of(const std::string& file) {
  std::string uri;
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// Where the specification that a clause is of can be read; empty when the rule is our own.
std::string_view page_of(std::string_view clause) {
  static constexpr std::pair<std::string_view, std::string_view> kPages[] = {
      {"SPIR-V", "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html"},
      {"OpenCL SPIR-V Env",
       "https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_Env.html"},
      {"OpenCL C", "https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_C.html"},
      {"OpenCL Extended",
       "https://registry.khronos.org/SPIR-V/specs/unified1/OpenCL.ExtendedInstructionSet.100.html"},
      {"OpenCL", "https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_API.html"},
  };
  for (const auto& [start, page] : kPages)
    if (clause.starts_with(start)) return page;
  return {};
}

Json rule_json(const std::string& id) {
  Json rule{{"id", id}};
  const RulePage* page = find_rule(id);
  if (!page) return rule;
  rule["shortDescription"] = {{"text", page->title}};
  rule["fullDescription"] = {{"text", page->explanation}};
  rule["defaultConfiguration"] = {{"level", level_of(page->severity)}};
  rule["help"] = {{"text", page->explanation}};
  if (!page->clause.empty()) rule["properties"] = {{"clause", page->clause}};
  if (const std::string_view uri = page_of(page->clause); !uri.empty()) rule["helpUri"] = uri;
  return rule;
}

/// How many columns the caret and what follows it mark; 0 when there is no excerpt.
std::size_t marked_columns(const std::string& excerpt) {
  const std::size_t caret = excerpt.find('^', excerpt.find('\n'));
  return caret == excerpt.npos ? 0 : excerpt.find_first_not_of("^~", caret) - caret;
}

Json region_json(const SourceLine& where, std::size_t columns) {
  Json region{{"startLine", where.line}};
  if (where.column == 0) return region;
  region["startColumn"] = where.column;
  if (columns != 0) region["endColumn"] = where.column + columns;
  return region;
}

/// Whether the place is one of a text, not of the module's words.
bool is_of_text(const Diagnostic& diagnostic) {
  return diagnostic.source.known() && (!diagnostic.word_offset || !diagnostic.assembly.empty() ||
                                       diagnostic.source.file == diagnostic.input);
}

/// A line of a text; of words their byte offset.
Json location_json(const Diagnostic& diagnostic) {
  const bool of_text = is_of_text(diagnostic);
  const std::string& file =
      of_text && !diagnostic.source.file.empty() ? diagnostic.source.file : diagnostic.input;
  Json physical{{"artifactLocation", {{"uri", uri_of(file)}}}};
  if (of_text)
    physical["region"] = region_json(diagnostic.source, marked_columns(diagnostic.excerpt));
  else if (diagnostic.word_offset)
    physical["region"] = {{"byteOffset", *diagnostic.word_offset * 4}, {"byteLength", 4}};
  return {{"physicalLocation", physical}};
}

/// What a finding follows from, and the calls that led to the place.
Json related_json(const Diagnostic& diagnostic, const Cause* cause) {
  Json related = Json::array();
  if (cause != nullptr) {  // of the same module, and so of the same text
    Diagnostic there = diagnostic;
    there.excerpt.clear();
    there.source = cause->source;
    there.word_offset = cause->word_offset;
    related.push_back(location_json(there));
    related.back()["message"] = {{"text", "follows from " + cause->rule + " here"}};
  }
  for (std::size_t i = 1; i < diagnostic.frames.size(); ++i) {
    const Frame& frame = diagnostic.frames[i];
    if (!frame.where.known()) continue;
    related.push_back({{"physicalLocation",
                        {{"artifactLocation", {{"uri", uri_of(frame.where.file)}}},
                         {"region", region_json(frame.where, 0)}}},
                       {"message", {{"text", fmt::format("called by '{}'", frame.function)}}}});
  }
  return related;
}

std::string message_of(const Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  for (const std::string& note : diagnostic.notes) text += "\n" + note;
  if (!diagnostic.help.empty()) text += "\nhelp: " + diagnostic.help;
  return text;
}

/// `cause`: what it follows from, or null.
struct Told {
  const Diagnostic* diagnostic;
  const Cause* cause = nullptr;
};

Json result_json(const Told& told, std::size_t rule) {
  const Diagnostic& diagnostic = *told.diagnostic;
  Json result{{"ruleId", diagnostic.rule},
              {"ruleIndex", rule},
              {"level", level_of(diagnostic.severity)},
              {"message", {{"text", message_of(diagnostic)}}}};
  if (!diagnostic.input.empty() || !diagnostic.source.file.empty())
    result["locations"] = Json::array({location_json(diagnostic)});
  if (Json related = related_json(diagnostic, told.cause); !related.empty())
    result["relatedLocations"] = std::move(related);
  return result;
}

std::string document(const std::vector<Told>& diagnostics) {
  Json rules = Json::array();
  Json results = Json::array();
  std::map<std::string, std::size_t> indexes;
  for (const Told& told : diagnostics) {
    const std::string& rule = told.diagnostic->rule;
    const auto [known, is_new] = indexes.try_emplace(rule, indexes.size());
    if (is_new) rules.push_back(rule_json(rule));
    results.push_back(result_json(told, known->second));
  }
  const Json driver{{"name", "transpire"}, {"version", version()}, {"rules", rules}};
  const Json run{
      {"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string sarif_of(const Validation& validation) {
  std::vector<Told> all;
  for (const Diagnostic& diagnostic : validation.diagnostics) all.push_back({&diagnostic});
  return document(all);
}

std::string sarif_of(const launch::RunReport& report) {
  std::vector<Told> all;
  for (const auto& [finding, kernel, expected] : report.findings)
    if (!expected)
      all.push_back({&finding.diagnostic, finding.follows_from ? &*finding.follows_from : nullptr});
  for (const Diagnostics* list : {&report.errors, &report.warnings})
    for (const Diagnostic& diagnostic : *list) all.push_back({&diagnostic});
  for (const launch::FailedExpectation& failure : report.failures)
    all.push_back({&failure.diagnostic});
  return document(all);
}

}  // namespace transpire::cli
