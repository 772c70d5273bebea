// OpenCL's memory model, for tests: whether an execution of a few accesses, atomics and fences has a data race, by the letter
// of the specification's rules (OpenCL API 2.2, "Memory Model: Memory Ordering Rules"). It knows nothing of the checker.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace transpire::test::model {

enum class Kind : std::uint8_t { kLoad, kStore, kAtomicLoad, kAtomicStore, kModify, kFence };
enum class Order : std::uint8_t { kRelaxed, kAcquire, kRelease, kBoth, kSequential };
enum class Scope : std::uint8_t { kDevice = 1, kWorkgroup = 2, kSubgroup = 3 };
enum Space : std::uint8_t { kLocal, kGlobal };
inline constexpr Space kSpaces[] = {kLocal, kGlobal};

/// Where the work-item of a thread is.
struct Thread {
  std::uint32_t item = 0, group = 0, subgroup = 0;
};

struct Event {
  std::uint32_t thread = 0;  ///< index into Execution::threads
  Kind kind = Kind::kLoad;
  std::uint32_t object = 0;  ///< its number within its space
  Space space = kGlobal;
  Order order = Order::kRelaxed;
  Scope scope = Scope::kDevice;
  bool or_workgroup = false;     ///< that scope, or the work-group's
  std::array<bool, 2> fences{};  ///< of a fence: by Space, whether it has the flag

  bool is_atomic() const {
    return kind != Kind::kLoad && kind != Kind::kStore && kind != Kind::kFence;
  }
  bool writes() const {
    return kind == Kind::kStore || kind == Kind::kAtomicStore || kind == Kind::kModify;
  }
  bool reads() const {
    return kind == Kind::kLoad || kind == Kind::kAtomicLoad || kind == Kind::kModify;
  }
  bool releases() const {
    const bool may = kind == Kind::kAtomicStore || kind == Kind::kModify || kind == Kind::kFence;
    return may && order >= Order::kRelease;
  }
  bool acquires() const {
    const bool may = kind == Kind::kAtomicLoad || kind == Kind::kModify || kind == Kind::kFence;
    return may && order != Order::kRelaxed && order != Order::kRelease;
  }
};

/// Events in the order in which they were executed, one after the other: each read sees the last write.
struct Execution {
  std::vector<Thread> threads;
  std::vector<Event> events;
};

class Verdict {
 public:
  explicit Verdict(const Execution& execution)
      : threads_(execution.threads), events_(execution.events), count_(events_.size()) {
    for (const Space space : kSpaces) before_[space].assign(count_ * count_, false);
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = 0; b < count_; ++b) {
        if (a < b && events_[a].thread == events_[b].thread)
          before_[kLocal][a * count_ + b] = before_[kGlobal][a * count_ + b] = true;
        synchronise(a, b);
      }
    for (const Space space : kSpaces) close(before_[space]);
  }

  bool races() const { return race().has_value(); }
  /// Two events that race.
  std::optional<std::pair<std::size_t, std::size_t>> race() const {
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = a + 1; b < count_; ++b)
        if (conflicts(a, b)) return std::pair(a, b);
    return std::nullopt;
  }

 private:
  /// Each group has local memory of its own.
  bool same_object(const Event& a, const Event& b) const {
    return a.kind != Kind::kFence && b.kind != Kind::kFence && a.object == b.object &&
           a.space == b.space &&
           (a.space == kGlobal || threads_[a.thread].group == threads_[b.thread].group);
  }

  /// Of accesses to local memory no scope is wider than the work-group.
  bool inclusive(const Event& a, const Event& b, Space object) const {
    const auto scope = [object](const Event& event) {
      return object == kLocal ? std::max(event.scope, Scope::kWorkgroup) : event.scope;
    };
    const Thread &x = threads_[a.thread], &y = threads_[b.thread];
    const auto hold_both = [&](Scope of_a, Scope of_b) {
      if (of_a != of_b) return false;
      if (of_a == Scope::kDevice) return true;
      return x.group == y.group && (of_a == Scope::kWorkgroup || x.subgroup == y.subgroup);
    };
    return hold_both(scope(a), scope(b)) ||
           (a.or_workgroup && hold_both(Scope::kWorkgroup, scope(b))) ||
           (b.or_workgroup && hold_both(scope(a), Scope::kWorkgroup));
  }

  /// Whether `read` takes its value from the (hypothetical) release sequence that `head`, a write, heads.
  bool reads_from(std::size_t head, std::size_t read) const {
    if (!events_[head].writes() || !events_[read].reads() || read <= head ||
        !same_object(events_[head], events_[read]))
      return false;
    for (std::size_t i = head + 1; i < read; ++i) {
      const Event& event = events_[i];
      if (!event.writes() || !same_object(event, events_[head])) continue;
      if (event.kind != Kind::kModify && event.thread != events_[head].thread) return false;
    }
    return true;
  }

  /// The atomics through which an event may release: itself, or those behind a fence; likewise acquire.
  std::vector<std::size_t> through(std::size_t at, bool release) const {
    if (events_[at].kind != Kind::kFence) return {at};
    std::vector<std::size_t> atomics;
    for (std::size_t i = 0; i < count_; ++i) {
      const Event& event = events_[i];
      if (event.thread == events_[at].thread && event.is_atomic() && (release ? i > at : i < at) &&
          events_[at].fences[event.space])
        atomics.push_back(i);
    }
    return atomics;
  }

  void synchronise(std::size_t a, std::size_t b) {
    const Event &from = events_[a], &to = events_[b];
    if (from.thread == to.thread || !from.releases() || !to.acquires()) return;
    const bool fences = from.kind == Kind::kFence && to.kind == Kind::kFence;
    const auto has_both = [](const Event& event) { return event.fences[0] && event.fences[1]; };
    const bool both = (from.order == Order::kSequential && to.order == Order::kSequential) ||
                      (fences && has_both(from) && has_both(to));
    for (const std::size_t x : through(a, true))
      for (const std::size_t y : through(b, false)) {
        const Space object = events_[x].space;
        if (!reads_from(x, y) || !inclusive(from, to, object)) continue;
        before_[object][a * count_ + b] = true;
        if (both) before_[1 - object][a * count_ + b] = true;
      }
  }

  void close(std::vector<bool>& before) const {
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t i = 0; i < count_; ++i)
        for (std::size_t j = 0; before[i * count_ + k] && j < count_; ++j)
          if (before[k * count_ + j]) before[i * count_ + j] = true;
  }

  bool conflicts(std::size_t a, std::size_t b) const {
    const Event &x = events_[a], &y = events_[b];
    if (x.thread == y.thread || !same_object(x, y) || (!x.writes() && !y.writes())) return false;
    if (x.is_atomic() && y.is_atomic() && inclusive(x, y, x.space)) return false;
    const auto& before = before_[x.space];
    return !before[a * count_ + b] && !before[b * count_ + a];
  }

  const std::vector<Thread>& threads_;
  const std::vector<Event>& events_;
  std::size_t count_;
  std::array<std::vector<bool>, 2> before_;  ///< happens-before, by Space: of each pair
};

}  // namespace transpire::test::model
