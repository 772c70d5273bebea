// The table of cases, expanded from registry.def.
// Cases are made on demand: a driver never holds buffers, only its workers do.
#include "bench/registry.h"

namespace transpire::bench {

#define TRANSPIRE_BENCH_CASE(name, maker, summary) BenchCase maker(Size size);
#include "bench/registry.def"
#undef TRANSPIRE_BENCH_CASE

namespace {

constexpr CaseEntry kCases[] = {
#define TRANSPIRE_BENCH_CASE(name, maker, summary) {#name, summary, maker},
#include "bench/registry.def"
#undef TRANSPIRE_BENCH_CASE
};

}  // namespace

std::span<const CaseEntry> AllCases() { return kCases; }

const CaseEntry* FindCase(std::string_view name) {
  for (const CaseEntry& entry : kCases) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

BenchCase MakeCase(const CaseEntry& entry, Size size) {
  BenchCase result = entry.make(size);
  result.name = entry.name;
  return result;
}

}  // namespace transpire::bench
