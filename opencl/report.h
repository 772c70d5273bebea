// What launches leave for people: printf text on standard output, findings on standard error.
#pragma once

#include <string>

#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// Prints a launch's text and findings, each with the host's call that led to it: "clEnqueueNDRangeKernel
/// of kernel 'scan', global (1024), local (64)", its number among the queue's launches. Also appends a
/// line per finding to Environment::report_file. What an earlier launch had too is not printed again of one that
/// reached its end: how often it came, the process says when it exits. Output of launches that run side by side is not mixed.
void report(const LaunchResult& result, const std::string& call);

/// Tells on standard error what checks cannot see in a program: it counts as no finding.
void tell(const Diagnostics& notes);

/// The source of that name was compiled without clang's optimiser for the checks: the process says so when it exits.
void tell_compiled_for_checks(const std::string& program);

/// A launch that was refused when its turn came.
void report(const Diagnostics& errors, const std::string& call);

}  // namespace transpire::opencl
