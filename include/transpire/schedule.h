// Schedules: the order in which work-items run. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_SCHEDULE_H
#define TRANSPIRE_SCHEDULE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRANSPIRE_SCHEDULE_LOCKSTEP = 0,  ///< the fastest order, on all threads
  TRANSPIRE_SCHEDULE_SERIAL = 1,  ///< one work-item after the other, to its next barrier or its end
  TRANSPIRE_SCHEDULE_REVERSE = 2,  ///< like SERIAL, from the last work-item to the first
  TRANSPIRE_SCHEDULE_RANDOM = 3    ///< an order that the seed chooses
};

/// A bit of transpire_launch_set_checks(). It guarantees progress to each work-item, not only to each sub-group.
enum { TRANSPIRE_FAIR_PROGRESS = 512 };

/// Sets the order in which work-items run, where OpenCL leaves it open. `schedule` is a TRANSPIRE_SCHEDULE_ constant; any
/// other value is an error (TSP-C0040). Lockstep is the default; all other schedules run on one thread.
TRANSPIRE_API transpire_status transpire_launch_set_schedule(transpire_launch* launch,
                                                             uint32_t schedule, uint32_t seed,
                                                             transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
