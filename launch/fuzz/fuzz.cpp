// Runs in many orders: see launch/fuzz/fuzz.h.
#include "launch/fuzz/fuzz.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <tuple>

#include "launch/report/diagnose.h"

namespace transpire::launch {

std::string Order::words() const {
  const std::string_view poisoned = poison.value_or(false) ? " --poison" : "";
  if (schedule == Schedule::kRandom)
    return fmt::format("--schedule=random --seed={}{}", seed, poisoned);
  return fmt::format("--schedule={}{}", schedule == Schedule::kReverse ? "reverse" : "serial",
                     poisoned);
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPeriod{50};
/// Number of seeds; after so many runs, all were tried.
constexpr std::uint64_t kSeeds = std::uint64_t{1} << 32;

/// The plan without prints and outputs: concurrent runs would write the same files.
LaunchPlan without_outputs(const LaunchPlan& plan) {
  LaunchPlan bare = plan;
  std::erase_if(bare.steps, [](const Step& step) {
    return std::holds_alternative<PrintStep>(step) || std::holds_alternative<OutputStep>(step);
  });
  return bare;
}

/// True if the run does not meet an expectation that the serial run met or did not reach.
bool has_new_failure(const RunReport& run, const RunReport& serial) {
  return std::ranges::any_of(run.failures, [&](const FailedExpectation& failure) {
    return std::ranges::find(serial.failures, failure.number, &FailedExpectation::number) ==
           serial.failures.end();
  });
}

bool has_faults(const RunReport& report) {
  return std::ranges::any_of(report.findings, [](const ReportedFinding& finding) {
    return is_open(finding) && finding.finding.is_error();
  });
}

bool ended_early(const RunReport& report) {
  return std::ranges::any_of(report.launches, [](const LaunchReport& launch) {
    return launch.end != LaunchResult::End::kCompleted;
  });
}

bool was_cancelled(const RunReport& report) {
  return std::ranges::any_of(report.launches, [](const LaunchReport& launch) {
    return launch.end == LaunchResult::End::kCancelled;
  });
}

const BufferReport* find_report(const RunReport& run, const std::string& name) {
  for (const BufferReport& buffer : run.buffers)
    if (buffer.name == name) return &buffer;
  return nullptr;
}

class Fuzzer {
 public:
  Fuzzer(const LaunchPlan& plan, const FuzzOptions& options)
      : options_(options), plan_(without_outputs(plan)), overrides_(options.overrides) {
    overrides_.settings.threads = 1;
    chooses_poison_ = !merged(plan.settings, options.overrides.settings).poison;
    if (chooses_poison_) overrides_.settings.poison = true;
    overrides_.collect_buffers = true;
    overrides_.interrupted = [this] { return overrides_.canceller->cancelled(); };
    renew_canceller();
  }

  FuzzReport run();

 private:
  /// A run that differs from the serial one, or that has refusals, findings or unmet expectations.
  struct Outcome {
    Order order;
    RunReport run;
    std::optional<OrderDifference> difference{};
  };

  void renew_canceller() { overrides_.canceller = Canceller::create(); }
  bool was_ended(const RunReport& run) const {
    return was_cancelled(run) || overrides_.canceller->cancelled();
  }
  const ModuleInfo& info() const { return overrides_.module->info(); }
  bool is_late() const;
  bool is_wanted_on();
  void supervise(unsigned count, const std::function<void()>& work);
  bool load();
  bool run_serially();
  void tell_no_time();
  bool check_ignored();
  RunReport run_in(const Order& order, const RunOverrides& overrides) const;
  Order order_of(std::uint64_t index) const;
  bool is_wanted(std::uint64_t index);
  void work();
  void judge(std::uint64_t index, RunReport run);
  void explain(OrderDifference& difference);
  void look_for_stores(OrderDifference& difference);
  bool differs(const OrderDifference& difference, const Order& order,
               const RunOverrides& overrides) const;
  void make_replay();
  bool find_last_store(const OrderDifference& difference, const Order& order,
                       std::optional<LastStore>& store) const;
  void refuse(Diagnostics errors) {
    report_.run.errors = std::move(errors);
    report_.exit_code = exit_code_of(report_.run.errors);
  }

  const FuzzOptions& options_;
  const LaunchPlan plan_;
  RunOverrides overrides_;
  bool chooses_poison_ = false;  ///< neither the plan nor the overrides set poison
  RunReport serial_;
  FuzzReport report_;
  Clock::time_point start_ = Clock::now();

  std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  std::uint64_t next_ = 0, done_ = 0;
  std::vector<std::uint64_t> unfinished_;  ///< runs that began, and were ended
  std::uint64_t bound_ = UINT64_MAX;       ///< the first run that differs from the serial one
  std::optional<Outcome> outcome_;         ///< outcome of run `bound_`
  unsigned working_ = 0;
  bool is_over_ = false, no_memory_ = false;
};

RunReport Fuzzer::run_in(const Order& order, const RunOverrides& overrides) const {
  RunOverrides mine = overrides;
  mine.settings.schedule = order.schedule;
  mine.settings.seed = order.seed;
  if (order.poison) mine.settings.poison = order.poison;
  return run_plan(plan_, mine);
}

bool Fuzzer::is_late() const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  return options_.seconds > 0 && elapsed.count() >= options_.seconds;
}

/// False if the caller ends the runs or interrupts them. The caller must not hold the lock.
bool Fuzzer::is_wanted_on() {
  std::unique_lock lock(mutex_);
  const std::uint64_t done = done_;
  lock.unlock();
  const RunOverrides& given = options_.overrides;
  const bool ended = (options_.waiting && !options_.waiting(done)) ||
                     (given.interrupted && given.interrupted()) ||
                     (given.canceller && given.canceller->cancelled());
  report_.interrupted |= ended;
  return !ended;
}

/// Runs the work on `count` threads until all are done, the time is over or the caller ends it; then cancels the runs.
void Fuzzer::supervise(unsigned count, const std::function<void()>& work) {
  const auto body = [&] {
    bool has_memory = true;
    try {
      work();
    } catch (const std::bad_alloc&) {
      has_memory = false;
    }
    const std::lock_guard lock(mutex_);
    no_memory_ |= !has_memory;
    --working_;
    changed_.notify_all();
  };
  std::vector<std::thread> threads;
  working_ = count;
  try {
    for (unsigned i = 0; i < count; ++i) threads.emplace_back(body);
  } catch (const std::system_error&) {  // no more threads: those that began do all the work
    const std::lock_guard lock(mutex_);
    working_ -= count - static_cast<unsigned>(threads.size());
  }
  if (threads.empty()) {
    working_ = 1;
    body();
  }
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kPeriod, [this] { return working_ == 0; })) {
    lock.unlock();
    const bool go_on = is_wanted_on() && !is_late();
    lock.lock();
    if (go_on) continue;
    is_over_ = true;
    overrides_.canceller->cancel();
  }
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
}

