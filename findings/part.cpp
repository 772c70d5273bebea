#include "findings/part.h"

#include <cstddef>
#include <utility>

namespace transpire::findings {

vm::exec::WorkItem in_whole(vm::exec::WorkItem item, const Part* part) {
  for (std::size_t d = 0; part != nullptr && d < 3; ++d) {
    item.global_id[d] += part->first_item[d];
    item.group_id[d] += part->first_group[d];
  }
  return item;
}

scheduler::Finding in_whole(scheduler::Finding found, const Part& part) {
  const auto shift = [&part](vm::exec::WorkItem& item) { item = in_whole(item, &part); };
  shift(found.first);
  if (found.other) shift(found.other->item);
  for (vm::exec::Related& related : found.related) shift(related.item);
  for (scheduler::Waiting& waiting : found.waiting) shift(waiting.first);
  return found;
}

}  // namespace transpire::findings
