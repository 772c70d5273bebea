// All documents that `--format=json` prints; docs/output.schema.json describes them. No other file
// writes JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "launch/fuzz/fuzz.h"
#include "launch/runner/run_plan.h"
#include "transpire/transpire.hpp"
#include "transpire/ulp.hpp"
#include "transpire/validate.hpp"

namespace transpire::cli {

std::string json_of_info(const ModuleInfo& info, const std::vector<Diagnostics>& unsupported);
std::string json_of_validation(const std::string& input, const std::string& strictness,
                               const JudgedValidation& judged, int exit_code);
std::string json_of_disassembly(const std::string& input, const std::string& text);
std::string json_of_compilation(const std::string& input, const std::string& output,
                                const CompiledSource& compiled);
std::string json_of_rules(const std::vector<RulePage>& rules);
std::string json_of_ulp(const UlpCommandOptions& options, const UlpReport& report, int exit_code);
/// Reports of all contenders that one pass measured.
std::string json_of_ulps(const std::string& function, const std::string& type,
                         const UlpComparison& comparison, int exit_code);
std::string json_of_version();
/// The errors of a command that could not run.
std::string json_of_errors(const std::string& command, const Diagnostics& errors, int exit_code);

/// The report of `fuzz`: docs/output.schema.json, "fuzz".
std::string json_of_fuzz(const FuzzReport& report);

/// A run's report: docs/output.schema.json, "run".
std::string format_json(const RunReport& report);

}  // namespace transpire::cli
