// Liveness of registers along control flow, and from it where waiting lanes need them.
#include "vm/emit/lifetimes.h"

#include <algorithm>

namespace transpire::vm::emission {
namespace {

/// Blocks visited for all registers together: bounds the time that huge kernels take.
constexpr std::uint64_t kMaxWork = 1u << 22;

bool begins_before(const Segment& a, const Segment& b) { return a.from < b.from; }

/// Joins those that meet. They are in the order of their beginnings.
void join(SegmentList* segments) {
  if (segments->empty()) return;
  std::size_t last = 0;
  for (std::size_t i = 1; i < segments->size(); ++i) {
    const Segment s = (*segments)[i];
    if (s.from <= (*segments)[last].to + 1) {
      (*segments)[last].to = std::max((*segments)[last].to, s.to);
    } else {
      (*segments)[++last] = s;
    }
  }
  segments->resize(last + 1);
}

}  // namespace

void tidy(SegmentList* segments) {
  std::sort(segments->begin(), segments->end(), begins_before);
  join(segments);
}

void unite(SegmentList* segments, const SegmentList& more) {
  const auto middle = segments->insert(segments->end(), more.begin(), more.end());
  const bool both = middle != segments->begin() && middle != segments->end();
  if (both && begins_before(*middle, middle[-1]))
    std::inplace_merge(segments->begin(), middle, segments->end(), begins_before);
  join(segments);
}

bool needed_across(const SegmentList& segments, Position write) {
  const auto after = std::upper_bound(segments.begin(), segments.end(), write,
                                      [](Position p, const Segment& s) { return p < s.from; });
  return after != segments.begin() && (after - 1)->to > write;
}

LifetimeAnalysis::LifetimeAnalysis(const LinearOrder& order,
                                   const std::vector<BlockPositions>& positions)
    : order_(order),
      positions_(positions),
      preds_(order.blocks.size()),
      work_left_(kMaxWork),
      states_(order.blocks.size()) {
  for (std::uint32_t n = 0; n < order.blocks.size(); ++n) {
    for (const std::uint32_t target : order.blocks[n].targets) {
      auto& preds = preds_[target];
      if (preds.empty() || preds.back() != n) preds.push_back(n);
    }
  }
  find_first_runners();
}

/// The lowest waiting block runs. Lanes that came to block q from p therefore see the blocks
/// between the two run, for other lanes; and where p is in a loop that q is behind, the whole loop,
/// again and again. Lanes that go back to a loop's header never wait for it: the latch is the
/// loop's last block, so nobody waits at a lower one.
void LifetimeAnalysis::find_first_runners() {
  first_runner_.resize(preds_.size());
  for (std::uint32_t q = 0; q < preds_.size(); ++q) {
    first_runner_[q] = q;
    for (const std::uint32_t p : preds_[q]) {
      if (p >= q) continue;
      std::uint32_t first = p + 1;
      for (std::uint32_t c = order_.loop_of[p]; c != kNoLoop && order_.loops[c].last < q;
           c = order_.loops[c].parent)
        first = order_.loops[c].first;
      first_runner_[q] = std::min(first_runner_[q], first);
    }
  }
}

LifetimeAnalysis::State& LifetimeAnalysis::touch(std::uint32_t block) {
  State& state = states_[block];
  if (state.round != round_) {
    state = State{};
    state.round = round_;
    touched_.push_back(block);
  }
  return state;
}

/// The register's events in their order, each block's in its state.
void LifetimeAnalysis::sort_events(const Events& events) {
  events_.clear();
  // Copies of an edge are made at once: what they read they read before any is made.
  for (const Position use : events.uses) events_.push_back({use & ~Position{1}, true});
  for (const Position definition : events.definitions) events_.push_back({definition, false});
  std::sort(events_.begin(), events_.end(),
            [](const Event& a, const Event& b) { return a.at < b.at; });
  for (std::uint32_t i = 0; i < events_.size(); ++i) {
    State& state = touch(block_at(positions_, events_[i].at));
    if (state.event_count++ == 0) state.first_event = i;
  }
}

/// From every block that reads the register before it defines it back to the definitions.
bool LifetimeAnalysis::flow_back() {
  std::vector<std::uint32_t> work;
  for (const std::uint32_t block : touched_) {
    State& state = states_[block];
    state.live_in = events_[state.first_event].is_use;
    if (state.live_in) work.push_back(block);
  }
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    for (const std::uint32_t pred : preds_[block]) {
      if (work_left_ == 0) return false;
      --work_left_;
      State& state = touch(pred);
      state.live_out = true;
      // A block with events is live in or not by the first of them, as far as a definition follows.
      const auto first = events_.begin() + state.first_event;
      const bool defined = std::any_of(first, first + state.event_count,
                                       [](const Event& event) { return !event.is_use; });
      if (defined || state.live_in) continue;
      state.live_in = true;
      work.push_back(pred);
    }
  }
  return true;
}

void LifetimeAnalysis::write_segments(std::uint32_t block, Lifetime* lifetime) const {
  const BlockPositions& b = positions_[block];
  const State& state = states_[block];
  // Backwards: `end` is the last position up to which the register is needed, 0 when it is not.
  Position end = state.live_out ? b.last + 1 : 0;
  for (std::uint32_t i = state.event_count; i-- > 0;) {
    const Event& event = events_[state.first_event + i];
    if (event.is_use) {
      end = std::max(end, event.at);
    } else {
      if (end != 0) lifetime->live.push_back({event.at, end});
      end = 0;
    }
  }
  if (!state.live_in) return;
  lifetime->live.push_back({b.first, end});
  const std::uint32_t runner = first_runner_[block];
  if (runner < block)
    lifetime->held.push_back({positions_[runner].first, positions_[block - 1].last + 1});
}

bool LifetimeAnalysis::find(const Events& events, Lifetime* lifetime) {
  ++round_;
  touched_.clear();
  sort_events(events);
  if (!flow_back()) return false;
  for (const std::uint32_t block : touched_) write_segments(block, lifetime);
  tidy(&lifetime->live);
  tidy(&lifetime->held);
  return true;
}

}  // namespace transpire::vm::emission
