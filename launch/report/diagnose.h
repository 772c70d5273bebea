// Diagnostics of the command line: makes them for the C rules, adds places, chooses the exit code, and suggests known
// names for misspelled ones.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire::launch {

/// Exit codes of the process, and of a report.
enum ExitCode : int {
  kSuccess = 0,
  kExpectationFailed = 1,
  kUsage = 2,
  kInvalidModule = 3,
  kFault = 4,
  kUnsupported = 5,
  kLimit = 6,
};

// Rules of base/rules/command.def that the command line reports itself.
inline constexpr const char* kFileUnreadable = "TSP-C0001";
inline constexpr const char* kNoSuchKernel = "TSP-C0002";
inline constexpr const char* kBadArgument = "TSP-C0003";
inline constexpr const char* kBadGeometry = "TSP-C0004";
inline constexpr const char* kBadCommandLine = "TSP-C0020";
inline constexpr const char* kBadLaunchFile = "TSP-C0021";
inline constexpr const char* kBadValue = "TSP-C0022";
inline constexpr const char* kExpectationUnmet = "TSP-C0023";
inline constexpr const char* kFileUnwritable = "TSP-C0024";
inline constexpr const char* kNoSuchRule = "TSP-C0025";
inline constexpr const char* kNoSuchBuffer = "TSP-C0026";
inline constexpr const char* kSourceDoesNotCompile = "TSP-C0030";
inline constexpr const char* kNoCompiler = "TSP-C0031";
inline constexpr const char* kNoSuchSpecConstant = "TSP-C0032";
inline constexpr const char* kSourceWarning = "TSP-C0036";
inline constexpr const char* kBadSuppression = "TSP-C0038";
inline constexpr const char* kUnusedSuppression = "TSP-C0039";
inline constexpr const char* kNoReport = "TSP-C0041";
inline constexpr const char* kBadPipe = "TSP-C0043";
inline constexpr const char* kUnwritten = "TSP-C0044";
inline constexpr const char* kOpaqueArgument = "TSP-U0003";
inline constexpr const char* kStepLimit = "TSP-L0001";
inline constexpr const char* kNotSupported = "TSP-U0003";
inline constexpr const char* kTimeLimit = "TSP-L0002";
inline constexpr const char* kInterrupted = "TSP-L0008";
inline constexpr const char* kMemoryLimit = "TSP-L0004";

/// An error of the rule with that id; severity and clause come from the rule's page.
Diagnostic command_error(const std::string& rule, const std::string& message,
                         std::string help = {});

/// L0004: there was no memory for what was being done, "loading 'x.spv'".
Diagnostic out_of_memory(std::string_view doing);

/// Calls `body`, which returns a Result, and turns a failed allocation into its error L0004.
template <class Body>
auto within_memory(std::string_view doing, const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return out_of_memory(doing);
}

/// The place of a statement from an option of the command line. It has no line: diagnostics have a note "in '-g 8,x'".
SourceLine place_of_flag(std::string_view flag, std::string_view text);

/// Sets the place of all diagnostics that have none to `where`.
Diagnostics placed(Diagnostics diagnostics, const SourceLine& where);

/// As placed(). Diagnostics that still have no place are about the command line, unless all statements come from there:
/// `plan_file` is the name of the file of the others, or empty.
Diagnostics located(Diagnostics diagnostics, const SourceLine& where, const std::string& plan_file);

/// Adds excerpts to the diagnostics that are placed in `file`, whose contents are `text`. The caret points to the first
/// quoted word of the message, if the line contains it.
Diagnostics quoted(Diagnostics diagnostics, const std::string& file, std::string_view text);

/// Copies the diagnostic's clause to a note, so that the text for people shows it.
Diagnostic with_clause(Diagnostic diagnostic);

/// The exit code for a list of refusals: the first error decides, by the letter of its rule.
int exit_code_of(const Diagnostics& diagnostics);

/// The candidate that `word` most likely meant, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b and c".
std::string listed(const std::vector<std::string>& names);

/// "did you mean 'x'?" followed by the list, or only the list: `what` is "kernels" and the like.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view what);

}  // namespace transpire::launch
