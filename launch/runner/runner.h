// Runner: carries out the steps of a plan, in order. Each kind of step is the duty of another type:
//
//   PlanBuffers       the memory that the plan declares, and all buffers by name
//   KernelArguments   the arguments of a launch
//   Launcher          the launch itself
//   Writers           who wrote a buffer
//   OutputFiles       `out` and `show`
//   ExpectationCheck  `expect`
//   Verdict           errors, warnings and failures, and the exit code
#pragma once

#include <cstddef>
#include <string>

#include "launch/runner/expectation_check.h"
#include "launch/runner/kernel_arguments.h"
#include "launch/runner/launcher.h"
#include "launch/runner/output_files.h"

namespace transpire::launch {

class Runner {
 public:
  /// Keeps all references. `machine` is prepared for the plan.
  Runner(const LaunchPlan& plan, const RunOverrides& overrides, const Machine& machine,
         RunClock& clock, Verdict& verdict, RunReport& report);

  /// Makes the declared memory, carries out the steps, and runs the module's finalizers. Errors and failures go to the
  /// verdict, everything else to the report.
  void run();
  /// True if a launch ended early, so that later ones were left out.
  bool ended_early() const { return launcher_.has_stopped(); }

 private:
  Status declare_buffers();
  void carry_out_steps();
  Status step(const LaunchStep& step);
  Status step(const PrintStep& print);
  Status step(const OutputStep& output);
  Status step(const ExpectBufferStep& expect);
  Status step(const ExpectPrintfStep& expect);

  Status repeat(const LaunchStep& step, Launch& launch, LaunchReport& sums);
  Status check_outputs(const LaunchStep& launch) const;
  bool was_left_out(const std::string& name) const;
  void begins(const std::string& part) const;
  Diagnostics located(const Diagnostics& errors, const SourceLine& where) const;

  const LaunchPlan& plan_;
  const RunOverrides& overrides_;
  const Machine& machine_;
  RunClock& clock_;
  Verdict& verdict_;
  RunReport& report_;
  PlanBuffers buffers_;
  Writers writers_;
  KernelArguments arguments_;
  Launcher launcher_;
  OutputFiles outputs_;
  ExpectationCheck expectations_;
  std::size_t steps_begun_ = 0;
};

}  // namespace transpire::launch
