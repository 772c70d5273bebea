// The C interface: queues, and what kernels enqueued.
#include <algorithm>

#include "c_api/c_api.h"

namespace transpire::c_api {
namespace {

static_assert(static_cast<int>(ChildLaunch::End::kCompleted) == TRANSPIRE_CHILD_COMPLETED);
static_assert(static_cast<int>(ChildLaunch::End::kRefused) == TRANSPIRE_CHILD_REFUSED);
static_assert(static_cast<int>(ChildLaunch::End::kStopped) == TRANSPIRE_CHILD_STOPPED);

/// `earlier`: those that stand before it, who enqueued it among them.
const transpire_child* child_in(Arena& arena, const ChildLaunch& from,
                                const std::vector<const transpire_child*>& earlier) {
  transpire_child child{};
  child.kernel = from.kernel.c_str();
  if (from.parent != ChildLaunch::kLaunch) child.parent = earlier[from.parent];
  std::ranges::copy(from.enqueued_by, child.enqueued_by);
  child.file = from.source.file.c_str();
  child.line = from.source.line;
  child.column = from.source.column;
  child.dimensions = from.dimensions;
  std::ranges::copy(from.global_size, child.global_size);
  std::ranges::copy(from.local_size, child.local_size);
  std::ranges::copy(from.global_offset, child.global_offset);
  child.end = static_cast<transpire_child_end>(from.end);
  child.seconds = from.seconds;
  child.findings = from.findings;
  return &arena.keep(child);
}

}  // namespace

transpire_children children_in(Arena& arena, const LaunchResult& result) {
  std::vector<const transpire_child*> children;
  for (const ChildLaunch& child : result.children)
    children.push_back(child_in(arena, child, children));
  transpire_children told{};
  told.child_count = children.size();
  told.children = arena.keep(std::move(children)).data();
  told.enqueued = result.child_count;
  told.seconds = result.child_seconds;
  return told;
}

}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;

transpire_status transpire_launch_set_queue(transpire_launch* launch, size_t index,
                                            transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&] {
    return c_api::set_argument(*launch, index, [] { return Argument::queue(); });
  });
}

transpire_status transpire_result_get_children(const transpire_result* result,
                                               const transpire_children** children,
                                               transpire_error** error) {
  return guarded(__func__, error, {{"result", result}, {"children", children}}, [&]() -> Status {
    *children = &result->children;
    return Unit{};
  });
}
