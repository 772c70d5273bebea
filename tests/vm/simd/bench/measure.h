// What the vector layer has in place of xsimd's (vm/simd/x86.h, batch.h, predicate.h), timed beside it.
#pragma once

#include <cstddef>

namespace transpire::bench {

inline constexpr std::size_t kRowBytes = 8192;

/// Operands and results in the cache, at other places of a page each: a processor compares the low bits of addresses.
struct Rows {
  alignas(64) unsigned char a[kRowBytes], gap_1[1088], b[kRowBytes], gap_2[1088], d[kRowBytes];
};

/// One thing in two ways, each over all rows.
struct Pair {
  const char *what, *type;  ///< `type`: of a lane
  std::size_t lanes;        ///< in all rows
  void (*ours)(Rows&);
  void (*other)(Rows&);
  const char* other_way;  ///< "xsimd", or what does without
};

struct Pairs {
  const Pair* first;
  std::size_t count;
};

}  // namespace transpire::bench
