// In which order work-items run, a part of transpire/transpire.h, which includes it.
#ifndef TRANSPIRE_SCHEDULE_H
#define TRANSPIRE_SCHEDULE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRANSPIRE_SCHEDULE_LOCKSTEP = 0,  ///< whatever is fastest, on all threads
  TRANSPIRE_SCHEDULE_SERIAL = 1,  ///< one work-item after the other, to its next barrier or its end
  TRANSPIRE_SCHEDULE_REVERSE = 2,  ///< the same from the last one
  TRANSPIRE_SCHEDULE_RANDOM = 3    ///< by the seed
};

/// One of transpire_launch_set_checks(): each work-item makes progress by itself, not only each sub-group.
enum { TRANSPIRE_FAIR_PROGRESS = 512 };

/// In which order work-items run, where OpenCL leaves that open. `schedule` is a TRANSPIRE_SCHEDULE_
/// constant, another is an error (TSP-C0040). All but lockstep (as it is) run on one thread.
TRANSPIRE_API transpire_status transpire_launch_set_schedule(transpire_launch* launch,
                                                             uint32_t schedule, uint32_t seed,
                                                             transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
