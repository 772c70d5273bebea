// Execution: distributes a launch over threads. The calling thread works alone, works with helpers, or supervises helpers.
#include "scheduler/launch.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <stdexcept>

#include "scheduler/stop_switch.h"
#include "scheduler/worker.h"

namespace transpire::scheduler {
namespace {

using Clock = std::chrono::steady_clock;

/// Waking a sleeping thread takes some 10 microseconds here; below this time a launch gains
/// nothing.
constexpr double kWorthHelpNs = 30'000;

/// Period of the supervisor's calls of the progress function. It is also the longest delay before batches see a
/// cancellation.
constexpr std::chrono::milliseconds kProgressPeriod{1};

/// A row instruction takes between 1 and 20 ns.
constexpr double kInstructionNs = 5;

/// Estimates the time of a unit before one was measured; 0 if the program has a loop, which nothing bounds.
double estimate_unit_ns(const vm::Program& program, const GeometryPlan& geometry) {
  if (program.has_loop) return 0;
  return static_cast<double>(program.code.size()) * kInstructionNs * geometry.max_batches();
}

}  // namespace

/// One launch in progress. Worker 0 is the calling thread's unless it supervises.
class Execution final : public ThreadPool::Job {
 public:
  Execution(const LaunchSpec& spec, Team& team)
      : spec_(spec), team_(team), control_(spec, team.geometry().unit_count(), worker_count(team)) {
    if (team.program().keeps_notes)
      control_.notes = std::make_unique<vm::exec::LaunchNotes>(
          spec.memory->map(), team.program(), spec.arguments, spec.limits.max_check_bytes);
    if (team.program().tracks_undefined())
      control_.undefined = std::make_unique<vm::exec::UndefinedNotes>();
    supervised_ = spec.limits.timeout_seconds > 0 || spec.progress != nullptr;
    std::fill(team.took_part_.begin(), team.took_part_.end(), 0);
  }

  void run(unsigned helper) override { work(supervised_ ? helper : helper + 1); }

  Outcome run_all(ThreadPool& pool) {
    const Clock::time_point start = spec_.begun ? *spec_.begun : Clock::now();
    if (team_.program().uses_pipes) begin_pipes();
    {
      const StopSwitch::Guard guard(spec_.stop, control_);
      if (supervised_)
        supervise(pool, start);
      else
        cooperate(pool, start);
    }
    return outcome();
  }

 private:
  static unsigned worker_count(const Team& team) {
    const std::uint64_t units = team.geometry().unit_count();
    return static_cast<unsigned>(std::min<std::uint64_t>(team.threads(), units));
  }

  /// Starts helpers and, when it is destroyed, waits until they have finished; an exception cancels the launch first.
  struct Help {
    Help(Execution& job, ThreadPool& helpers, unsigned count) : execution(job), pool(helpers) {
      has_threads = pool.start(execution, count);
    }
    ~Help() {
      if (std::uncaught_exceptions() > exceptions)
        execution.control_.stop_because(LaunchResult::End::kCancelled);
      pool.finish(execution);
    }
    Execution& execution;
    ThreadPool& pool;
    int exceptions = std::uncaught_exceptions();
    bool has_threads = false;
  };

  void work(unsigned number) {
    std::unique_ptr<Worker>& worker = team_.workers_[number];
    try {
      if (worker == nullptr)
        worker = std::make_unique<Worker>(team_.program_, team_.geometry_, team_.workgroup_bytes_);
      worker->run(control_);
      team_.took_part_[number] = 1;
    } catch (const std::bad_alloc&) {  // an exception must not leave a helper's thread
      run_out();
    } catch (const std::length_error&) {
      run_out();
    }
  }

  void run_out() {
    out_of_memory_.store(true);
    control_.stop_because(LaunchResult::End::kCancelled);
  }

  void cooperate(ThreadPool& pool, Clock::time_point start) {
    const unsigned helpers = wants_help() ? worker_count(team_) - 1 : 0;
    if (helpers == 0) {
      work(0);
    } else {
      const Help help(*this, pool, helpers);
      work(0);
    }
    measure(start, helpers + 1);
  }

  bool wants_help() const {
    if (control_.units.units() < 2 || team_.threads() < 2) return false;
    return team_.unit_ns_ == 0 ||
           team_.unit_ns_ * static_cast<double>(control_.units.units()) > kWorthHelpNs;
  }

  void measure(Clock::time_point start, unsigned workers) {
    seconds_ = seconds_since(start);
    team_.unit_ns_ = seconds_ * 1e9 * workers / static_cast<double>(control_.units.units());
  }

  void supervise(ThreadPool& pool, Clock::time_point start) {
    {
      const Help help(*this, pool, worker_count(team_));
      if (!help.has_threads) throw std::bad_alloc();  // no thread would run the launch
      while (!pool.wait(*this, next_look(start))) {
        const double timeout = spec_.limits.timeout_seconds;
        if (timeout > 0 && seconds_since(start) >= timeout)
          control_.stop_because(LaunchResult::End::kTimeLimit);
        report_progress();
      }
    }
    report_progress();
    seconds_ = seconds_since(start);
  }

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// Time until the supervisor's next look at the launch.
  std::chrono::nanoseconds next_look(Clock::time_point start) const {
    const double timeout = spec_.limits.timeout_seconds;
    if (timeout <= 0) return kProgressPeriod;
    const double left = std::clamp(timeout - seconds_since(start), 0.0, 1.0);
    const auto until_timeout = std::chrono::nanoseconds(static_cast<std::int64_t>(left * 1e9) + 1);
    if (spec_.progress == nullptr) return until_timeout;
    return std::min<std::chrono::nanoseconds>(kProgressPeriod, until_timeout);
  }

