// Inside the race checker: a row of accesses that is looked at.
#pragma once

#include "inspect/race_now.h"

namespace transpire::inspect {

struct RaceChecker::Row {
  const vm::exec::Batch& batch;
  const vm::ObservedRow& row;
  Now now;                  ///< of the lane that is looked at
  std::uint32_t first = 0;  ///< the work-item of lane 0
  Shadow& shadow;
  std::uint64_t shift = 0;  ///< that `row` has been moved by: SharedRange::shift

  bool changes(std::uint32_t lane, std::uint64_t address, std::uint64_t bytes) const;
};

}  // namespace transpire::inspect
