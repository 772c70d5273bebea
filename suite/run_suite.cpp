#include "suite/run_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "base/process.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"

namespace transpire::suite {
namespace {

using Clock = std::chrono::steady_clock;

/// Time that a launch gets to end in order when it is asked to.
constexpr double kGraceSeconds = 5;
/// Larger documents are refused.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr std::chrono::milliseconds kBetweenLooks{100};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Problem crash(const ProcessEnd& end) {
  Diagnostic diagnostic =
      launch::command_error(launch::kNoReport, "the run ended without a report");
  diagnostic.notes.push_back(end.exit_code < 0 ? fmt::format("ended by signal {}", -end.exit_code)
                                               : fmt::format("exit code {}", end.exit_code));
  if (!end.errors.empty()) diagnostic.notes.push_back(end.errors.substr(0, 2000));
  return {std::move(diagnostic)};
}

/// Options of `run` for a test.
std::vector<std::string> words_of(const char* option, const std::string& test,
                                  const SuiteOptions& options) {
  std::vector<std::string> words{"run", option};
  words.insert(words.end(), options.run_options.begin(), options.run_options.end());
  if (!options.difference_folder.empty())
    words.insert(words.end(), {"--difference", fmt::format("{}/{}", options.difference_folder,
                                                           launch::as_file_name(test))});
  words.insert(words.end(), {"--", test});
  return words;
}

/// One suite while it runs.
class Suite {
 public:
  Suite(const std::vector<std::string>& tests, const SuiteOptions& options,
        const SuiteEvents& events)
      : tests_(tests), options_(options), events_(events) {
    for (const std::string& test : tests) report_.results.push_back({test});
  }

  SuiteReport run() {
    const Clock::time_point start = Clock::now();
    std::vector<std::thread> workers;
    const std::size_t jobs =
        std::clamp<std::size_t>(options_.jobs, 1, std::max<std::size_t>(tests_.size(), 1));
    working_ = jobs;
    for (std::size_t i = 0; i < jobs; ++i) workers.emplace_back([this] { work(); });
    watch();
    for (std::thread& worker : workers) worker.join();
    report_.seconds = seconds_since(start);
    return std::move(report_);
  }

 private:
  /// A worker thread: runs tests until none is left.
  void work() {
    for (std::size_t i = next_++; i < tests_.size() && !cancelled_; i = next_++) {
      {
        const std::lock_guard lock(mutex_);
        running_.insert(tests_[i]);
      }
      TestResult result = run_one(tests_[i]);
      const std::lock_guard lock(mutex_);
      running_.erase(tests_[i]);
      report_.results[i] = std::move(result);
      ended_.push_back(i);
      changed_.notify_one();
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_one();
  }

  TestResult run_one(const std::string& test) const {
    const Clock::time_point start = Clock::now();
    ProcessOptions process;
    process.limit = WorkLimit::after(options_.timeout_seconds, &cancelled_);
    process.grace_seconds = kGraceSeconds;
    process.together = false;
    process.max_bytes = kMaxBytes;
    process.own_group = true;
    // Several tests at a time share the cores already.
    if (options_.jobs > 1 && std::getenv("TRANSPIRE_THREADS") == nullptr)
      process.environment = {{"TRANSPIRE_THREADS", "1"}};
    const ProcessEnd end =
        run_process(options_.program, words_of("--format=json", test, options_), process);
    TestResult result = result_of_run(test, end.exit_code, end.output);
    if (result.outcome == Outcome::kCrashed) result.problems = {crash(end)};
    if (end.limit == WorkLimit::End::kTime) mark_late(result);
    if (end.limit == WorkLimit::End::kCancelled) result = {test};
    result.seconds = seconds_since(start);
    return result;
  }

  void mark_late(TestResult& result) const {
    result.outcome = Outcome::kTimeLimit;
    Problem late{launch::command_error(
        launch::kTimeLimit, fmt::format("the test took more than {} s", options_.timeout_seconds))};
    late.diagnostic.input = result.path;
    result.problems.insert(result.problems.begin(), std::move(late));
  }

  /// Calls the events until all workers are done.
  void watch() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait_for(lock, kBetweenLooks, [this] { return !ended_.empty() || working_ == 0; });
      const std::vector<std::size_t> ended = std::exchange(ended_, {});
      for (const std::size_t i : ended) {
        ++progress_.done;
        progress_.passed += report_.results[i].outcome == Outcome::kPassed;
      }
      progress_.total = tests_.size();
      progress_.running.assign(running_.begin(), running_.end());
      const bool last = working_ == 0;
      lock.unlock();
      for (const std::size_t i : ended)
        if (report_.results[i].outcome != Outcome::kNotRun) events_.ended(report_.results[i]);
      if (last) return;
      events_.waiting(progress_);
      if (events_.interrupted()) cancelled_ = true;
      lock.lock();
    }
  }

  const std::vector<std::string>& tests_;
  const SuiteOptions& options_;
  const SuiteEvents& events_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;  ///< guards the members below; results are written before their index is in
                      ///< ended_
  std::condition_variable changed_;
  std::set<std::string> running_;
  std::vector<std::size_t> ended_;  ///< not reported yet
  std::size_t working_ = 0;
  SuiteReport report_;
  Progress progress_;
};

}  // namespace

std::size_t SuiteReport::count(Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(results, outcome, &TestResult::outcome));
}

std::uint64_t SuiteReport::suppressed() const {
  std::uint64_t sum = 0;
  for (const TestResult& result : results)
    for (const launch::Suppression& entry : result.suppressions) sum += entry.used;
  return sum;
}

bool SuiteReport::is_complete() const {
  return count(Outcome::kPassed) + count(Outcome::kFailed) == results.size();
}

SuiteReport run_suite(const std::vector<std::string>& tests, const SuiteOptions& options,
                      const SuiteEvents& events) {
  return Suite(tests, options, events).run();
}

Blessed bless(const std::string& test, const SuiteOptions& options) {
  ProcessOptions process;
  process.limit = WorkLimit::after(options.timeout_seconds);
  process.own_group = true;
  const ProcessEnd end = run_process(options.program, words_of("--bless", test, options), process);
  return {end.exit_code == launch::kSuccess, end.output};
}

}  // namespace transpire::suite
