#include "runtime/instruments.h"

#include "analysis/handle_use.h"
#include "races/race.h"
#include "runtime/memory_use.h"
#include "runtime/overlapping_buffers.h"
#include "runtime/result_log.h"
#include "runtime/store_log.h"
#include "runtime/watch_observer.h"
#include "runtime/watched_run.h"

namespace transpire::runtime {
namespace {

std::uint64_t check_bytes(const Instrumented& of) {
  return of.launch.limits.max_check_bytes / (of.notes_use ? 2 : 1);
}

races::RaceOptions race_options(const Instrumented& of) {
  return {.same_value = of.launch.check_same_value,
          .global_orders_images = analysis::lacks_image_fences(of.launch.module.state()->module),
          .max_bytes = check_bytes(of),
          .shared = overlapping_ranges(of.memory.space())};
}

class RaceInstrument final : public Instrument {
 public:
  explicit RaceInstrument(const Instrumented& of)
      : checker_(*of.prepared.program, of.prepared.plan.ids(), race_options(of)) {}
  vm::Observer& observer() override { return checker_; }
  void finish(LaunchResult& result) override {
    if (checker_.gave_up()) report_unchecked(without_memory("race"), result.findings);
  }

 private:
  races::RaceChecker checker_;
};

/// Notes the launch's accesses to memory that outlives it.
class UseInstrument final : public Instrument {
 public:
  explicit UseInstrument(const Instrumented& of)
      : of_(of),
        use_(std::make_shared<MemoryUseState>(of.prepared.program->uses_queue || of.part != nullptr,
                                              check_bytes(of))),
        recorder_(*of.prepared.program, of.prepared.plan.ids(), of.queue, use_->footprint) {}
  vm::Observer& observer() override { return recorder_; }
  void finish(LaunchResult& result) override {
    if (use_->footprint.gave_up()) report_unchecked(without_memory("race"), result.findings);
    use_->module = of_.launch.module.state();
    use_->program = of_.prepared.program;
    use_->variables = of_.prepared.module;
    use_->kernel = of_.launch.kernel;
    use_->ids = of_.prepared.plan.ids();
    if (of_.part != nullptr) use_->part = *of_.part;
    use_->ranges = ranges_of(of_.memory.space(), of_.launch);
    result.memory_uses.emplace_back(std::move(use_));
  }

 private:
  const Instrumented of_;
  std::shared_ptr<MemoryUseState> use_;
  races::FootprintRecorder recorder_;
};

class ResultInstrument final : public Instrument {
 public:
  explicit ResultInstrument(const Instrumented& of)
      : sink_(*of.launch.results->state(), of.memory.space(), *of.prepared.program) {}
  vm::Observer& observer() override { return sink_; }

 private:
  ResultSink sink_;
};

class StoreInstrument final : public Instrument {
 public:
  explicit StoreInstrument(const Instrumented& of)
      : sink_(*of.launch.stores->state(), *of.prepared.program, of.launch.module.state()->places(),
              of.part) {}
  vm::Observer& observer() override { return sink_; }
  void finish(LaunchResult& /*result*/) override { sink_.hand_over(); }

 private:
  StoreSink sink_;
};

/// Keeps the memory that a launch of a WatchedRun is about to change, so that the run can go back. Unlike the watch, this observer is
/// called until the last store of a launch that ends early.
class KeepInstrument final : public Instrument, private vm::Observer {
 public:
  explicit KeepInstrument(const Instrumented& of) : of_(of), gate_(*WatchGate::of(of.launch)) {}
  vm::Observer& observer() override { return *this; }
  void begin() override {
    if (!of_.is_child) gate_.enter(of_);
  }

 private:
  void access(const vm::exec::Batch& /*batch*/, const vm::ObservedAccess& access) override {
    const vm::HostPlace& place = access.place;
    if (vm::does_write(access.kind) && !place.is_private && !place.is_workgroup)
      gate_.before_change(place.base, access.bytes);
  }

  const Instrumented of_;
  WatchGate& gate_;
};

class WatchInstrument final : public Instrument {
 public:
  explicit WatchInstrument(const Instrumented& of)
      : of_(of),
        sink_(
            *of.launch.watch,
            {*of.prepared.program, of.launch.module.state()->places(), of.memory.space(), of.part},
            launch_of(of)) {}
  vm::Observer& observer() override { return sink_; }
  void begin() override {
    if (of_.part == nullptr || of_.part->is_first) sink_.launch_begins();
  }
  /// A part that completes leaves the end of the launch to the next one.
  void finish(LaunchResult& result) override {
    const bool is_end = result.end != LaunchResult::End::kCompleted;
    if (is_end || of_.part == nullptr || of_.part->is_last) sink_.launch_ends();
    if (!sink_.goes_on() && result.end == LaunchResult::End::kCompleted)
      result.end = LaunchResult::End::kCancelled;
  }

 private:
  static WatchLaunch launch_of(const Instrumented& of) {
    const vm::exec::LaunchIds& ids = of.prepared.plan.ids();
    findings::Part all;
    std::copy_n(ids.global_size, 3, all.global_size.begin());
    std::copy_n(ids.enqueued_local_size, 3, all.local_size.begin());
    WatchLaunch launch = whole_launch(of.launch.kernel, of.part == nullptr ? all : *of.part);
    launch.is_child = of.is_child;
    return launch;
  }

  const Instrumented of_;
  WatchObserver sink_;
};

/// An instrument, and the launches that ask for it.
struct Row {
  bool (*is_wanted)(const Instrumented& of);
  std::unique_ptr<Instrument> (*make)(const Instrumented& of);
};

template <class T>
std::unique_ptr<Instrument> make(const Instrumented& of) {
  return std::make_unique<T>(of);
}

constexpr Row kRows[] = {
    // Before the watch, which may hold the launch up.
    {[](const Instrumented& of) { return WatchGate::of(of.launch) != nullptr; },
     make<KeepInstrument>},
    {[](const Instrumented& of) { return of.launch.watch != nullptr; }, make<WatchInstrument>},
    {[](const Instrumented& of) { return of.launch.looks_for_races(); }, make<RaceInstrument>},
    {[](const Instrumented& of) { return of.notes_use; }, make<UseInstrument>},
    {[](const Instrumented& of) { return of.launch.results.has_value(); }, make<ResultInstrument>},
    {[](const Instrumented& of) { return of.launch.stores.has_value(); }, make<StoreInstrument>},
};

}  // namespace

std::vector<std::unique_ptr<Instrument>> make_instruments(const Instrumented& of) {
  std::vector<std::unique_ptr<Instrument>> made;
  for (const Row& row : kRows)
    if (row.is_wanted(of)) made.push_back(row.make(of));
  return made;
}

}  // namespace transpire::runtime
