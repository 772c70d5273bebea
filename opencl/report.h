// Output of launches for people: printf text on standard output, findings on standard error.
#pragma once

#include <string>

#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// Prints a launch's text and findings, each with the host's call: "clEnqueueNDRangeKernel of
/// kernel 'scan', global (1024), local (64)", and its number among the queue's launches. Also
/// appends a line per finding to Environment::report_file. If a launch reached its end, findings
/// that an earlier launch had too are only counted; the process prints the counts when it exits.
/// Output of concurrent launches is not mixed.
void report(const LaunchResult& result, const std::string& call);

/// Prints on standard error what the checks cannot see in a program. This is no finding.
void tell(const Diagnostics& notes);

/// Notes that the source of that name was compiled without clang's optimiser for the checks. The
/// process reports that when it exits.
void tell_compiled_for_checks(const std::string& program);

/// Reports a launch that was refused when its turn came.
void report(const Diagnostics& errors, const std::string& call);

}  // namespace transpire::opencl
