// A worker process: sets up one case with one runner, checks its result, then measures. With
// `serve` it measures once per line on its standard input, so that a driver can interleave several
// workers. Everything it has to say are JSON lines on its standard output.
#pragma once

#include <string>

#include "bench/case.h"
#include "bench/runner.h"

namespace transpire::bench {

struct WorkerOptions {
  std::string case_name;
  Size size = Size::kFull;
  RunnerOptions runner;
  unsigned repeats = 5;
  bool serve = false;
};

/// First line: `{"case":...,"work_items":N}`, or with an "error" (and "absent":1 if the
/// runner itself is missing). Then a line with "cpu_ns" (of the
/// whole process) and "wall_ns" per measurement. Returns the exit code.
int RunWorker(const WorkerOptions& options);

}  // namespace transpire::bench
