// Barriers of groups that run by turns. When no part of a group can run, the group has ended, passes a barrier, or has diverged.
#include <algorithm>

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

}  // namespace

/// Advances all groups of the unit, see advance_group().
bool Worker::advance_groups(Round& round) {
  for (std::uint32_t group = 0; group < turns_->groups.size(); ++group)
    if (!turns_->groups[group].has_ended && !advance_group(group, round)) return false;
  return true;
}

/// Advances a group if none of its parts can run: ends it, lets it pass a barrier, or records its divergence. False if the launch
/// ends there.
bool Worker::advance_group(std::uint32_t group, Round& round) {
  std::vector<Part*> parts;
  for (const std::unique_ptr<Part>& part : turns_->parts) {
    if (part->group != group) continue;
    if (part->runs) return true;
    parts.push_back(part.get());
  }
  if (!all_begun()) return true;
  round.moved = true;
  const bool done = std::all_of(parts.begin(), parts.end(), [](const Part* part) {
    return part->fiber->batch.stop == Stop::kDone;
  });
  if (turns_->groups[group].divergence.has_value()) return advance_diverged(group, parts, done);
  if (done) return end_group(group, parts);
  if (turns_->groups[group].is_released) return release_parts(parts);
  if (program_.uses_named_barrier) {
    if (release_named(parts)) return true;
    if (!met(parts) && report_named(parts)) {
      turns_->groups[group].is_released = true;
      return release_parts(parts);
    }
  }
  if (met(parts)) return pass_barrier(group, parts);
  turns_->groups[group].divergence.emplace();
  return advance_diverged(group, parts, done);
}

bool Worker::met(const std::vector<Part*>& parts) const {
  const Batch& first = parts[0]->fiber->batch;
  return std::all_of(parts.begin(), parts.end(), [&first](const Part* part) {
    const Batch& batch = part->fiber->batch;
    return batch.stop == Stop::kBarrier && batch.barrier == first.barrier &&
           same_lanes(batch.mask, part->shape.mask);
  });
}

/// Lets all parts that have not ended run on from their barriers.
void Worker::resume_parts(const std::vector<Part*>& parts) {
  for (Part* part : parts) part->runs = part->fiber->batch.stop != Stop::kDone;
}

bool Worker::pass_barrier(std::uint32_t group, const std::vector<Part*>& parts) {
  const Batch& first = parts[0]->fiber->batch;
  observer_->meets(first);
  resume_parts(parts);
  if (first.complete != nullptr && !complete_parts(parts)) return false;
  ++rounds_[group];
  return true;
}

/// Completes the group instruction at which all parts of a group wait.
bool Worker::complete_parts(const std::vector<Part*>& parts) {
  std::vector<Run> runs;
  for (const Part* part : parts)
    add_runs(part->shape, part->batch, part->fiber->batch, program_.lanes, runs);
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return std::pair(a.batch, a.lanes.begin) < std::pair(b.batch, b.lanes.begin);
  });
  std::vector<GroupPart> all;
  for (const Run& run : runs) all.push_back(run.lanes);
  return complete(*all[0].batch, {all.data(), static_cast<std::uint32_t>(all.size())});
}

/// Lets the parts pass whatever barriers they wait at.
bool Worker::release_parts(const std::vector<Part*>& parts) {
  for (const Part* part : parts)
    if (!complete_alone(part->fiber->batch, 0, program_.lanes)) return false;
  resume_parts(parts);
  return true;
}

/// Records where the parts of a diverged group stopped, and lets them run on. `done`: all have ended.
bool Worker::advance_diverged(std::uint32_t group, const std::vector<Part*>& parts, bool done) {
  Divergence& divergence = *turns_->groups[group].divergence;
  for (Part* part : parts) divergence.note(part->fiber->batch, part->open);
  return done ? end_group(group, parts) : release_parts(parts);
}

void Worker::report_divergence(std::uint32_t group) {
  std::optional<Divergence>& divergence = turns_->groups[group].divergence;
  if (!divergence.has_value()) return;
  for (const std::unique_ptr<Part>& part : turns_->parts)
    if (part->group == group) divergence->note_rest(part->fiber->batch, part->open);
  collector_.barrier_divergence(std::move(*divergence).places(), rounds_[group]);
  divergence.reset();
}

/// Reports the diverged groups of a launch that ends before they do.
void Worker::report_all_divergence() {
  if (turns_ == nullptr) return;
  for (std::uint32_t group = 0; group < turns_->groups.size(); ++group) report_divergence(group);
}

bool Worker::end_group(std::uint32_t group, const std::vector<Part*>& parts) {
  report_divergence(group);
  turns_->groups[group].has_ended = true;
  if (memory_.group_states().empty() || memory_.group_states()[group].is_clean()) return true;
  const Part& first = *parts[0];
  const std::uint32_t lane = vm::exec::lowest_lane(first.shape.mask);
  return finish_group(memory_.group_states()[group], &first.fiber->batch, lane,
                      program_.checks_sync) ||
         end_at(first.fiber->batch);
}

}  // namespace transpire::scheduler
