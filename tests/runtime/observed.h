// Launches that an observer watches, and the lanes that run while it does.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "runtime/observe.h"
#include "tests/runtime/support.h"
#include "vm/exec/engine.h"
#include "vm/program/program.h"

namespace transpire::test {

/// A launch of kernel k in one group, with the values and variables that the program keeps.
inline Launch debugged(const Module& module, std::uint64_t items, bool reference,
                       std::vector<Argument> arguments) {
  Launch launch = make_launch(module, "k", items, items, std::move(arguments));
  launch.debug_info = true;
  launch.reference = reference;
  return launch;
}

/// Fails the test where the launch is refused.
inline LaunchResult watch(const Launch& launch, vm::Observer& observer, std::string isa = {}) {
  auto result = runtime::run_observed(make_device(4, std::move(isa)), launch, observer);
  if (!result) FAIL(format(result.errors()[0]));
  return std::move(result).value();
}

inline bool runs(const vm::exec::Batch& batch, std::uint32_t lane) {
  return (batch.mask[lane / 64] >> lane % 64 & 1) != 0;
}

/// Calls body(lane) for the running lanes.
template <class Body>
void for_each_running(const vm::exec::Batch& batch, const Body& body) {
  for (std::uint32_t lane = 0; lane < batch.program->lanes; ++lane)
    if (runs(batch, lane)) body(lane);
}

/// Mistakes that an observer found, for a check that there are none.
template <class Texts>
std::string joined(const Texts& texts) {
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace transpire::test
