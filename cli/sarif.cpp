// SARIF: see the header.
#include "cli/sarif.h"

#include <map>
#include <nlohmann/json.hpp>

namespace transpire::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* level_of(Severity severity) {
  if (severity == Severity::kError) return "error";
  return severity == Severity::kWarning ? "warning" : "note";
}

Json rule_json(const std::string& id) {
  Json rule{{"id", id}};
  const RulePage* page = find_rule(id);
  if (!page) return rule;
  rule["shortDescription"] = {{"text", page->title}};
  rule["fullDescription"] = {{"text", page->explanation}};
  rule["defaultConfiguration"] = {{"level", level_of(page->severity)}};
  if (!page->clause.empty()) rule["properties"] = {{"clause", page->clause}};
  return rule;
}

/// A line of a text input; of words their byte offset.
Json location_json(const Diagnostic& diagnostic) {
  Json physical{{"artifactLocation", {{"uri", diagnostic.input}}}};
  const bool in_text = diagnostic.source.known() && !diagnostic.word_offset;
  if (in_text) {
    physical["region"] = {{"startLine", diagnostic.source.line}};
    if (diagnostic.source.column != 0) physical["region"]["startColumn"] = diagnostic.source.column;
  } else if (diagnostic.word_offset) {
    physical["region"] = {{"byteOffset", *diagnostic.word_offset * 4}, {"byteLength", 4}};
  }
  return {{"physicalLocation", physical}};
}

std::string message_of(const Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  for (const std::string& note : diagnostic.notes) text += "\n" + note;
  if (!diagnostic.help.empty()) text += "\nhelp: " + diagnostic.help;
  return text;
}

}  // namespace

std::string sarif_of(const Validation& validation) {
  Json rules = Json::array();
  Json results = Json::array();
  std::map<std::string, std::size_t> indexes;
  for (const Diagnostic& diagnostic : validation.diagnostics) {
    const auto [known, is_new] = indexes.try_emplace(diagnostic.rule, indexes.size());
    if (is_new) rules.push_back(rule_json(diagnostic.rule));
    results.push_back({{"ruleId", diagnostic.rule},
                       {"ruleIndex", known->second},
                       {"level", level_of(diagnostic.severity)},
                       {"message", {{"text", message_of(diagnostic)}}},
                       {"locations", Json::array({location_json(diagnostic)})}});
  }
  const Json driver{{"name", "transpire"}, {"version", version()}, {"rules", rules}};
  const Json run{{"tool", {{"driver", driver}}}, {"results", results}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace transpire::cli
