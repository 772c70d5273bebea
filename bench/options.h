// The command line of transpire-bench.
// Parsing only; main.cpp acts on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/worker.h"

namespace transpire::bench {

struct Options {
  std::vector<std::string> cases;  // empty: all
  unsigned repeats = 5;
  bool json = false;
  bool with_oclgrind = true;
  Size size = Size::kFull;
  bool list = false;
  bool help = false;
  std::string one;  // not empty: be a worker for this case
  RunnerOptions runner;
  bool serve = false;
};

/// The options, or nothing after saying on standard error what is wrong.
std::optional<Options> ParseOptions(int count, char** arguments);

extern const char* const kUsage;

}  // namespace transpire::bench
