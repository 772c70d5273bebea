// The platform, and the settings from the environment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/report/suppressions.h"
#include "opencl/object.h"
#include "transpire/diagnostic.hpp"
#include "transpire/launch_settings.hpp"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// The settings from environment variables, read once when the platform is first asked for.
struct Environment {
  cl_version version = CL_MAKE_VERSION(3, 0, 0);  ///< TRANSPIRE_CL_VERSION: 1.2, 2.0, 2.1, 2.2, 3.0
  std::string record_folder;  ///< TRANSPIRE_CL_RECORD: folder for records of all launches; empty:
                              ///< none
  std::string report_file;    ///< TRANSPIRE_CL_REPORT: file that gets a line per finding; empty:
                              ///< none
  /// TRANSPIRE_CL_SUPPRESS: files and rules, separated by ':'. TRANSPIRE_CL_WARNINGS: values of -W,
  /// separated by ','.
  launch::FindingRules rules;
  /// Settings of every launch, from the variables of the table (transpire/setting_table.hpp):
  /// TRANSPIRE_CL_CHECK and so on.
  LaunchSettings settings;
  /// TRANSPIRE_CL_ENFORCE_FLAGS=1: kernels must respect CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY.
  /// Other drivers do not enforce them, and existing programs have wrong flags.
  bool enforce_flags = false;
  /// Limits of every launch, from the variables of the table (transpire/limit_table.hpp): TRANSPIRE_CL_TIMEOUT and so on.
  Limits limits;
  /// TRANSPIRE_CL_MEMORY: the device's memory, for programs that take all there is; none: as the
  /// machine.
  std::optional<std::uint64_t> memory_bytes;
  /// TRANSPIRE_CL_INTERRUPT=1: SIGINT and SIGTERM end running launches (opencl/interrupt.h).
  bool interrupt = false;
  /// C0033: errors in the variables. With an error there is no platform, so no program runs with
  /// settings that nobody asked for.
  std::vector<Diagnostic> errors;
};
const Environment& environment();

/// Gives a launch the settings and limits of the environment.
void configure(Launch& launch);

/// The ICD platform. There is one; it lives as long as the process.
_cl_platform_id& platform();

}  // namespace transpire::opencl

struct _cl_platform_id final
    : transpire::opencl::Object<_cl_platform_id, transpire::opencl::Kind::kPlatform> {
  _cl_platform_id();
  ~_cl_platform_id();
  cl_device_id root = nullptr;  ///< the whole machine
};