bool Fuzzer::load() {
  if (overrides_.module) return true;
  auto module = within_memory("loading the module", [&] {
    return load_module(plan_, merged(plan_.settings, overrides_.settings));
  });
  if (!module) {
    refuse(module.errors());
    return false;
  }
  overrides_.module = std::move(module).value();
  return true;
}

/// Runs the serial order. False if the other orders cannot be compared with it.
bool Fuzzer::run_serially() {
  start_ = Clock::now();
  supervise(1, [this] { serial_ = run_in({}, overrides_); });
  if (no_memory_) {
    refuse({out_of_memory("a run of the launch")});
    return false;
  }
  if (was_ended(serial_)) {
    tell_no_time();
    return false;
  }
  report_.run = serial_;
  report_.run.buffers.clear();
  report_.exit_code = serial_.exit_code;
  if (!serial_.errors.empty() || has_faults(serial_) || ended_early(serial_)) return false;
  report_.runs = 1;
  // The serial run has validated the module.
  overrides_.strictness = Strictness::kNone;
  if (!serial_.environment.empty()) overrides_.settings.environment = serial_.environment;
  return check_ignored();
}

/// Reports that nothing was compared: the serial order, or every other one, was ended early.
void Fuzzer::tell_no_time() {
  const std::string words = Order{}.words();
  if (report_.interrupted)
    return refuse(
        {command_error(kInterrupted, fmt::format("interrupted in the first run, {}", words))});
  const std::string when = report_.runs == 0 ? "in the first run, " + words
                                             : "before a run other than " + words + " had ended";
  refuse({command_error(kTimeLimit,
                        fmt::format("the time of {:g} s was over {}", options_.seconds, when),
                        "all others are compared with the first: give more time")});
}

