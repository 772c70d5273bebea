// The measuring loop: restore, take the time, run, take the time.
// A worker measures in its own process, so its CPU clock sees all of its threads and no other's.
#include "bench/worker.h"

#include <ctime>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/check.h"
#include "bench/registry.h"

namespace transpire::bench {
namespace {

using Json = nlohmann::ordered_json;

/// One line; what a platform's error has that is not UTF-8 is replaced.
void Say(const Json& object) {
  std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

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
  Say({{"cpu_ns", cpu_ns}, {"wall_ns", wall_ns}});
}

Json Header(const WorkerOptions& options) {
  return {{"case", options.case_name},
          {"via", options.runner.via},
          {"isa", options.runner.isa},
          {"threads", options.runner.threads},
          {"size", options.size == Size::kFull ? "full" : "small"}};
}

void SayError(const WorkerOptions& options, const std::exception& error, bool absent) {
  Json line = Header(options);
  line["error"] = error.what();
  if (absent) line["absent"] = 1;
  Say(line);
}

void Work(const WorkerOptions& options) {
  const CaseEntry* entry = FindCase(options.case_name);
  if (entry == nullptr)
    throw std::runtime_error("expected the name of a case, found '" + options.case_name + "'");
  const BenchCase bench = MakeCase(*entry, options.size);
  const auto runner = MakeRunner(bench, options.runner);
  WarmUp(bench, *runner);
  Json header = Header(options);
  header["work_items"] = bench.work_items();
  Say(header);
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
    SayError(options, error, true);
    return 1;
  } catch (const std::exception& error) {
    SayError(options, error, false);
    return 1;
  }
}

}  // namespace transpire::bench
