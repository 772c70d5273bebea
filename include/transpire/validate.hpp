// Validation: whether a module is valid for an OpenCL environment and a device, and why not.
// docs/validator.md tells about the options; every finding has a rule that `transpire explain` prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "transpire/diagnostic.hpp"
#include "transpire/export.hpp"
#include "transpire/transpire.hpp"

namespace transpire {

enum class Strictness : std::uint8_t {
  kNone,    ///< nothing is asked; every module is valid
  kField,   ///< what real producers emit is accepted, with a warning for each kind of deviation
  kStrict,  ///< the letter of the specifications
};

/// How a question that the specifications leave open is answered. kDefault: docs/validator.md says how.
enum class OpenQuestion : std::uint8_t { kDefault, kAccept, kReject };

struct ValidateOptions {
  /// "opencl1.2" .. "opencl3.0", perhaps with "embedded"; empty: the one that the module asks for, which is the oldest
  /// that has the OpenCL C of its sources and takes its version of SPIR-V, or the newest where it names no source.
  std::string environment = "opencl2.2";
  Strictness strictness = Strictness::kStrict;
  std::string device;  ///< JSON; empty: the most capable device without extensions
  std::string device_name = "<device>";  ///< how diagnostics call the description
  std::vector<std::string> suppress;     ///< rules that are not reported, and not counted
  /// What is wrong in a function that none of these kernels calls is a warning; empty: all functions count.
  std::vector<std::string> kernels{};
  std::uint64_t max_errors = 20;  ///< 0: no limit
  /// Report also what follows from an error that was reported already, and all errors.
  bool all = false;
  bool warnings_as_errors = false;  ///< but for SPIRV-Tools' opinion
  /// Rules whose warnings are errors, and rules whose warnings are not, whatever else is asked for; by id.
  std::vector<std::string> as_errors{}, as_warnings{};
  /// Asked of all that would be reported; true: it is not reported, and not counted. `frames` has the function that it
  /// is in. Called by the thread that validates.
  std::function<bool(const Diagnostic&)> suppressed{};
  /// Ask SPIRV-Tools' validator when no error was found, unless the module has more than 2 to the 20
  /// words, or a function of it more than 4,096 blocks: Validation::no_second_opinion then says so. What it says are
  /// warnings of V0001.
  bool second_opinion = true;
  OpenQuestion irreducible = OpenQuestion::kDefault;    ///< irreducible control flow
  OpenQuestion struct_arrays = OpenQuestion::kDefault;  ///< arrays in structures that kernels take
  OpenQuestion other_scopes = OpenQuestion::kDefault;   ///< scopes beyond those "generally" allowed
  std::string name = "<module>";                        ///< how diagnostics call the input
  /// Validation that takes longer ends with L0002, but for SPIRV-Tools' part in it; 0 = no limit.
  double timeout_seconds = 0;
  /// What the module was compiled from, where it is no file below the current folder: diagnostics show its lines.
  std::vector<SourceText> sources{};
};

struct Validation {
  bool valid = true;  ///< no error
  Diagnostics diagnostics;
  std::uint64_t errors = 0, warnings = 0;  ///< found in all, suppressed ones not counted
  std::string environment{};               ///< by which it was judged
  /// Rules that kField asks nothing of, and that the module breaks. 0 where validate_file() or validate_input() compiled
  /// it.
  std::uint64_t held_back = 0;
  /// Why SPIRV-Tools' validator was not asked, though it was to be: the module is too large. Empty: it was, or was not to be.
  std::string no_second_opinion{};
};

/// Validates SPIR-V words in either byte order, or assembly text. Thread-safe. Errors: C0035 for an
/// environment or device that is wrong, D0040 for text that cannot be assembled.
TRANSPIRE_API Result<Validation> validate(std::span<const std::byte> bytes,
                                          const ValidateOptions& options = {});

/// `.spv`, `.spvasm`, or `.cl` (through clang and llvm-spirv); "-" is standard input. The name for
/// diagnostics is the path unless the options have one. Of OpenCL C, what the compiler warns of (C0036) comes first
/// among the diagnostics. Errors also: C0001, C0030, C0031.
TRANSPIRE_API Result<Validation> validate_file(const std::string& path, ValidateOptions options,
                                               const LoadOptions& load = {});

/// The same of what standard input held, which may be OpenCL C; what that includes lies in the current folder.
TRANSPIRE_API Result<Validation> validate_input(std::span<const std::byte> bytes,
                                                ValidateOptions options,
                                                const LoadOptions& load = {});

}  // namespace transpire