bool Fuzzer::check_ignored() {
  std::vector<std::string> names;
  for (const BufferReport& buffer : serial_.buffers)
    names.insert(names.end(), buffer.names.begin(), buffer.names.end());
  for (const std::string& ignored : options_.ignored) {
    if (std::ranges::find(names, ignored) != names.end()) continue;
    refuse({command_error(kNoSuchBuffer, fmt::format("there is no buffer '{}' to ignore", ignored),
                          suggestion(ignored, names, "buffers"))});
    return false;
  }
  std::erase_if(serial_.buffers, [&](const BufferReport& buffer) {
    return std::ranges::any_of(buffer.names, [&](const std::string& name) {
      return std::ranges::find(options_.ignored, name) != options_.ignored.end();
    });
  });
  report_.compared = serial_.buffers.size();
  return true;
}

Order Fuzzer::order_of(std::uint64_t index) const {
  Order order{Schedule::kReverse};
  if (index != 0)
    order = {Schedule::kRandom, static_cast<std::uint32_t>(options_.first_seed + (index - 1))};
  if (chooses_poison_) order.poison = index != 0;
  return order;
}

/// True if the run of that number may begin. The caller holds the lock.
bool Fuzzer::is_wanted(std::uint64_t index) {
  return !is_over_ && !no_memory_ && index < bound_ && index <= kSeeds &&
         (options_.runs == 0 || index <= options_.runs);
}

void Fuzzer::work() {
  std::unique_lock lock(mutex_);
  while (is_wanted(next_)) {
    const std::uint64_t index = next_++;
    lock.unlock();
    try {
      judge(index, run_in(order_of(index), overrides_));
      lock.lock();
    } catch (const std::bad_alloc&) {
      lock.lock();
      no_memory_ = true;
      unfinished_.push_back(index);
    }
  }
}

void Fuzzer::judge(std::uint64_t index, RunReport run) {
  Outcome outcome{order_of(index), {}};
  bool differs =
      !run.errors.empty() || has_faults(run) || ended_early(run) || has_new_failure(run, serial_);
  for (std::size_t i = 0; i < serial_.buffers.size() && run.errors.empty(); ++i) {
    const BufferReport& mine = serial_.buffers[i];
    const BufferReport* const theirs = find_report(run, mine.name);
    const auto difference = theirs != nullptr ? difference_of(mine, *theirs, plan_, info())
                                              : std::optional<BufferDifference>();
    if (!difference) continue;
    outcome.difference = OrderDifference{mine.name,
                                         difference->first,
                                         difference->count,
                                         difference->offset_bytes,
                                         difference->is_of_packets,
                                         outcome.order};
    differs = true;
    break;
  }
  const bool cancelled = was_ended(run);
  run.buffers.clear();
  outcome.run = std::move(run);
  const std::lock_guard lock(mutex_);
  if (cancelled) return unfinished_.push_back(index);
  ++done_;
  if (!differs || index >= bound_) return;
  bound_ = index;
  outcome_ = std::move(outcome);
}

/// Repeats a run and looks for the last store to the differing number. False if the run was ended early.
bool Fuzzer::find_last_store(const OrderDifference& difference, const Order& order,
                             std::optional<LastStore>& store) const {
  if (overrides_.canceller->cancelled()) return false;
  RunOverrides observed = overrides_;
  observed.watched = WatchedByte{StoreLog::create(), difference.offset_bytes};
  const RunReport run = run_in(order, observed);
  if (was_ended(run) || !run.errors.empty() || ended_early(run)) return false;
  const BufferReport* const buffer = find_report(run, difference.buffer);
  if (buffer != nullptr) store = buffer->last_store;
  return true;
}

