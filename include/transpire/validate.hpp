// Validates modules for an OpenCL environment and a device. docs/validator.md documents the options.
// Every finding has a rule, whose page `transpire explain` prints.
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
  kNone,    ///< checks nothing; every module is valid
  kField,   ///< accepts deviations that real producers emit; warns once for each kind
  kStrict,  ///< follows the letter of the specifications
};

/// Answer to a question that the specifications leave open. docs/validator.md lists the answers of kDefault.
enum class OpenQuestion : std::uint8_t { kDefault, kAccept, kReject };

struct ValidateOptions {
  /// "opencl1.2" .. "opencl3.0", optionally followed by "embedded". Empty: the oldest version that has the OpenCL C of the
  /// module's sources and accepts its SPIR-V version, or the newest if the module names no source; "vulkan1.4" for a module with
  /// a memory model of Vulkan. "vulkan1.0" .. "vulkan1.4" and "universal1.0" .. "universal1.6" are judged by SPIRV-Tools alone.
  std::string environment = "opencl2.2";
  Strictness strictness = Strictness::kStrict;
  std::string
      device;  ///< JSON; empty: the most capable device, with cl_khr_il_program as its only extension
  std::string device_name = "<device>";  ///< name of the description in diagnostics
  std::vector<std::string> suppress;     ///< ids of rules that are neither reported nor counted
  /// Errors in functions that none of these kernels calls become warnings. Empty: errors in all functions count.
  std::vector<std::string> kernels{};
  std::uint64_t max_errors = 20;  ///< stops after so many errors; 0: no limit
  /// Reports all errors, whatever `max_errors` is, and also errors that follow from a reported one.
  bool all = false;
  bool warnings_as_errors = false;  ///< except warnings of SPIRV-Tools (V0001)
  /// Ids of rules whose warnings count as errors, and of rules whose warnings stay warnings. Both override
  /// `warnings_as_errors`.
  std::vector<std::string> as_errors{}, as_warnings{};
  /// Called for each diagnostic before it is reported. Returning true suppresses it: it is neither reported nor counted.
  /// Diagnostic::frames names the function that it is in. The validating thread makes the call.
  std::function<bool(const Diagnostic&)> suppressed{};
  /// Calls SPIRV-Tools' validator, too, if no error was found; its errors become warnings V0001. It is not called for a
  /// module of more than 2^20 words, or with a function of more than 4,096 blocks; see Validation::no_second_opinion. In
  /// environments of other APIs than OpenCL it is always called, and its errors are V0050.
  bool second_opinion = true;
  OpenQuestion irreducible = OpenQuestion::kDefault;    ///< irreducible control flow
  OpenQuestion struct_arrays = OpenQuestion::kDefault;  ///< arrays in structures that kernels take
  OpenQuestion other_scopes = OpenQuestion::kDefault;   ///< scopes beyond those "generally" allowed
  std::string name = "<module>";                        ///< name of the input in diagnostics
  /// Time limit. Validation that takes longer fails with L0002. The limit does not stop SPIRV-Tools. 0 = no limit.
  double timeout_seconds = 0;
  /// Texts that the module was compiled from, if they are not files below the current folder. Diagnostics show lines of
  /// them.
  std::vector<SourceText> sources{};
};

struct Validation {
  bool valid = true;  ///< true if there is no error
  Diagnostics diagnostics;
  std::uint64_t errors = 0, warnings = 0;  ///< also counts diagnostics that are not reported
  std::string environment{};               ///< the environment that the module was validated for
  /// Number of rules that the module breaks but kField ignores. 0 if validate_file() or validate_input() compiled the
  /// module.
  std::uint64_t held_back = 0;
  /// The reason why SPIRV-Tools' validator was skipped: the module is too large. Empty if it was called, or was not
  /// requested, or an error was found before.
  std::string no_second_opinion{};
};

/// Validates SPIR-V words in either byte order, or assembly text. Thread-safe. Fails with C0035 (invalid environment or
/// device description), D0040 (text that cannot be assembled) and L0002 (time limit). An invalid module is no failure.
TRANSPIRE_API Result<Validation> validate(std::span<const std::byte> bytes,
                                          const ValidateOptions& options = {});

/// Validates a file: `.spv`, `.spvasm`, or `.cl` (compiled by clang and llvm-spirv); "-" is standard input. Diagnostics
/// name the path unless `options` has a name. For OpenCL C, the compiler's warnings (C0036) come first among the
/// diagnostics. Fails as validate() does, and with C0001, C0030 and C0031.
TRANSPIRE_API Result<Validation> validate_file(const std::string& path, ValidateOptions options,
                                               const LoadOptions& load = {});

/// Validates bytes that were read from standard input: SPIR-V words, assembly text or OpenCL C, whose #include directives
/// look in the current folder. Fails as validate_file() does.
TRANSPIRE_API Result<Validation> validate_input(std::span<const std::byte> bytes,
                                                ValidateOptions options,
                                                const LoadOptions& load = {});

}  // namespace transpire
