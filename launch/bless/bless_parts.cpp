// Parts of blessing: see the header.
#include "launch/bless/bless_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <tuple>

#include "launch/language/launch_writer.h"
#include "launch/report/diagnose.h"
#include "launch/runner/npy.h"

namespace transpire::launch {

namespace fs = std::filesystem;

namespace {

Status check_end(const Diagnostics& ended) {
  if (ended.empty()) return Unit{};
  const int code = exit_code_of(ended);
  if (code == kInvalidModule || code == kUnsupported) return Unit{};
  Diagnostics errors = ended;
  errors.front().notes.emplace_back("this is nothing that a launch file can expect");
  return errors;
}

}  // namespace

Status check_report(const RunReport& report) {
  if (Status expected = check_end(report.errors); !expected) return expected;
  const auto found = std::ranges::find_if(report.failures, &FailedExpectation::is_short);
  if (found == report.failures.end()) return Unit{};
  Diagnostic error = found->diagnostic;
  error.help =
      "no values mend an expectation of packets that are not there: name those that are, or "
      "none for all";
  return error;
}

std::string FoundValues::element(std::uint64_t index) const {
  return format_value(failure_.type, std::span(failure_.found).subspan(index * stride(), stride()));
}

bool FoundValues::are_same() const {
  const std::span<const std::byte> bytes(failure_.found);
  for (std::uint64_t i = 1; i < count(); ++i)
    if (!std::ranges::equal(bytes.first(stride()), bytes.subspan(i * stride(), stride())))
      return false;
  return count() > 1;
}

DataFile same_file(const ExpectBufferStep& expect, const FailedExpectation& failure) {
  const std::string& file = expect.value.file;
  if (expect.value.maker != ValueSpec::Maker::kNpy) return {file, failure.found};
  const auto before = read_npy(file);
  const auto& shape = before ? before->shape : failure.shape;
  return {file, to_npy(failure.type, failure.found, shape)};
}

NewFile new_file(const std::string& launch_file, const ExpectBufferStep& expect,
                 const FailedExpectation& failure) {
  const bool npy = failure.type.kind != TypeInfo::Kind::kStruct;
  const fs::path launch(launch_file);
  NewFile made{npy ? "npy" : "file", {}, {}};
  made.name =
      fmt::format("{}.{}.{}", launch.stem().string(), expect.slice.name, npy ? "npy" : "bin");
  made.file = {(launch.parent_path() / made.name).string(),
               npy ? to_npy(failure.type, failure.found) : failure.found};
  return made;
}

std::string value_in_words(const std::string& launch_file, const ExpectBufferStep& expect,
                           const FailedExpectation& failure, std::vector<DataFile>& data) {
  if (expect.value.raw_bytes)
    return value_text(failure.found.empty() ? zero_bytes(0) : raw_bytes(failure.found));
  const std::string type = expect.value.type ? text_of(failure.type) + ":" : "";
  const FoundValues values(failure);
  if (values.count() == 0) return type + "zero:0";
  if (values.are_same()) return fmt::format("{}fill:{}", type, values.element(0));
  if (values.are_many()) {
    NewFile made = new_file(launch_file, expect, failure);
    data.push_back(std::move(made.file));
    return made.maker + ":" + made.name;
  }
  std::string text = type.empty() ? "" : type + "data:";
  for (std::uint64_t i = 0; i < values.count(); ++i)
    text += (i == 0 ? "" : type.empty() ? " " : ",") + values.element(i);
  return text;
}

std::vector<ExpectedFault> open_faults(const LaunchPlan& plan, const RunReport& report) {
  std::vector<ExpectedFault> faults;
  for (const ReportedFinding& reported : report.findings) {
    const Finding& finding = reported.finding;
    if (!is_open(reported) || (!finding.is_error() && !plan.no_faults)) continue;
    ExpectedFault fault{finding.diagnostic.rule, finding.allocation, finding.global_id, {}};
    const auto is_same = [&fault](const ExpectedFault& other) {
      return std::tie(fault.rule, fault.buffer, fault.at) ==
             std::tie(other.rule, other.buffer, other.at);
    };
    if (std::ranges::none_of(faults, is_same)) faults.push_back(std::move(fault));
  }
  return faults;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace transpire::launch