/// Repeats both orders to find their last stores. Then repeats the other order with the serial one's poison and sub-group size,
/// to see if these explain the difference.
void Fuzzer::look_for_stores(OrderDifference& difference) {
  const bool knows_serial = find_last_store(difference, {}, difference.serial_store);
  const bool knows_other = find_last_store(difference, difference.order, difference.store);
  difference.knows_stores = knows_serial && knows_other;
  difference.is_of_poison =
      difference.order.poison == false &&
      !differs(difference, {difference.order.schedule, difference.order.seed}, overrides_);
  const AskedSettings settings = merged(plan_.settings, overrides_.settings);
  if (difference.order.schedule != Schedule::kRandom || settings.subgroup_size.value_or(0) != 0 ||
      overrides_.canceller->cancelled())
    return;
  constexpr std::uint32_t kUsualItems = 32;
  RunOverrides same = overrides_;
  same.settings.subgroup_size = kUsualItems;
  difference.is_of_subgroups = !differs(difference, difference.order, same);
}

/// True if the buffer differs in that order, too, or if the run does not tell.
bool Fuzzer::differs(const OrderDifference& difference, const Order& order,
                     const RunOverrides& overrides) const {
  const RunReport run = run_in(order, overrides);
  const BufferReport* const mine = find_report(serial_, difference.buffer);
  const BufferReport* const theirs = find_report(run, difference.buffer);
  return mine == nullptr || theirs == nullptr || !run.errors.empty() || was_ended(run) ||
         ended_early(run) || difference_of(*mine, *theirs, plan_, info()).has_value();
}

/// Finds the reasons of a difference, within the time given for all orders. Does nothing if the caller ended the orders.
void Fuzzer::explain(OrderDifference& difference) {
  if (report_.interrupted) return;
  renew_canceller();
  start_ = Clock::now();
  supervise(1, [&] { look_for_stores(difference); });
}

void Fuzzer::make_replay() {
  if (!options_.wants_replay) return;
  Replay replay{outcome_->order, merged(plan_.settings, overrides_.settings),
                overrides_.rules.suppressions.entries()};
  if (outcome_->order.poison) replay.settings.poison = outcome_->order.poison;
  if (outcome_->difference) {
    replay.difference = &*outcome_->difference;
    replay.expected = find_report(serial_, replay.difference->buffer);
  }
  report_.replay = replay_of(plan_, *overrides_.module, replay);
}

std::string spell(const std::array<std::uint64_t, 3>& id) {
  return fmt::format("({},{},{})", id[0], id[1], id[2]);
}

/// "by --schedule=serial: store at heat.cl:31:5 in 'step' by work-item global (1,0,0), group (0,0,0), local (1,0,0)"
std::string store_text(const std::string& order, const std::optional<LastStore>& store,
                       std::string_view nobody) {
  std::string text = fmt::format("by {}: ", order);
  if (!store) return text.append(nobody);
  text += fmt::format("{} at {}", store->action, store->place);
  for (const Frame& frame : store->frames) text += fmt::format(" in '{}'", frame.function);
  return text + fmt::format(" by work-item global {}, group {}, local {}", spell(store->global_id),
                            spell(store->group_id), spell(store->local_id));
}

std::string help_for(const OrderDifference& difference) {
  if (difference.is_of_poison)
    return "the value depends on memory that nothing has written, not on the order. Such memory "
           "holds zeros, and with --poison bytes 0xa5. --check=uninit finds where it is used";
  if (difference.is_of_subgroups)
    return "the value depends on the size of sub-groups, which a seed chooses. "
           "--subgroup-size=32 keeps that size";
  const auto& [a, b] = std::tie(difference.serial_store, difference.store);
  const bool is_same = a && b && a->global_id == b->global_id && a->word_offset == b->word_offset &&
                       a->place == b->place;
  return fmt::format(
      "{}. --check=race finds accesses that nothing orders. Where any order is right, --ignore {} "
      "leaves it out",
      is_same ? "the same work-item stored both values, which it computed from what it had read. "
                "Another work-item had changed that in one order, and not yet in the other"
              : "nothing says which of the two stores comes last",
      difference.buffer);
}

