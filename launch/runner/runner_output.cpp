// Outputs of a run: see launch/runner/runner.h.
#include <algorithm>

#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/runner.h"

namespace transpire::launch {

/// Checks that elements fit the files of the outputs behind a launch. Swapped buffers are checked only when they are written.
Status Runner::check_outputs(const LaunchStep& launch) const {
  const auto is_swapped = [&](const std::string& name) {
    return std::ranges::any_of(launch.swaps, [&](const auto& swap) {
      const auto first = find_parameter(*arguments_->kernel(), swap.first);
      const auto second = find_parameter(*arguments_->kernel(), swap.second);
      const auto mine = find_parameter(*arguments_->kernel(), name);
      return mine && ((first && *first == *mine) || (second && *second == *mine));
    });
  };
  for (std::size_t i = steps_begun_; i < plan_.steps.size(); ++i) {
    if (std::holds_alternative<LaunchStep>(plan_.steps[i])) break;
    const auto* const output = std::get_if<OutputStep>(&plan_.steps[i]);
    if (output == nullptr || is_swapped(output->buffer)) continue;
    const Status fits = outputs_->check(*output);
    if (!fits) return located(fits.errors(), output->where, plan_.input);
  }
  return Unit{};
}

Status Runner::step(const OutputStep& output) {
  if (was_left_out(output.buffer)) return Unit{};
  const Status done = outputs_->write(output);
  if (!done) return located(done.errors(), output.where, plan_.input);
  return done;
}

}  // namespace transpire::launch
