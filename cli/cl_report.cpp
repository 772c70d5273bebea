#include "cli/cl_report.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "base/json.h"
#include "launch/report/diagnose.h"
#include "launch/report/finding_json.h"

namespace transpire::cli {

ClFindings findings_in(const std::string& report, Suppressions& suppressions) {
  ClFindings found;
  std::ifstream stream(report);
  for (std::string line; std::getline(stream, line);) {
    const auto json = Json::try_parse(line);
    const bool suppressed = json && json->contains("suppressed_by");
    ++(suppressed ? found.suppressed : found.counted);
    const std::string rule = json && json->is_object() ? json->value("rule", "") : "";
    found.limits |= rule == kStepLimit || rule == kTimeLimit;
    if (suppressed) suppressions.take({diagnostic_in(*json), json->value("allocation", "")});
  }
  return found;
}

int judge_findings(const ClOptions& options, const std::string& report, FindingRules rules,
                   int code) {
  if (code != kSuccess) return code;
  const ClFindings found = findings_in(report, rules.suppressions);
  if (const std::string text = suppressed_text(found.suppressed); !text.empty())
    fmt::print(stderr, "transpire: {}\n", text);
  // A launch that a limit ended may have had further findings, so no suppression counts as unused.
  Diagnostics unused = found.limits ? Diagnostics() : rules.suppressions.unused();
  for (Diagnostic& each : unused) rules.warnings.judge(each);
  show(unused);
  const bool fails = options.fail_on_findings && found.counted != 0;
  if (fails)
    fmt::print(stderr, "transpire: {} finding{}\n", found.counted, found.counted == 1 ? "" : "s");
  if (const int wrong = exit_code_of(unused); wrong != kSuccess) return wrong;
  if (fails) return kFault;
  return found.limits ? kLimit : kSuccess;
}

}  // namespace transpire::cli