Finding finding_of(const OrderDifference& difference, const std::string& module, bool is_of_pipe) {
  const Mismatch& first = difference.first;
  Finding finding;
  finding.diagnostic =
      command_error("TSP-R0106",
                    fmt::format("'{}' is {} in one order of work-items, {} in another", first.place,
                                first.expected, first.found),
                    help_for(difference));
  Diagnostic& diagnostic = finding.diagnostic;
  diagnostic.input = module;
  finding.allocation = difference.buffer;
  finding.offset_bytes = static_cast<std::int64_t>(difference.offset_bytes);
  const auto& store = difference.store ? difference.store : difference.serial_store;
  if (store) {
    diagnostic.source = store->source;
    diagnostic.word_offset = store->word_offset;
    diagnostic.excerpt = store->excerpt;
    diagnostic.frames = store->frames;
    finding.global_id = store->global_id;
    finding.group_id = store->group_id;
    finding.local_id = store->local_id;
  }
  const std::string_view nobody = is_of_pipe ? "who wrote the packets is not noted"
                                  : difference.knows_stores
                                      ? "no store of a kernel"
                                      : "the time did not suffice to see by whom";
  // The reverse order has no poison. The words for the serial order name poison only if the difference depends on it.
  Order serial{.poison = difference.order.poison};
  if (difference.order.schedule == Schedule::kReverse && serial.poison)
    serial.poison = difference.is_of_poison;
  diagnostic.notes = {fmt::format("{}, {}", first.expected,
                                  store_text(serial.words(), difference.serial_store, nobody)),
                      fmt::format("{}, {}", first.found,
                                  store_text(difference.order.words(), difference.store, nobody))};
  if (difference.count > 1)
    diagnostic.notes.push_back(
        fmt::format("values of '{}' that differ: {}", difference.buffer, difference.count));
  return finding;
}

FuzzReport Fuzzer::run() {
  if (!load() || !run_serially()) return std::move(report_);
  supervise(std::max(1U, options_.jobs), [this] { work(); });
  report_.runs += done_;
  if (!outcome_) {
    if (no_memory_)
      refuse({out_of_memory("a run of the launch")});
    else if (done_ == 0 && !report_.interrupted)
      tell_no_time();
    return std::move(report_);
  }
  // Runs after the differing one do not count: chance decides which of them ended.
  report_.unfinished = static_cast<std::uint64_t>(
      std::ranges::count_if(unfinished_, [this](std::uint64_t index) { return index < bound_; }));
  report_.runs =
      bound_ + 2 - report_.unfinished;  // the serial run, and the runs up to the differing one
  report_.order = outcome_->order;
  report_.exit_code = kExpectationFailed;
  make_replay();
  if (!outcome_->difference || has_faults(outcome_->run) || !outcome_->run.errors.empty()) {
    report_.run = std::move(outcome_->run);
    for (ReportedFinding& finding : report_.run.findings)
      finding.finding.diagnostic.notes.push_back(
          fmt::format("in this order: {}", outcome_->order.words()));
    report_.exit_code = report_.run.exit_code;
    return std::move(report_);
  }
  report_.difference = std::move(outcome_->difference);
  explain(*report_.difference);
  const BufferReport* const buffer = find_report(serial_, report_.difference->buffer);
  report_.finding = finding_of(*report_.difference, overrides_.module->info().name,
                               buffer != nullptr && buffer->is_pipe);
  return std::move(report_);
}

}  // namespace

FuzzReport fuzz(const LaunchPlan& plan, const FuzzOptions& options) {
  return Fuzzer(plan, options).run();
}

}  // namespace transpire::launch