  void report_progress() {
    if (spec_.progress == nullptr || !*spec_.progress) return;
    const GeometryPlan& geometry = team_.geometry();
    const std::uint64_t total = geometry.group_count();
    std::uint64_t done = control_.done.load(std::memory_order_relaxed);
    if (geometry.flowing())  // batches done, converted to groups as if batches ran in order
      done = std::min(done * geometry.lanes() / geometry.full_items(), total);
    if (spec_.executing != nullptr) (*spec_.executing)(control_.instructions());
    if (!(*spec_.progress)(done, total) && done < total)
      control_.stop_because(LaunchResult::End::kCancelled);
  }

  void begin_pipes() {
    for (const memory::Allocation* allocation : spec_.memory->pipes()) {
      if (allocation->pipe == nullptr) continue;
      const auto lock = allocation->pipe->lock();
      allocation->pipe->begin(spec_.memory->map().launch, spec_.reservation_bytes);
    }
  }

  /// Reports reservations that the kernel did not commit, unless the launch was ended early and might have done so.
  void finish_pipes(Collector& findings, bool completed) {
    findings.begin(spec_.memory, &control_.findings, 0);
    const std::uint64_t launch = spec_.memory->map().launch;
    for (const memory::Allocation* allocation : spec_.memory->pipes()) {
      if (allocation->pipe == nullptr) continue;
      const auto lock = allocation->pipe->lock();
      allocation->pipe->finish(launch, [&](const memory::PipeUser& user) {
        if (completed) findings.left_open(*allocation, user, team_.geometry().ids());
      });
    }
  }

  Outcome outcome() {
    if (out_of_memory_.load()) throw std::bad_alloc();
    Outcome result;
    result.end = control_.end.load();
    result.seconds = seconds_;
    result.notes_gave_up = control_.notes != nullptr && control_.notes->gave_up();
    // A launch that was told to stop after its last unit has completed.
    const GeometryPlan& geometry = team_.geometry();
    if (control_.done.load() ==
        (geometry.flowing() ? geometry.unit_count() : geometry.group_count()))
      result.end = LaunchResult::End::kCompleted;
    if (result.end == LaunchResult::End::kCompleted && control_.findings.reached())
      result.end = LaunchResult::End::kTooManyFindings;
    std::vector<Collector*> collectors;
    std::optional<Collector> at_end;
    if (team_.program().uses_pipes) {
      finish_pipes(at_end.emplace(), result.end == LaunchResult::End::kCompleted);
      if (!at_end->empty()) collectors.push_back(&*at_end);
    }
    for (unsigned i = 0; i < team_.threads(); ++i) {
      if (team_.took_part_[i] == 0) continue;
      result.instructions += team_.workers_[i]->instructions();
      const std::vector<std::uint64_t>& executed = team_.workers_[i]->executed();
      result.executed.resize(std::max(result.executed.size(), executed.size()));
      for (std::size_t k = 0; k < executed.size(); ++k) result.executed[k] += executed[k];
      team_.workers_[i]->add_collectors(collectors);
    }
    if (!collectors.empty()) collect(collectors, result);
    add_limits(result);
    return result;
  }

  void collect(const std::vector<Collector*>& collectors, Outcome& result) const {
    Printed printed = merge_prints(collectors, spec_.limits.max_printf_bytes);
    result.printf_output = std::move(printed.text);
    result.printf_bytes = printed.bytes;
    result.printf_dropped = printed.dropped;
    std::vector<Finding>& findings = result.findings = merge_findings(collectors, team_.program());
    // Workers report every early end as the time limit (L0002). Correct that if the reason was another one.
    if (result.end == LaunchResult::End::kCancelled) {
      for (Finding& finding : findings)
        if (finding.rule == Rule::kL0002) finding.rule = Rule::kL0008;
    } else if (result.end != LaunchResult::End::kTimeLimit) {
      std::erase_if(findings, [](const Finding& f) { return f.rule == Rule::kL0002; });
    }
    if (result.end == LaunchResult::End::kTooManyFindings)
      findings.resize(std::min<std::size_t>(findings.size(), spec_.limits.max_findings));
  }

  /// Adds findings of limits that name no work-item.
  static void add_limits(Outcome& result) {
    Finding finding;
    if (result.printf_dropped != 0) {
      finding.rule = Rule::kL0005;
      finding.count = result.printf_dropped;
      result.findings.push_back(finding);
    }
    if (result.end == LaunchResult::End::kTimeLimit)
      finding.rule = Rule::kL0002;
    else if (result.end == LaunchResult::End::kCancelled)
      finding.rule = Rule::kL0008;
    else
      return;
    if (std::ranges::find(result.findings, finding.rule, &Finding::rule) != result.findings.end())
      return;
    finding.count = 0;
    result.findings.push_back(finding);
  }

  const LaunchSpec& spec_;
  Team& team_;
  LaunchControl control_;
  bool supervised_ = false;
  std::atomic<bool> out_of_memory_{false};
  double seconds_ = 0;  ///< duration of the launch
};

Team::Team(const vm::Program& program, const GeometryPlan& geometry, std::uint64_t workgroup_bytes,
           unsigned threads)
    : program_(program),
      geometry_(geometry),
      workgroup_bytes_(workgroup_bytes),
      bytes_per_worker_(UnitMemory::bytes_needed(program, geometry, workgroup_bytes)),
      workers_(program.watched || program.uses_pipes || !geometry.schedule().is_lockstep()
                   ? 1
                   : std::max(1u, threads)),
      took_part_(workers_.size()),
      unit_ns_(estimate_unit_ns(program, geometry)) {}

Team::~Team() = default;

Outcome run(const LaunchSpec& spec, Team& team, ThreadPool& pool) {
  return Execution(spec, team).run_all(pool);
}

}  // namespace transpire::scheduler
