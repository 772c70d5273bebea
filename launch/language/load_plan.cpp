// Finds the form of a launch description, and builds plans from files.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>

#include "base/content.h"
#include "base/spirv_words.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

std::string_view extension_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return {};
  return path.substr(dot);
}

/// The plan of the launch lines in a kernel's source; the module is the file itself.
Result<LaunchPlan> plan_inside(std::string_view source, std::string_view marker,
                               const std::string& path) {
  const auto text = embedded_launch_text(source, marker);
  if (!text)
    return command_error(
        kBadCommandLine,
        fmt::format("{} is a module without launch lines",
                    path == "-" ? "standard input" : fmt::format("'{}'", path)),
        fmt::format(
            "say how to launch it: -k KERNEL -g SIZE -a NAME=VALUE, a launch file ('transpire "
            "info --template {}' writes one), or '{}' comments in the source",
            path, marker));
  PlanBuilder builder(path);
  builder.use_module(path);
  const Status read = read_launch_lines(builder, *text, path);
  if (!read) return read.errors();
  return builder.finish();
}

bool is_spirv(std::string_view text) { return transpire::is_spirv(std::as_bytes(std::span(text))); }

/// True if the beginning has control bytes, which text does not have.
bool is_binary(std::string_view text) {
  const std::string_view start = text.substr(0, 4096);
  return std::any_of(start.begin(), start.end(),
                     [](char c) { return c != '\x1b' && is_control(c) && !is_blank(c); });
}

bool is_launch_extension(std::string_view extension) {
  return extension == ".launch" || extension == ".json" || extension == ".sim" ||
         extension == ".amber" || extension == ".tcf";
}

/// The plan for a file of unknown form. Loading it as a module gives the best message.
Result<LaunchPlan> plan_of_module_alone(const std::string& path) {
  PlanBuilder builder(path);
  builder.use_module(path);
  return builder.finish();
}

/// The first line of an Amber script.
constexpr std::string_view kAmberMark = "#!amber";

Result<LaunchPlan> plan_by_content(std::string_view text, const std::string& path) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const char c = first == std::string_view::npos ? '\0' : text[first];
  if (is_spirv(text)) return plan_inside({}, ";!", path);
  if (text.starts_with(kAmberMark)) return parse_amber(text, path);
  if (is_source_text(std::as_bytes(std::span(text)))) return plan_inside(text, "//!", path);
  if (is_binary(text)) return plan_of_module_alone(path);
  if (c == '{') return parse_launch_json(text, path);
  if (c == ';') return plan_inside(text, ";!", path);
  return parse_launch_text(text, path);
}

}  // namespace

ReadLimit reading_limit(const AskedSettings& settings) {
  const double each = settings.timeout_seconds.value_or(0);
  const double all = settings.total_timeout_seconds.value_or(0);
  const double seconds = each > 0 && all > 0 ? std::min(each, all) : std::max(each, all);
  return text_limit(WorkLimit::after(seconds), settings.max_memory_bytes.value_or(kMostTextBytes));
}

std::string_view launch_marker(std::string_view path) {
  const std::string_view extension = extension_of(path);
  if (is_source_name(path)) return "//!";
  return extension == ".spvasm" ? ";!" : "";
}

bool names_module(std::string_view path) {
  const std::string_view extension = extension_of(path);
  return is_source_name(path) || extension == ".spv" || extension == ".spvasm" || path == "-";
}

bool names_launch(Input& input) {
  const std::string& path = input.path();
  const std::string_view extension = extension_of(path);
  if (is_launch_extension(extension)) return true;
  if (!is_read_once(path) && names_module(path)) return false;
  const auto& bytes = input.bytes();
  if (!bytes) return false;
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (text.starts_with(kAmberMark)) return true;
  if (is_spirv(text) || is_binary(text) || is_source_text(*bytes)) return false;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return (first != std::string_view::npos && text[first] == '{') || begins_with_statement(text);
}

bool has_launch_lines(Input& input) {
  std::string_view marker = launch_marker(input.path());
  if (marker.empty() && !is_read_once(input.path())) return false;
  const auto& bytes = input.bytes();
  if (!bytes) return false;
  if (marker.empty()) marker = is_source_text(*bytes) ? "//!" : ";!";
  return embedded_launch_text({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, marker)
      .has_value();
}

namespace {

Result<LaunchPlan> plan_of_text(std::string_view text, const std::string& path) {
  const std::string_view extension = extension_of(path);
  if (const std::string_view marker = launch_marker(path); !marker.empty())
    return plan_inside(text, marker, path);
  if (extension == ".json") return parse_launch_json(text, path);
  if (extension == ".sim") return parse_sim(text, path);
  if (extension == ".amber") return parse_amber(text, path);
  if (extension == ".tcf") return parse_talvos(text, path);
  if (extension == ".launch") return parse_launch_text(text, path);
  return plan_by_content(text, path);
}

}  // namespace

Result<LaunchPlan> load_plan(Input& input) {
  const std::string& path = input.path();
  if (extension_of(path) == ".spv") return plan_inside({}, ";!", path);
  const auto& bytes = input.bytes();
  if (!bytes) return bytes.errors();
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  Result<LaunchPlan> plan = plan_of_text(text, path);
  if (!plan) return quoted(plan.errors(), path, text);
  plan->text = text;
  return plan;
}

Result<LaunchPlan> load_plan(const std::string& path) {
  Input input(path);
  return load_plan(input);
}

}  // namespace transpire::launch
