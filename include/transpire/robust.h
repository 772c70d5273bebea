// Robust access: what a shader's accesses out of bounds do. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_ROBUST_H
#define TRANSPIRE_ROBUST_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRANSPIRE_ROBUST_FAULT = 0,  ///< a finding; loads and atomics give zeros, stores are dropped
  TRANSPIRE_ROBUST_CLAMP = 1,  ///< the access is made at the last place of the buffer where it fits
  TRANSPIRE_ROBUST_ZERO = 2    ///< loads and atomics give zeros, stores are dropped
};

/// Sets what a shader's accesses out of bounds of a descriptor's buffer do: a TRANSPIRE_ROBUST_ constant, by default FAULT. Any
/// other value is an error (TSP-C0040).
TRANSPIRE_API transpire_status transpire_launch_set_robust(transpire_launch* launch,
                                                           uint32_t robust,
                                                           transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
