// Inside the race checker: the row of accesses that is being checked.
#pragma once

#include "races/current_access.h"

namespace transpire::races {

struct RaceChecker::Row {
  const vm::exec::Batch& batch;
  const vm::ObservedRow& row;
  CurrentAccess now;        ///< the access of the lane that is being checked
  std::uint32_t first = 0;  ///< the work-item of lane 0
  Shadow& shadow;
  std::uint64_t shift = 0;  ///< OverlappingRange::shift that was added to the addresses of `row`

  /// True if the lane's store changes the bytes at an address, after the stores of all lower lanes.
  bool changes(std::uint32_t lane, std::uint64_t address, std::uint64_t bytes) const;
};

}  // namespace transpire::races
