#include "opencl/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "base/json.h"
#include "base/rule_facts.h"
#include "launch/report/finding_json.h"
#include "opencl/platform.h"
#include "opencl/repeated_findings.h"

namespace transpire::opencl {
namespace {

/// Number of findings of one launch that are printed; report files get all.
constexpr std::size_t kMaxShown = 100;

void write(std::FILE* file, const std::string& text) {
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

/// Decides which findings are suppressed, counted over the process, and which warnings are errors.
class Judge {
 public:
  Judge() : rules_(environment().rules) {}

  /// The suppression that matches the finding. None: the finding counts, and may have become an
  /// error.
  std::optional<launch::Suppression> operator()(Finding& finding) {
    const std::lock_guard lock(mutex_);
    const auto entry = rules_.suppressions.take({finding.diagnostic, finding.allocation});
    if (entry) return rules_.suppressions.entries()[*entry];
    rules_.warnings.judge(finding.diagnostic);
    return std::nullopt;
  }

  static Judge& instance() {
    static Judge* const judge = new Judge;  // never destroyed, as the environment
    return *judge;
  }

 private:
  std::mutex mutex_;
  launch::FindingRules rules_;
};

/// Counts findings that earlier launches of the process had, and sources that were compiled for
/// checks; reports both at exit.
class Again {
 public:
  bool came_before(std::uint64_t launch, const Diagnostic& finding) {
    const std::lock_guard lock(mutex_);
    return repeated_.came_before(launch, finding);
  }

  void compiled_for_checks(const std::string& program) {
    const std::lock_guard lock(mutex_);
    ++compiled_;
    if (compiled_ <= kMostNamed) names_ += (names_.empty() ? "" : ", ") + program;
  }

  static Again& instance() {
    static Again* const again = [] {
      std::atexit([] { instance().tell(); });
      return new Again;
    }();
    return *again;
  }

 private:
  void tell() {
    if (owner_ != getpid()) return;  // a forked process, which exits, too
    const std::lock_guard lock(mutex_);
    write(stderr, repeated_.summary());
    if (compiled_ == 0) return;
    const std::string more =
        compiled_ > kMostNamed ? fmt::format(" and {} more", compiled_ - kMostNamed) : "";
    write(stderr, fmt::format("compiled with -O0 for the checks: {}{}\n", names_, more));
  }

  static constexpr std::uint64_t kMostNamed = 8;
  const pid_t owner_ = getpid();
  std::mutex mutex_;
  Repeated repeated_;
  std::uint64_t compiled_ = 0;  ///< sources compiled for the checks
  std::string names_;           ///< names of the first of them
};

/// A line of JSON. Bytes that are no UTF-8 are replaced.
std::string report_line(Json json, const std::string& call) {
  json["call"] = call;
  return json.dump(-1, JsonText::kReplaced) + "\n";
}

/// Writes each text as a whole, one after the other.
void write_all(const std::string& printed, const std::string& messages, const std::string& lines) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  write(stdout, printed);
  write(stderr, messages);
  const std::string& path = environment().report_file;
  if (path.empty() || lines.empty()) return;
  if (std::FILE* const file = std::fopen(path.c_str(), "ae")) {
    write(file, lines);
    std::fclose(file);
  }
}

}  // namespace

void report(const LaunchResult& result, const std::string& call) {
  static std::atomic<std::uint64_t> launches{0};
  const std::uint64_t launch = ++launches;
  std::string messages, lines;
  std::size_t shown = 0;
  for (Finding finding : result.findings) {
    const auto suppressed_by = Judge::instance()(finding);
    Json line = launch::json_of(finding);
    if (suppressed_by) line["suppressed_by"] = launch::json_of(*suppressed_by);
    lines += report_line(std::move(line), call);
    if (suppressed_by) continue;
    const bool is_new = facts_of_id(finding.diagnostic.rule).is_limit ||
                        !Again::instance().came_before(launch, finding.diagnostic);
    if (!is_new) continue;
    if (shown++ < kMaxShown) messages += format(finding.diagnostic);
  }
  if (shown > kMaxShown) messages += fmt::format("  = and {} more\n", shown - kMaxShown);
  if (!messages.empty()) messages += fmt::format("  = in {}\n", call);
  write_all(result.printf_output, messages, lines);
}

void tell(const Diagnostics& notes) {
  std::string messages;
  for (const Diagnostic& note : notes) {
    Finding finding;
    finding.diagnostic = note;
    if (!Judge::instance()(finding)) messages += format(finding.diagnostic);
  }
  write_all({}, messages, {});
}

void tell_compiled_for_checks(const std::string& program) {
  Again::instance().compiled_for_checks(program);
}

void report(const Diagnostics& errors, const std::string& call) {
  std::string messages, lines;
  for (const Diagnostic& error : errors) {
    messages += format(error);
    lines += report_line(launch::json_of(error), call);
  }
  write_all({}, messages + fmt::format("  = in {}\n", call), lines);
}

}  // namespace transpire::opencl
