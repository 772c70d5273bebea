// The list of benchmark cases. Adding one means: a kernel, a file in cases/, a row in
// registry.def.
#pragma once

#include <span>
#include <string_view>

#include "bench/case.h"

namespace transpire::bench {

struct CaseEntry {
  std::string_view name;
  std::string_view summary;
  BenchCase (*make)(Size size);
};

/// All cases, in the order of the report.
std::span<const CaseEntry> AllCases();

/// The case called `name`, or null.
const CaseEntry* FindCase(std::string_view name);

/// Makes the case of `entry`, its buffers filled.
BenchCase MakeCase(const CaseEntry& entry, Size size);

}  // namespace transpire::bench
