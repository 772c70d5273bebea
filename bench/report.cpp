// A column is a title and a function of a case's result; the tables are lists of columns.
// A case that a contender failed shows as '-', counts in no mean, and is explained below.
#include "bench/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace transpire::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Column {
  std::string title;
  std::function<std::optional<double>(const CaseResult&)> value;
  bool is_ratio = false;  // has a geometric mean
};

const Measurement* Find(const CaseResult& result, const std::string& label) {
  const auto found = result.by_label.find(label);
  if (found == result.by_label.end() || found->second.samples == 0) return nullptr;
  return found->second.error.empty() ? &found->second : nullptr;
}

Column Milliseconds(const std::string& title, const std::string& label) {
  return {title, [label](const CaseResult& result) -> std::optional<double> {
            const Measurement* found = Find(result, label);
            if (found == nullptr) return std::nullopt;
            return found->time_ns / 1e6;
          }};
}

Column PerWorkItem(const std::string& title, const std::string& label) {
  return {title, [label](const CaseResult& result) -> std::optional<double> {
            const Measurement* found = Find(result, label);
            if (found == nullptr || found->work_items == 0) return std::nullopt;
            return found->time_ns / static_cast<double>(found->work_items);
          }};
}

Column Ratio(const std::string& title, const std::string& above, const std::string& below) {
  return {title,
          [above, below](const CaseResult& result) -> std::optional<double> {
            const Measurement* a = Find(result, above);
            const Measurement* b = Find(result, below);
            if (a == nullptr || b == nullptr || b->time_ns == 0) return std::nullopt;
            return a->time_ns / b->time_ns;
          },
          true};
}

/// Transpire's best instruction set on one thread: the last one in the list; empty if there is
/// none.
std::string BestTranspire(const std::vector<Contender>& contenders) {
  std::string best;
  for (const Contender& contender : contenders) {
    if (contender.runner.via == "transpire" && !contender.runner.isa.empty())
      best = contender.label;
  }
  return best;
}

bool Takes(const std::vector<Contender>& contenders, const std::string& label) {
  return std::any_of(contenders.begin(), contenders.end(),
                     [&](const Contender& contender) { return contender.label == label; });
}

std::vector<Column> RatioColumns(const std::vector<Contender>& contenders) {
  std::vector<Column> columns;
  const std::string best = BestTranspire(contenders);
  const auto add = [&](const char* title, const std::string& above, const std::string& below) {
    if (Takes(contenders, above) && Takes(contenders, below))
      columns.push_back(Ratio(title, above, below));
  };
  add("tsp:pocl", best, kPocl);
  add("tsp:pocl/all", kTranspireAll, kPoclAll);
  add("tsp:native", best, kNative);
  add("pocl:native", kPocl, kNative);
  add("glsl:tsp", kGlsl, best);
  add("glsl:lavapipe", kGlsl, kLavapipe);
  add("oclgrind:tsp", kOclgrind, kTranspireSmall);
  return columns;
}

std::vector<Column> TimeColumns(const std::vector<Contender>& contenders) {
  std::vector<Column> columns;
  for (const Contender& contender : contenders)
    columns.push_back(Milliseconds(contender.label, contender.label));
  for (Column& column : RatioColumns(contenders)) columns.push_back(std::move(column));
  return columns;
}

std::vector<Column> PerWorkItemColumns(const std::vector<Contender>& contenders) {
  std::vector<Column> columns;
  for (const Contender& contender : contenders)
    columns.push_back(PerWorkItem(contender.label, contender.label));
  return columns;
}

std::optional<double> GeometricMean(const Column& column, const std::vector<CaseResult>& results) {
  double logarithms = 0;
  std::size_t count = 0;
  for (const CaseResult& result : results) {
    const auto value = column.value(result);
    if (!value || *value <= 0) continue;
    logarithms += std::log(*value);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return std::exp(logarithms / static_cast<double>(count));
}

/// Three significant digits, as few characters as that takes.
std::string Rounded(std::optional<double> value) {
  if (!value) return "-";
  const int digits = *value >= 100 ? 0 : *value >= 10 ? 1 : *value >= 1 ? 2 : 3;
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, *value);
  return text;
}

