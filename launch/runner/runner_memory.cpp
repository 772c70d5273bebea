// Queues and memory that a plan declares before its first launch: see launch/runner/runner.h.
#include <fmt/format.h>

#include "launch/report/diagnose.h"
#include "launch/runner/runner.h"

namespace transpire::launch {
bool Runner::make_queues() {
  auto queues = queues_of(plan_);
  if (!queues) {
    verdict_.refuse(located(queues.errors(), {}, plan_.input));
    return false;
  }
  queues_ = std::move(queues).value();
  return true;
}

bool Runner::make_declared_buffers() {
  buffers_.emplace(*module_, *device_, max_bytes_, clock_.limit());
  writers_.emplace(*module_);
  arguments_.emplace(plan_, *module_, queues_, *buffers_, clock_.limit(), overrides_.begins);
  outputs_.emplace(*buffers_, clock_.limit(), report_);
  expectations_.emplace(plan_, overrides_, settings_, *buffers_, *writers_, results_,
                        clock_.limit());
  if (const Status made = buffers_->make_shared(plan_.buffers, settings_.shared_base); !made) {
    verdict_.refuse(made.errors());
    return false;
  }
  // In JSON a slice may come before its buffer, so slices are declared last.
  std::size_t count = 0;
  for (const bool slices : {false, true}) {
    for (const BufferSpec& spec : plan_.buffers) {
      if ((spec.kind == BufferSpec::Kind::kSlice) != slices) continue;
      begins(fmt::format("setting up buffer '{}', {} of {}", spec.name, ++count,
                         plan_.buffers.size()));
      const Status made = within_limit(fmt::format("buffer '{}' was made", spec.name),
                                       [&] { return buffers_->declare(spec); });
      if (!made) {
        verdict_.refuse(placed(made.errors(), spec.where));
        return false;
      }
    }
  }
  return true;
}

}  // namespace transpire::launch
