// Barriers of groups that run by turns. When no part of a group can run, the group has ended, passes a barrier, or has diverged.
#include <algorithm>

#include "scheduler/named_barriers.h"
#include "scheduler/turns.h"
#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::GroupPart;
using vm::exec::Stop;

/// Consecutive lanes of a part.
struct Run {
  std::uint32_t batch;
  GroupPart lanes;
};

void add_runs(const BatchShape& shape, std::uint32_t number, Batch& batch, std::uint32_t lanes,
              std::vector<Run>& runs) {
  const auto has = [&shape](std::uint32_t lane) { return vm::exec::has_lane(shape.mask, lane); };
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (!has(lane)) continue;
    const std::uint32_t begin = lane;
    while (lane < lanes && has(lane)) ++lane;
    runs.push_back({number, {&batch, begin, lane}});
  }
}

/// True if all parts wait at the same barrier, with all their work-items.
bool met(const std::vector<Part*>& parts) {
  const Batch& first = parts[0]->fiber->batch;
  return std::ranges::all_of(parts, [&first](const Part* part) {
    const Batch& batch = part->fiber->batch;
    return batch.stop == Stop::kBarrier && batch.barrier == first.barrier &&
           same_lanes(batch.mask, part->shape.mask);
  });
}

/// Lets all parts that have not ended run on from their barriers.
void resume_parts(const std::vector<Part*>& parts) {
  for (Part* part : parts) part->runs = part->fiber->batch.stop != Stop::kDone;
}

}  // namespace

/// Advances all groups of the unit, see advance_group().
bool Turns::advance_groups(Round& round) {
  for (std::uint32_t group = 0; group < groups_.size(); ++group)
    if (!groups_[group].has_ended && !advance_group(group, round)) return false;
  return true;
}

/// Advances a group if none of its parts can run: ends it, lets it pass a barrier, or records its divergence. False if the launch
/// ends there.
bool Turns::advance_group(std::uint32_t group, Round& round) {
  std::vector<Part*> parts;
  for (const std::unique_ptr<Part>& part : parts_) {
    if (part->group != group) continue;
    if (part->runs) return true;
    parts.push_back(part.get());
  }
  if (!all_begun()) return true;
  round.moved = true;
  const bool done = std::all_of(parts.begin(), parts.end(), [](const Part* part) {
    return part->fiber->batch.stop == Stop::kDone;
  });
  if (groups_[group].divergence.has_value()) return advance_diverged(group, parts, done);
  if (done) return end_group(group, parts);
  if (groups_[group].is_released) return release_parts(parts);
  if (run_.program.uses_named_barrier) {
    if (release_named(run_, parts)) return true;
    if (!met(parts) && report_named(run_, parts)) {
      groups_[group].is_released = true;
      return release_parts(parts);
    }
  }
  if (met(parts)) return pass_barrier(group, parts);
  groups_[group].divergence.emplace();
  return advance_diverged(group, parts, done);
}

bool Turns::pass_barrier(std::uint32_t group, const std::vector<Part*>& parts) {
  const Batch& first = parts[0]->fiber->batch;
  run_.observer->meets(first);
  resume_parts(parts);
  if (first.complete != nullptr && !complete_parts(parts)) return false;
  ++run_.rounds[group];
  return true;
}

/// Completes the group instruction at which all parts of a group wait.
bool Turns::complete_parts(const std::vector<Part*>& parts) {
  std::vector<Run> runs;
  for (const Part* part : parts)
    add_runs(part->shape, part->batch, part->fiber->batch, run_.program.lanes, runs);
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return std::pair(a.batch, a.lanes.begin) < std::pair(b.batch, b.lanes.begin);
  });
  std::vector<GroupPart> all;
  for (const Run& run : runs) all.push_back(run.lanes);
  return run_.complete(*all[0].batch, {all.data(), static_cast<std::uint32_t>(all.size())});
}

/// Lets the parts pass whatever barriers they wait at.
bool Turns::release_parts(const std::vector<Part*>& parts) {
  for (const Part* part : parts)
    if (!run_.complete_alone(part->fiber->batch, 0, run_.program.lanes)) return false;
  resume_parts(parts);
  return true;
}

/// Records where the parts of a diverged group stopped, and lets them run on. `done`: all have ended.
bool Turns::advance_diverged(std::uint32_t group, const std::vector<Part*>& parts, bool done) {
  Divergence& divergence = *groups_[group].divergence;
  for (Part* part : parts) divergence.note(part->fiber->batch, part->open);
  return done ? end_group(group, parts) : release_parts(parts);
}

void Turns::report_divergence(std::uint32_t group) {
  std::optional<Divergence>& divergence = groups_[group].divergence;
  if (!divergence.has_value()) return;
  for (const std::unique_ptr<Part>& part : parts_)
    if (part->group == group) divergence->note_rest(part->fiber->batch, part->open);
  run_.collector.barrier_divergence(std::move(*divergence).places(), run_.rounds[group]);
  divergence.reset();
}

void Turns::report_all_divergence() {
  for (std::uint32_t group = 0; group < groups_.size(); ++group) report_divergence(group);
}

bool Turns::end_group(std::uint32_t group, const std::vector<Part*>& parts) {
  report_divergence(group);
  groups_[group].has_ended = true;
  const Part& first = *parts[0];
  return run_.finish_group(group, first.fiber->batch, vm::exec::lowest_lane(first.shape.mask));
}

}  // namespace transpire::scheduler
