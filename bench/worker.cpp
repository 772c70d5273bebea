// The measuring loop: restore, take the time, run, take the time.
// A worker measures in its own process, so its CPU clock sees all of its threads and no other's.
#include "bench/worker.h"

#include <ctime>
#include <exception>
#include <iostream>
#include <stdexcept>

#include "bench/check.h"
#include "bench/json.h"
#include "bench/registry.h"

namespace transpire::bench {
namespace {

std::uint64_t Nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// The first run, untimed: compiles, warms up, and must give the right result.
void WarmUp(const BenchCase& bench, Runner& runner) {
  runner.Run();
  if (auto mismatch = FirstMismatch(ExpectedBuffers(bench), runner.Results()))
    throw std::runtime_error("wrong result: " + *mismatch);
}

void Measure(Runner& runner) {
  runner.Restore();
  const std::uint64_t wall_start = Nanoseconds(CLOCK_MONOTONIC);
  const std::uint64_t cpu_start = Nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  runner.Run();
  const std::uint64_t cpu_ns = Nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  const std::uint64_t wall_ns = Nanoseconds(CLOCK_MONOTONIC) - wall_start;
  std::cout << JsonObject().Add("cpu_ns", cpu_ns).Add("wall_ns", wall_ns).str() << std::endl;
}

JsonObject Header(const WorkerOptions& options) {
  JsonObject header;
  header.Add("case", options.case_name)
      .Add("via", options.runner.via)
      .Add("isa", options.runner.isa)
      .Add("threads", std::uint64_t{options.runner.threads})
      .Add("size", options.size == Size::kFull ? "full" : "small");
  return header;
}

void Work(const WorkerOptions& options) {
  const CaseEntry* entry = FindCase(options.case_name);
  if (entry == nullptr)
    throw std::runtime_error("expected the name of a case, found '" + options.case_name + "'");
  const BenchCase bench = MakeCase(*entry, options.size);
  const auto runner = MakeRunner(bench, options.runner);
  WarmUp(bench, *runner);
  std::cout << Header(options).Add("work_items", std::uint64_t{bench.work_items()}).str()
            << std::endl;
  if (!options.serve) {
    for (unsigned i = 0; i < options.repeats; ++i) Measure(*runner);
    return;
  }
  for (std::string line; std::getline(std::cin, line);) Measure(*runner);
}

}  // namespace

int RunWorker(const WorkerOptions& options) {
  try {
    Work(options);
    return 0;
  } catch (const NotAvailable& error) {
    std::cout << Header(options).Add("error", error.what()).Add("absent", std::uint64_t{1}).str()
              << std::endl;
    return 1;
  } catch (const std::exception& error) {
    std::cout << Header(options).Add("error", error.what()).str() << std::endl;
    return 1;
  }
}

}  // namespace transpire::bench
