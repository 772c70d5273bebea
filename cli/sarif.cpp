// SARIF: see the header.
#include "cli/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "launch/report/files.h"
#include "launch/report/text.h"

namespace transpire::cli {
namespace {

const char* level_of(Severity severity) {
  if (severity == Severity::kError) return "error";
  return severity == Severity::kWarning ? "warning" : "note";
}

/// A file name as a URI by RFC 3986: relative, or absolute with its scheme.
std::string uri_of(const std::string& file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// URL of the specification with the clause; empty for rules of our own.
std::string page_of(std::string_view clause) {
  static constexpr std::pair<std::string_view, std::string_view> kPages[] = {
      {"SPIR-V", "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html"},
      {"OpenCL SPIR-V Env",
       "https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_Env.html"},
      {"OpenCL C", "https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_C.html"},
      {"OpenCL Extended",
       "https://registry.khronos.org/SPIR-V/specs/unified1/OpenCL.ExtendedInstructionSet.100.html"},
      {"OpenCL", "https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_API.html"},
      {"C11", "https://www.open-std.org/jtc1/sc22/wg14/www/docs/n1570.pdf"},
  };
  for (const auto& [start, page] : kPages)
    if (clause.starts_with(start)) return std::string(page);
  if (!clause.starts_with("SPV_")) return {};
  // "SPV_KHR_expect_assume, OpAssumeTrueKHR"
  const std::string_view extension = clause.substr(0, clause.find(','));
  const std::string_view vendor = extension.substr(4, extension.find('_', 4) - 4);
  return fmt::format("https://github.khronos.org/SPIRV-Registry/extensions/{}/{}.html", vendor,
                     extension);
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
  if (const std::string uri = page_of(page->clause); !uri.empty()) rule["helpUri"] = uri;
  return rule;
}

/// Number of columns that the caret and its tail mark; 0 if there is no excerpt.
std::size_t marked_columns(const std::string& excerpt) {
  const std::size_t caret = excerpt.find('^', excerpt.find('\n'));
  return caret == excerpt.npos ? 0 : excerpt.find_first_not_of("^~", caret) - caret;
}

/// Reads lines of the files that places point to, to count characters.
class SourceLines {
 public:
  explicit SourceLines(bool reads_input) : reads_input_(reads_input) {}

  /// Converts a column in bytes to SARIF's unit.
  std::uint32_t column(const SourceLine& where, std::uint32_t byte_column) {
    const std::string_view line = line_of(where);
    // In an unreadable file, each byte counts as one unit.
    if (byte_column == 0 || byte_column - 1 > line.size()) return byte_column;
    return utf16_units(line.substr(0, byte_column - 1)) + 1;
  }

 private:
  static constexpr std::uintmax_t kMaxBytes = std::uintmax_t{16} << 20;

  std::string_view line_of(const SourceLine& where) {
    const auto [known, is_new] = texts_.try_emplace(where.file);
    if (is_new) known->second = read(where.file);
    return where.line - 1 < known->second.size() ? known->second[where.line - 1]
                                                 : std::string_view();
  }

  /// A module may name any file, so only regular files are opened.
  std::vector<std::string> read(const std::string& path) const {
    if (reads_input_ && (path == "-" || path == "<stdin>")) return lines_of(read_file("-"));
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return {};
    if (std::filesystem::file_size(path, error) > kMaxBytes || error) return {};
    return lines_of(read_file(path));
  }

  static std::vector<std::string> lines_of(const Result<std::vector<std::byte>>& bytes) {
    // A file with zero bytes is a module, not a text.
    if (!bytes || bytes->size() > kMaxBytes || std::ranges::count(*bytes, std::byte{}) != 0)
      return {};
    std::vector<std::string> lines(1);
    for (const std::byte byte : *bytes)
      if (byte == std::byte{'\n'})
        lines.emplace_back();
      else
        lines.back() += static_cast<char>(byte);
    return lines;
  }

  bool reads_input_;  ///< keeps the input once it was read
  std::map<std::string, std::vector<std::string>> texts_;
};

/// A diagnostic with the data for its SARIF result.
struct Item {
  const Diagnostic* diagnostic;
  const Suppression* suppressed_by = nullptr;  ///< null: not suppressed
  const Cause* cause = nullptr;                ///< the finding it follows from; null: none
};

/// Builds one document.
class Sarif {
 public:
  explicit Sarif(bool reads_input) : lines_(reads_input) {}

  std::string document(const std::vector<Item>& items);

 private:
  Json region(const SourceLine& where, std::size_t marked_bytes);
  Json physical_location(const SourceLine& where, std::size_t marked_bytes);
  Json location(const Diagnostic& diagnostic);
  Json related(const Diagnostic& diagnostic, const Cause* cause);
  Json suppression(const Suppression& entry);
  Json result(const Item& item, std::size_t rule);

  SourceLines lines_;
};

Json Sarif::region(const SourceLine& where, std::size_t marked_bytes) {
  Json region{{"startLine", where.line}};
  if (where.column == 0) return region;
  region["startColumn"] = lines_.column(where, where.column);
  if (marked_bytes != 0)
    region["endColumn"] =
        lines_.column(where, where.column + static_cast<std::uint32_t>(marked_bytes));
  return region;
}

Json Sarif::physical_location(const SourceLine& where, std::size_t marked_bytes) {
  return {{"artifactLocation", {{"uri", uri_of(where.file)}}},
          {"region", region(where, marked_bytes)}};
}

/// True if the place points into a text, not into the module's words.
bool is_of_text(const Diagnostic& diagnostic) {
  return diagnostic.source.known() && (!diagnostic.word_offset || !diagnostic.assembly.empty() ||
                                       diagnostic.source.file == diagnostic.input);
}

/// A location: a line of a text, or a byte offset in a module.
Json Sarif::location(const Diagnostic& diagnostic) {
  if (is_of_text(diagnostic)) {
    SourceLine where = diagnostic.source;
    if (where.file.empty()) where.file = diagnostic.input;
    return {{"physicalLocation", physical_location(where, marked_columns(diagnostic.excerpt))}};
  }
  Json physical{{"artifactLocation", {{"uri", uri_of(diagnostic.input)}}}};
  if (diagnostic.word_offset)
    physical["region"] = {{"byteOffset", *diagnostic.word_offset * 4}, {"byteLength", 4}};
  return {{"physicalLocation", physical}};
}

/// The cause of a finding, and the calls that lead to its place.
Json Sarif::related(const Diagnostic& diagnostic, const Cause* cause) {
  Json related = Json::array();
  if (cause != nullptr) {  // a cause is in the same module and text
    Diagnostic there = diagnostic;
    there.excerpt.clear();
    there.source = cause->source;
    there.word_offset = cause->word_offset;
    related.push_back(location(there));
    related.back()["message"] = {{"text", "follows from " + cause->rule + " here"}};
  }
  for (std::size_t i = 1; i < diagnostic.frames.size(); ++i) {
    const Frame& frame = diagnostic.frames[i];
    if (!frame.where.known()) continue;
    related.push_back({{"id", related.size() + 1},
                       {"physicalLocation", physical_location(frame.where, 0)},
                       {"message", {{"text", fmt::format("called by '{}'", frame.function)}}}});
  }
  return related;
}

Json Sarif::suppression(const Suppression& entry) {
  Json json{{"kind", "external"}, {"status", "accepted"}};
  if (!entry.reason.empty()) json["justification"] = entry.reason;
  if (entry.where.known())
    json["location"] = {{"physicalLocation", physical_location(entry.where, entry.text.size())}};
  return json;
}

std::string message_of(const Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  for (const std::string& note : diagnostic.notes) text += "\n" + note;
  if (!diagnostic.help.empty()) text += "\nhelp: " + diagnostic.help;
  return text;
}

Json Sarif::result(const Item& item, std::size_t rule) {
  const Diagnostic& diagnostic = *item.diagnostic;
  Json result{{"ruleId", diagnostic.rule},
              {"ruleIndex", rule},
              {"level", level_of(diagnostic.severity)},
              {"message", {{"text", message_of(diagnostic)}}}};
  if (!diagnostic.input.empty() || !diagnostic.source.file.empty())
    result["locations"] = Json::array({location(diagnostic)});
  if (Json places = related(diagnostic, item.cause); !places.empty())
    result["relatedLocations"] = std::move(places);
  if (item.suppressed_by != nullptr)
    result["suppressions"] = Json::array({suppression(*item.suppressed_by)});
  return result;
}

std::string Sarif::document(const std::vector<Item>& items) {
  Json rules = Json::array();
  Json results = Json::array();
  std::map<std::string, std::size_t> indexes;
  for (const Item& item : items) {
    const auto [known, is_new] = indexes.try_emplace(item.diagnostic->rule, indexes.size());
    if (is_new) rules.push_back(rule_json(item.diagnostic->rule));
    results.push_back(result(item, known->second));
  }
  const Json driver{{"name", "transpire"}, {"version", version()}, {"rules", rules}};
  const Json run{
      {"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", results}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return document.dump(2, JsonText::kReplaced) + "\n";
}

void add(const Diagnostics& diagnostics, std::vector<Item>& items) {
  for (const Diagnostic& diagnostic : diagnostics) items.push_back({&diagnostic});
}

void add(const std::vector<SuppressedDiagnostic>& suppressed,
         const std::vector<Suppression>& entries, std::vector<Item>& items) {
  for (const SuppressedDiagnostic& each : suppressed)
    items.push_back({&each.diagnostic, &entries[each.suppressed_by]});
}

}  // namespace

std::string sarif_of(const JudgedValidation& judged, bool reads_input) {
  std::vector<Item> items;
  add(judged.validation.diagnostics, items);
  add(judged.unused, items);
  add(judged.suppressed, judged.suppressions.entries(), items);
  return Sarif(reads_input).document(items);
}

std::string sarif_of(const launch::RunReport& report, bool reads_input) {
  std::vector<Item> items;
  for (const launch::ReportedFinding& finding : report.findings) {
    if (finding.expected) continue;
    const std::optional<Cause>& cause = finding.finding.follows_from;
    items.push_back({&finding.finding.diagnostic,
                     finding.suppressed_by ? &report.suppressions[*finding.suppressed_by] : nullptr,
                     cause ? &*cause : nullptr});
  }
  for (const Diagnostics* list : {&report.errors, &report.warnings}) add(*list, items);
  for (const launch::FailedExpectation& failure : report.failures)
    items.push_back({&failure.diagnostic});
  add(report.suppressed, report.suppressions, items);
  return Sarif(reads_input).document(items);
}

}  // namespace transpire::cli
