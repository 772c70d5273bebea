// JSON for programs: see the header.
#include "cli/json_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "launch/language/image_argument.h"
#include "launch/language/layout.h"
#include "launch/report/finding_json.h"
#include "launch/runner/launch_tree.h"
#include "launch/runner/run_plan.h"

namespace transpire::cli {
namespace {

Json document(const std::string& command, int exit_code) {
  return {{"transpire", version()}, {"command", command}, {"exit_code", exit_code}};
}

/// Text from modules and kernels need not be UTF-8; other bytes are replaced.
std::string dumped(const Json& json) { return json.dump(2, JsonText::kReplaced) + "\n"; }

// Declared first, for array_of() to find them.
Json to_json(const Diagnostic& diagnostic);
Json to_json(const ReportedFinding& reported);
Json to_json(const FailedExpectation& failure);
Json to_json(const PrintReport& print);
Json to_json(const ShowReport& shown);
Json to_json(const ChildLaunch& child);
Json to_json(const LaunchReport& launch);
Json to_json(const ParameterInfo& parameter);
Json to_json(const KernelInfo& kernel);
Json to_json(const SpecConstantInfo& constant);
Json to_json(const VariableInfo& variable);
Json to_json(const RulePage& page);

template <class T>
Json array_of(const std::vector<T>& items) {
  Json json = Json::array();
  for (const T& item : items) json.push_back(to_json(item));
  return json;
}

Json to_json(const Diagnostic& diagnostic) { return launch::json_of(diagnostic); }

Json to_json(const ReportedFinding& reported) {
  Json json = launch::json_of(reported.finding);
  json["kernel"] = reported.kernel;
  json["expected"] = reported.expected;
  return json;
}

/// Each entry with the number of findings that it suppressed, and the number that it matches.
Json entries_json(const std::vector<Suppression>& entries) {
  Json json = Json::array();
  for (const Suppression& entry : entries) {
    json.push_back(launch::json_of(entry));
    json.back()["count"] = entry.used;
    json.back()["matched"] = entry.matched;
  }
  return json;
}

/// Adds the suppressed findings and the entries that suppress them.
void add_suppressed(const std::vector<Suppression>& entries,
                    const std::vector<SuppressedDiagnostic>& suppressed, Json& json) {
  if (entries.empty()) return;
  json["suppressions"] = entries_json(entries);
  if (suppressed.empty()) return;
  json["suppressed"] = Json::array();
  for (const SuppressedDiagnostic& each : suppressed) {
    json["suppressed"].push_back(to_json(each.diagnostic));
    json["suppressed"].back()["suppressed_by"] = launch::json_of(entries[each.suppressed_by]);
  }
}

Json finding_json(const ReportedFinding& reported, const std::vector<Suppression>& entries) {
  Json json = to_json(reported);
  if (reported.suppressed_by)
    json["suppressed_by"] = launch::json_of(entries[*reported.suppressed_by]);
  return json;
}

Json to_json(const FailedExpectation& failure) {
  Json json = launch::json_of(failure.diagnostic, failure.mismatches, failure.different);
  if (!failure.pictures.empty()) json["pictures"] = failure.pictures;
  return json;
}

/// A JSON number if JSON has it; "nan", "inf" and "-inf" are strings.
Json scalar_json(std::uint64_t bits, ScalarType type) {
  if (type == ScalarType::kBool) return bits != 0;
  if (is_float(type)) {
    const double value = to_double(bits, type);
    if (!std::isfinite(value)) return format_number(bits, type);
    return value;
  }
  if (!is_signed(type)) return bits;
  const unsigned unused = 64 - 8 * size_bytes(type);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// A number, an array, or for a struct whose members all have names, an object.
Json value_json(const TypeInfo& type, std::span<const std::byte> bytes) {
  if (const auto scalar = scalar_of(type)) return scalar_json(load_bits(bytes, *scalar), *scalar);
  std::vector<Member> members;
  for (std::uint64_t i = 0; i < member_count(type); ++i)
    if (const Member m = member(type, i); !m.type->is_padding) members.push_back(m);
  const bool named = std::ranges::none_of(members, &std::string_view::empty, &Member::name);
  Json json = named ? Json::object() : Json::array();
  for (const Member& m : members) {
    Json value = value_json(*m.type, bytes.subspan(m.offset_bytes));
    if (named)
      json[std::string(m.name)] = std::move(value);
    else
      json.push_back(std::move(value));
  }
  return json;
}

Json to_json(const PrintReport& print) {
  Json values = Json::array();
  const bool has_numbers = !leaves_of(print.type).empty();
  const std::uint64_t stride = stride_bytes(print.type);
  for (std::uint64_t at = 0; at + stride <= print.bytes.size() && has_numbers; at += stride)
    values.push_back(value_json(print.type, std::span(print.bytes).subspan(at)));
  Json json{{"buffer", print.name},
            {"first", print.first},
            {"type", launch::text_of(print.type)},
            {"values", values}};
  if (print.columns) json["cols"] = *print.columns;
  return json;
}

Json to_json(const ShowReport& shown) {
  Json json{{"buffer", shown.name}, {"file", shown.file}};
  if (!shown.range.empty()) json["range"] = shown.range;
  return json;
}

const char* name_of(LaunchResult::End end) {
  switch (end) {
    case LaunchResult::End::kTooManyFindings:
      return "too many findings";
    case LaunchResult::End::kStepLimit:
      return "step limit";
    case LaunchResult::End::kTimeLimit:
      return "time limit";
    case LaunchResult::End::kCancelled:
      return "cancelled";
    case LaunchResult::End::kNoProgress:
      return "no progress";
    case LaunchResult::End::kCompleted:
      break;
  }
  return "completed";
}

Json to_json(const ChildLaunch& child) {
  Json json{{"kind", child.kernel.empty() ? "marker" : "kernel"}};
  if (!child.kernel.empty()) json["kernel"] = child.kernel;
  json["parent"] = child.parent == ChildLaunch::kLaunch ? Json() : Json(child.parent);
  json["enqueued_by"] = child.enqueued_by;
  if (child.source.known()) json["source"] = launch::place_json(child.source);
  if (!child.kernel.empty()) {
    json["dimensions"] = child.dimensions;
    json["global_size"] = child.global_size;
    if (child.local_size[0] != 0) json["local_size"] = child.local_size;
    json["global_offset"] = child.global_offset;
  }
  json["end"] = launch::name_of(child.end);
  json["seconds"] = child.seconds;
  json["finding_count"] = child.findings;
  return json;
}

Json to_json(const LaunchReport& launch) {
  Json json{{"kernel", launch.kernel},
            {"dimensions", launch.dimensions},
            {"global_size", launch.global_size},
            {"local_size", launch.local_size},
            {"global_offset", launch.global_offset},
            {"repeats", launch.repeats},
            {"end", name_of(launch.end)},
            {"work_items", launch.work_items},
            {"instructions", launch.instructions},
            {"wall_seconds", launch.wall_seconds},
            {"lower_seconds", launch.lower_seconds},
            {"printf", launch.printf_output}};
  if (!launch.instruction_counts.empty()) json["instruction_counts"] = launch.instruction_counts;
  if (launch.child_count == 0) return json;
  json["enqueued"] = {{"count", launch.child_count},
                      {"seconds", launch.child_seconds},
                      {"children", array_of(launch.children)}};
  return json;
}

Json to_json(const TypeInfo& type, int depth = 0) {
  Json json{{"spelling", type.spelling}, {"size_bytes", type.size_bytes}};
  if (!type.address_space.empty()) json["address_space"] = type.address_space;
  if (type.is_padding) json["padding"] = true;
  if (type.kind != TypeInfo::Kind::kStruct || depth > 4) return json;
  Json members = Json::array();
  for (std::size_t i = 0; i < type.elements.size(); ++i) {
    Json member{{"name", i < type.member_names.size() ? type.member_names[i] : ""},
                {"offset_bytes", i < type.member_offsets.size() ? type.member_offsets[i] : 0},
                {"type", to_json(type.elements[i], depth + 1)}};
    members.push_back(std::move(member));
  }
  json["members"] = std::move(members);
  return json;
}

Json to_json(const ImageParameterInfo& image, const std::string& access) {
  using Cubes = ImageParameterInfo::Cubes;
  Json json{{"kind", image_dim_name(image.dim)},
            {"access", access},
            {"depth", image.depth},
            {"multisampled", image.multisampled},
            {"texels", texel_type_name(image.texels)}};
  if (!image.channel_order.empty()) {
    json["channel_order"] = image.channel_order;
    json["channel_type"] = image.channel_type;
  }
  if (image.cubes != Cubes::kNone) json["cubes"] = image.cubes == Cubes::kOne ? "one" : "several";
  return json;
}

Json to_json(const ParameterInfo& parameter) {
  Json json{{"name", parameter.name},
            {"type", to_json(parameter.type)},
            {"by_value_struct", parameter.by_value_struct},
            {"no_write", parameter.no_write}};
  if (parameter.type.kind == TypeInfo::Kind::kPointer && !parameter.type.elements.empty())
    json["pointee"] = to_json(parameter.type.elements[0]);
  if (parameter.image) json["image"] = to_json(*parameter.image, parameter.access);
  if (const auto& at = parameter.binding) {
    json["binding"] = Json{{"set", (*at)[0]}, {"binding", (*at)[1]}};
    if (!parameter.binding_part.empty()) json["binding"]["part"] = parameter.binding_part;
    if (parameter.in_open_array) json["binding"]["open_array"] = true;
  }
  if (!parameter.place.empty()) json["place"] = parameter.place;
  if (parameter.is_unused) json["unused"] = true;
  if (parameter.is_sampler) json["sampler"] = true;
  if (parameter.is_queue) json["queue"] = true;
  if (parameter.pipe)
    json["pipe"] = Json{{"access", parameter.access},
                        {"packet_type", parameter.source_type},
                        {"packet_bytes", parameter.pipe->packet_bytes},
                        {"packet_align", parameter.pipe->packet_align}};
  return json;
}

Json to_json(const KernelInfo& kernel) {
  Json json{{"name", kernel.name},
            {"parameters", array_of(kernel.parameters)},
            {"execution_modes", kernel.execution_modes}};
  if (kernel.required_local_size) json["required_local_size"] = *kernel.required_local_size;
  if (kernel.local_size_hint) json["local_size_hint"] = *kernel.local_size_hint;
  if (kernel.is_enqueued) json["enqueued"] = true;
  return json;
}

Json to_json(const SpecConstantInfo& constant) {
  return {{"spec_id", constant.spec_id},
          {"name", constant.name},
          {"type", to_json(constant.type)},
          {"default_bits", constant.default_bits}};
}

Json to_json(const VariableInfo& variable) {
  return {{"name", variable.name}, {"type", to_json(variable.type)}};
}

Json to_json(const RulePage& page) {
  Json json{{"id", page.id},
            {"title", page.title},
            {"severity", launch::name_of(page.severity)},
            {"explanation", page.explanation}};
  if (!page.clause.empty()) json["clause"] = page.clause;
  if (!page.bad_example.empty()) json["bad_example"] = page.bad_example;
  if (!page.good_example.empty()) json["good_example"] = page.good_example;
  return json;
}

}  // namespace

std::string format_json(const RunReport& report) {
  Json json = document("run", report.exit_code);
  if (!report.isa.empty()) json["device"] = {{"isa", report.isa}, {"threads", report.threads}};
  if (!report.environment.empty())
    json["validated"] = {{"environment", report.environment},
                         {"held_back_count", report.hidden_warnings}};
  if (!report.compiled_for_checks.empty()) json["compiled_for_checks"] = report.compiled_for_checks;
  json["launches"] = array_of(report.launches);
  json["prints"] = array_of(report.prints);
  if (!report.shown.empty()) json["shown"] = array_of(report.shown);
  json["findings"] = Json::array();
  for (const ReportedFinding& finding : report.findings)
    json["findings"].push_back(finding_json(finding, report.suppressions));
  json["errors"] = array_of(report.errors);
  if (!report.warnings.empty()) json["warnings"] = array_of(report.warnings);
  json["expectations"] = {{"checked", report.expectations},
                          {"failures", array_of(report.failures)}};
  add_suppressed(report.suppressions, report.suppressed, json);
  return dumped(json);
}

namespace {

Json json_of(const std::optional<LastStore>& store) {
  if (!store) return nullptr;
  Json json{{"action", store->action},
            {"place", store->place},
            {"global_id", store->global_id},
            {"group_id", store->group_id},
            {"local_id", store->local_id}};
  if (store->source.known()) json["source"] = launch::place_json(store->source);
  if (store->word_offset) json["word_offset"] = *store->word_offset;
  if (!store->frames.empty()) json["kernel"] = store->frames.back().function;
  return json;
}

std::string name_of(Schedule schedule) {
  return std::string(
      find_value(setting_of("schedule"), static_cast<std::uint32_t>(schedule))->name);
}

Json json_of(const OrderDifference& difference) {
  Json json{{"buffer", difference.buffer},
            {"element", difference.first.element},
            {"offset_bytes", difference.offset_bytes},
            {"place", difference.first.place},
            {"different", difference.count},
            {"depends_on_subgroup_size", difference.is_of_subgroups},
            {"depends_on_unwritten_memory", difference.is_of_poison}};
  json["serial"] = {{"value", difference.first.expected},
                    {"store", json_of(difference.serial_store)}};
  json["other"] = {{"schedule", name_of(difference.order.schedule)},
                   {"value", difference.first.found},
                   {"store", json_of(difference.store)}};
  if (difference.order.schedule == Schedule::kRandom) json["other"]["seed"] = difference.order.seed;
  return json;
}

}  // namespace

std::string json_of_fuzz(const FuzzReport& report) {
  Json json = document("fuzz", report.exit_code);
  json["orders"] = report.runs;
  json["buffers"] = report.compared;
  if (report.unfinished != 0) json["unfinished"] = report.unfinished;
  json["interrupted"] = report.interrupted;
  if (report.difference) json["difference"] = json_of(*report.difference);
  json["findings"] = Json::array();
  if (report.finding) {
    const std::vector<Frame>& frames = report.finding->diagnostic.frames;
    const std::string kernel = frames.empty() ? "" : frames.back().function;
    json["findings"].push_back(finding_json({*report.finding, kernel}, report.run.suppressions));
  }
  for (const ReportedFinding& finding : report.run.findings)
    json["findings"].push_back(finding_json(finding, report.run.suppressions));
  json["errors"] = array_of(report.run.errors);
  if (!report.run.warnings.empty()) json["warnings"] = array_of(report.run.warnings);
  json["expectations"] = {{"checked", report.run.expectations},
                          {"failures", array_of(report.run.failures)}};
  add_suppressed(report.run.suppressions, report.run.suppressed, json);
  return dumped(json);
}

std::string json_of_info(const ModuleInfo& info, const std::vector<Diagnostics>& unsupported) {
  Json json = document("info", 0);
  json["module"] = {{"name", info.name},
                    {"spirv_version", info.spirv_version},
                    {"generator", info.generator},
                    {"pointer_bits", info.pointer_bits},
                    {"source_language", info.source_language},
                    {"capabilities", info.capabilities},
                    {"extensions", info.extensions},
                    {"spec_constants", array_of(info.spec_constants)},
                    {"variables", array_of(info.variables)}};
  Json kernels = array_of(info.kernels);
  for (std::size_t i = 0; i < kernels.size() && i < unsupported.size(); ++i)
    kernels[i]["unsupported"] = array_of(unsupported[i]);
  json["kernels"] = std::move(kernels);
  return dumped(json);
}

std::string json_of_validation(const std::string& input, const std::string& strictness,
                               const JudgedValidation& judged, int exit_code) {
  const Validation& validation = judged.validation;
  Json json = document("validate", exit_code);
  json["input"] = input;
  json["environment"] = validation.environment;
  json["strictness"] = strictness;
  json["valid"] = validation.valid;
  json["error_count"] = validation.errors;
  json["warning_count"] = validation.warnings;
  json["held_back_count"] = validation.held_back;
  if (!validation.no_second_opinion.empty())
    json["no_second_opinion"] = validation.no_second_opinion;
  json["diagnostics"] = array_of(validation.diagnostics);
  for (const Diagnostic& unused : judged.unused) json["diagnostics"].push_back(to_json(unused));
  add_suppressed(judged.suppressions.entries(), judged.suppressed, json);
  return dumped(json);
}

std::string json_of_disassembly(const std::string& input, const std::string& text) {
  Json json = document("dis", 0);
  json["input"] = input;
  json["text"] = text;
  return dumped(json);
}

std::string json_of_compilation(const std::string& input, const std::string& output,
                                const CompiledSource& compiled) {
  Json json = document("compile", 0);
  json["input"] = input;
  json["output"] = output;
  json["bytes"] = compiled.module.size();
  json["warnings"] = array_of(compiled.warnings);
  return dumped(json);
}

std::string json_of_rules(const std::vector<RulePage>& rules) {
  Json json = document("explain", 0);
  json["rules"] = array_of(rules);
  return dumped(json);
}

namespace {

/// Adds the report of one contender.
void add_ulp_report(const UlpReport& report, const std::string& mode, Json* json_of_report) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json("inf"); };
  const auto bound = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  Json& json = *json_of_report;
  json["mode"] = mode;
  json["instruction_set"] = report.isa;
  json["calls"] = report.calls;
  json["complete"] = report.complete;
  json["decided_by_mpfr"] = report.by_mpfr;
  json["confirmed"] = report.confirmed;
  json["contradicted"] = report.contradicted;
  json["not_correctly_rounded"] = report.not_correctly_rounded;
  json["worst"] = {{"ulp", number(report.worst_ulp)},
                   {"operands", report.worst_operands},
                   {"result", report.worst_result},
                   {"correct", report.worst_expected}};
  if (report.worst_part) json["worst"]["part_of_allowed"] = number(*report.worst_part);
  json["bound"] = {{"full", bound(report.full_bound)}, {"embedded", bound(report.embedded_bound)}};
  json["outside"] = {{"full", report.outside_full}, {"embedded", report.outside_embedded}};
  json["histogram"] = Json::array();
  for (const auto& [limit, count] : report.histogram)
    json["histogram"].push_back({{"up_to_ulp", number(limit)}, {"calls", count}});
  json["checksum"] = fmt::format("{:016x}", report.checksum);
  json["ns_per_value"] = report.ns_per_value;
  json["seconds"] = report.seconds;
}

}  // namespace

std::string json_of_ulp(const UlpCommandOptions& options, const UlpReport& report, int exit_code) {
  Json json = document("ulp", exit_code);
  json["function"] = options.function;
  json["type"] = options.type;
  json["rounding"] = options.rounding;
  add_ulp_report(report, options.mode, &json);
  return dumped(json);
}

std::string json_of_ulps(const std::string& function, const std::string& type,
                         const UlpComparison& comparison, int exit_code) {
  Json json = document("ulp", exit_code);
  json["function"] = function;
  json["type"] = type;
  json["mode"] = "all";
  json["differing"] = comparison.differing;
  json["contenders"] = Json::array();
  for (const auto& [mode, report] : comparison.contenders) {
    Json& contender = json["contenders"].push_back(Json::object());
    add_ulp_report(report, mode == UlpOptions::Mode::kReference ? "reference" : "fast", &contender);
  }
  return dumped(json);
}

std::string json_of_version() {
  Json json = document("version", 0);
  json["instruction_sets"] = supported_isas();
  return dumped(json);
}

std::string json_of_errors(const std::string& command, const Diagnostics& errors, int exit_code) {
  Json json = document(command, exit_code);
  json["errors"] = array_of(errors);
  return dumped(json);
}

}  // namespace transpire::cli