using Row = std::vector<std::string>;

/// The first column is flush left, the others are flush right.
void PrintAligned(std::ostream& out, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      out << (i == 0 ? "" : "  ") << (i == 0 ? row[i] + padding : padding + row[i]);
    }
    out << '\n';
  }
}

Row TitleRow(const std::string& corner, const std::vector<Column>& columns) {
  Row row{corner};
  for (const Column& column : columns) row.push_back(column.title);
  return row;
}

std::vector<Row> Body(const std::vector<Column>& columns, const std::vector<CaseResult>& results) {
  std::vector<Row> rows;
  for (const CaseResult& result : results) {
    Row& row = rows.emplace_back(Row{result.name});
    for (const Column& column : columns) row.push_back(Rounded(column.value(result)));
  }
  return rows;
}

Row MeanRow(const std::vector<Column>& columns, const std::vector<CaseResult>& results) {
  Row row{"geometric mean"};
  for (const Column& column : columns)
    row.push_back(column.is_ratio ? Rounded(GeometricMean(column, results)) : "");
  return row;
}

void PrintTable(std::ostream& out, const std::string& corner, const std::vector<Column>& columns,
                const std::vector<CaseResult>& results, bool with_means) {
  std::vector<Row> rows{TitleRow(corner, columns)};
  for (Row& row : Body(columns, results)) rows.push_back(std::move(row));
  if (with_means) rows.push_back(MeanRow(columns, results));
  PrintAligned(out, rows);
}

void PrintFailures(std::ostream& out, const std::vector<CaseResult>& results) {
  std::set<std::string> absent;
  for (const CaseResult& result : results) {
    for (const auto& [label, measurement] : result.by_label) {
      if (measurement.absent && absent.insert(label).second)
        out << "left out: " << label << ": " << measurement.error << '\n';
      if (Failed(measurement))
        out << "failed: " << result.name << ", " << label << ": " << measurement.error << '\n';
    }
  }
}

Json ToJson(const CaseResult& result, const Contender& contender) {
  const Measurement& measurement = result.by_label.at(contender.label);
  Json object{{"case", result.name},
              {"contender", contender.label},
              {"threads", contender.runner.threads},
              {"size", contender.size == Size::kFull ? "full" : "small"}};
  if (!measurement.error.empty()) {
    object["error"] = measurement.error;
    return object;
  }
  object["samples"] = measurement.samples;
  object["cpu_ns"] = measurement.cpu_ns;
  object["wall_ns"] = measurement.wall_ns;
  object["work_items"] = measurement.work_items;
  object["ns_per_work_item"] = measurement.time_ns / static_cast<double>(measurement.work_items);
  return object;
}

/// Error texts of platforms need not be UTF-8; other bytes are replaced.
void PrintLine(std::ostream& out, const Json& object) {
  out << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

void PrintTables(std::ostream& out, const std::vector<CaseResult>& results,
                 const std::vector<Contender>& contenders) {
  out << "medians; one thread: CPU time, /all: wall time, /small: the small size\n\n";
  PrintTable(out, "milliseconds", TimeColumns(contenders), results, true);
  out << '\n';
  PrintTable(out, "ns per work-item", PerWorkItemColumns(contenders), results, false);
  PrintFailures(out, results);
}

void PrintJson(std::ostream& out, const std::vector<CaseResult>& results,
               const std::vector<Contender>& contenders) {
  for (const CaseResult& result : results) {
    for (const Contender& contender : contenders) PrintLine(out, ToJson(result, contender));
  }
  Json means{{"cases", results.size()}};
  for (const Column& column : RatioColumns(contenders)) {
    if (const auto mean = GeometricMean(column, results)) means[column.title] = *mean;
  }
  PrintLine(out, means);
}

}  // namespace transpire::bench
