// KernelArguments: the arguments of a plan's launches, bound to the parameters of a kernel. They stay bound for further
// launches of the same kernel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launch/runner/plan_buffers.h"

namespace transpire::launch {

class KernelArguments {
 public:
  /// Keeps the references. `begins` is called before a buffer is made, with words for what is done; it may be empty.
  KernelArguments(const LaunchPlan& plan, Programs programs, const KnownQueues& queues,
                  PlanBuffers& buffers, const StepLimit& limit,
                  const std::function<void(const std::string& part)>& begins);

  /// Binds the arguments that are new to the launch, or those of the command line in their place. Fails with the errors of
  /// all arguments, at the places of their statements: C0002, C0003, U0003, and as bind_argument() does.
  Status bind(const LaunchStep& launch);
  /// Kernel of the last bind(); null before the first.
  const KernelInfo* kernel() const { return kernel_; }
  /// One for each parameter of the kernel.
  const std::vector<BoundArgument>& bound() const { return bound_; }

  /// Swaps arguments as the step says, and those of `launch` with them.
  Status swap(const LaunchStep& step, Launch& launch);
  /// Gives the parameters' names to the buffers that they have after swaps.
  void keep_names();

 private:
  Status bind_arguments(const LaunchStep& launch, bool first_of_kernel);
  Status bind_one(const ArgumentSpec& spec, std::vector<bool>& given);
  Status bind_parameter(const ArgumentSpec& spec, std::vector<bool>& given);
  Status bind_part_of(std::size_t index, const std::string& part, const ArgumentSpec& spec);
  void bind_null(const std::vector<bool>& given);
  void share_bindings(const std::vector<bool>& given);
  void share(std::size_t from, std::size_t to);
  Diagnostics missing_arguments(const std::vector<bool>& given) const;
  Status check_parameters() const;

  const LaunchPlan& plan_;
  Programs programs_;
  std::size_t program_ = 0;  ///< the module that has `kernel_`
  const KnownQueues& queues_;
  PlanBuffers& buffers_;
  const StepLimit& limit_;
  const std::function<void(const std::string& part)>& begins_;
  const KernelInfo* kernel_ = nullptr;
  std::vector<BoundArgument> bound_;
  std::vector<bool> is_shared_;     ///< the parameter has what another one with its binding has
  std::uint32_t bound_serial_ = 0;  ///< argument statements up to here are bound
};

}  // namespace transpire::launch
