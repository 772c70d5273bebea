// The platform, and what the environment says of the driver.
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

/// What the driver takes from environment variables, read once when the platform is first asked
/// for.
struct Environment {
  cl_version version = CL_MAKE_VERSION(3, 0, 0);  ///< TRANSPIRE_CL_VERSION: 1.2, 2.0, 2.1, 2.2, 3.0
  std::string record_folder;  ///< TRANSPIRE_CL_RECORD: each launch is written there; empty: none
  std::string report_file;    ///< TRANSPIRE_CL_REPORT: a line per finding is appended; empty: none
  /// TRANSPIRE_CL_SUPPRESS: files and rules with ':' between; TRANSPIRE_CL_WARNINGS: what stands behind -W, with ','.
  launch::FindingRules rules;
  /// Of every launch, from the variables of the table (transpire/setting_table.hpp): TRANSPIRE_CL_CHECK and so on.
  LaunchSettings settings;
  /// TRANSPIRE_CL_ENFORCE_FLAGS=1: kernels are held to CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY.
  /// Other drivers do not, and programs exist that have the flags wrong.
  bool enforce_flags = false;
  /// Limits of every launch, from the variables of the table (transpire/limit_table.hpp): TRANSPIRE_CL_TIMEOUT and so on.
  Limits limits;
  /// TRANSPIRE_CL_MEMORY: what the device has, for programs that take as much as there is; none: as the machine.
  std::optional<std::uint64_t> memory_bytes;
  /// TRANSPIRE_CL_INTERRUPT=1: SIGINT and SIGTERM end the launches that run (opencl/interrupt.h).
  bool interrupt = false;
  /// C0033: variables with values that mean nothing. There is no platform then, rather than one
  /// that does something else than what was asked for.
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
