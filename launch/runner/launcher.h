// Launcher: launches kernels on a machine, with the settings of the run, and notes what they found.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "launch/runner/machine.h"
#include "launch/runner/plan_buffers.h"

namespace transpire::launch {

/// The geometry of a step. Fails with C0004, at the place of the size; `plan_file` is as for located().
Result<Geometry> geometry_of(const LaunchStep& step, const KernelInfo& kernel,
                             const std::string& plan_file);

/// Place of the statement that causes the device's refusal of the launch; the step's if it is not refused.
const SourceLine& place_of(const LaunchStep& step, const Launch& launch);

class Launcher {
 public:
  /// Keeps all references. Findings and warnings go to the report.
  Launcher(const Machine& machine, const RunOverrides& overrides, const RunClock& clock,
           const PlanBuffers& buffers, RunReport& report)
      : machine_(machine),
        overrides_(overrides),
        clock_(clock),
        buffers_(buffers),
        report_(report) {}

  /// A launch with the settings of the run. The overrides' local size replaces that of `geometry`, unless the kernel requires
  /// one.
  Launch launch_of(const KernelInfo& kernel, std::size_t program, const Geometry& geometry,
                   const std::vector<BoundArgument>& arguments) const;
  /// Warns of a refusal that may run all the same and, once for each kernel, of stores through pointers to const.
  void warn_of_leniency(const Launch& launch, const SourceLine& where);
  /// Runs the launch, and adds its figures to `sums`. Fails if the device refuses it.
  Status run(Launch& launch, LaunchReport& sums);
  /// Runs the module's finalizers if a kernel ran.
  Status finish();

  /// True if a launch ended early: there are no further ones.
  bool has_stopped() const { return stopped_; }
  void stop() { stopped_ = true; }

 private:
  Launch with_settings(const std::string& kernel, std::size_t program) const;
  void name_time_limit(Diagnostic& finding, const Launch& launch) const;
  void add_findings(std::vector<Finding> findings, const std::string& kernel);

  const Machine& machine_;
  const RunOverrides& overrides_;
  const RunClock& clock_;
  const PlanBuffers& buffers_;
  RunReport& report_;
  std::set<std::string> lenient_kernels_;  ///< kernels with a warning about their stores
  bool stopped_ = false;
};

}  // namespace transpire::launch
