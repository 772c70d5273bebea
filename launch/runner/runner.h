// Runner: the state of a run of a LaunchPlan. run_plan() makes one. Its members are defined in runner_memory.cpp (declared
// memory), runner_launch.cpp (modules, arguments, launches), runner_output.cpp (output files), runner_pictures.cpp (pictures
// for people), runner_check.cpp (prints, expectations), runner_unwritten.cpp (outputs that no kernel wrote), runner_pipes.cpp
// (pipes) and runner_end.cpp (judges the findings).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/runner/bind.h"
#include "launch/runner/expectation_check.h"
#include "launch/runner/kernel_arguments.h"
#include "launch/runner/output_files.h"
#include "launch/runner/plan_buffers.h"
#include "launch/runner/run_clock.h"
#include "launch/runner/run_plan.h"
#include "launch/runner/verdict.h"
#include "launch/runner/writers.h"

namespace transpire::launch {

class Runner {
 public:
  Runner(const LaunchPlan& plan, const RunOverrides& overrides);
  RunReport run();

 private:
  bool prepare();
  bool read_suppressions();
  bool load();
  bool judge_warnings();  ///< removes suppressed compiler warnings, and makes some errors
  Status check_purpose() const;
  bool validate();     ///< validates the module, as strictly as the overrides say
  bool check_names();  ///< runner_names.cpp: checks names in prints, outputs and expectations
  void warn_of_files();
  Diagnostics launch_errors() const;
  bool make_device();
  bool make_queues();
  bool make_declared_buffers();

  Status step(const LaunchStep& step);
  Status step(const PrintStep& print);
  Status step(const OutputStep& output);
  Status step(const ExpectBufferStep& expect);
  Status step(const ExpectPrintfStep& expect);

  Status check_outputs(const LaunchStep& launch) const;
  Result<Geometry> geometry_of(const LaunchStep& launch) const;
  Launch with_settings(const std::string& kernel) const;
  Launch make_launch(const Geometry& geometry) const;
  Status finish_module();
  void warn_of_leniency(const Launch& launch, const SourceLine& where);
  void name_time_limit(Diagnostic& finding, const Launch& launch) const;
  Status launch_once(const LaunchStep& step, Launch& launch, LaunchReport& report);
  Status out_of_time(const LaunchReport& report, const SourceLine& where) const;
  void begins(const std::string& part) const;

  bool was_left_out(const std::string& name) const;
  std::vector<std::string> launched_kernels() const;

  const LaunchPlan& plan_;
  const RunOverrides& overrides_;
  AskedSettings settings_;
  std::uint64_t max_bytes_ = 0;
  RunClock clock_;
  std::optional<Module> module_;
  std::optional<Device> device_;
  std::optional<ResultLog> results_;  ///< set if an expectation needs legal results
  KnownQueues queues_;
  std::optional<PlanBuffers> buffers_;
  std::optional<Writers> writers_;
  std::optional<KernelArguments> arguments_;
  std::optional<OutputFiles> outputs_;
  std::optional<ExpectationCheck> expectations_;
  std::set<std::string> lenient_kernels_;  ///< kernels with a warning about their stores
  std::size_t steps_begun_ = 0;            ///< steps of the plan that have begun
  bool stopped_ = false;                   ///< a launch was ended early: there are no further ones
  RunReport report_;
  Verdict verdict_;
};

}  // namespace transpire::launch
