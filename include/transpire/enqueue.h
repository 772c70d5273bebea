// Device-side enqueue: queues for kernels that enqueue kernels. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_ENQUEUE_H
#define TRANSPIRE_ENQUEUE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRANSPIRE_QUEUE_BYTES = 67108864, TRANSPIRE_MAX_QUEUE_BYTES = 1073741824 };

/// Adds a device queue to the launch and writes its number to `queue`. A new launch has one queue, the default queue: its
/// number is 1, its size TRANSPIRE_QUEUE_BYTES. A launch has at most 1,024 queues. `size_bytes` (1 to
/// TRANSPIRE_MAX_QUEUE_BYTES) limits the commands that wait in the queue. A waiting command takes 64 bytes, the bytes that
/// its block captures, and 8 bytes for each event and each local size.
TRANSPIRE_API transpire_status transpire_launch_add_queue(transpire_launch* launch,
                                                          uint64_t size_bytes, uint32_t* queue,
                                                          transpire_error** error);

/// Makes the queue of this number the default queue, which get_default_queue() returns in kernels. 0: the launch has no
/// default queue. Arguments set before keep their queue.
TRANSPIRE_API transpire_status transpire_launch_set_default_queue(transpire_launch* launch,
                                                                  uint32_t queue,
                                                                  transpire_error** error);

/// Sets a queue argument to the queue of this number.
TRANSPIRE_API transpire_status transpire_launch_set_added_queue(transpire_launch* launch,
                                                                size_t index, uint32_t queue,
                                                                transpire_error** error);
/// Sets a queue argument to the launch's current default queue. Fails with TSP-C0040 if the launch has none.
/// transpire_launch_set_null sets a queue argument to no queue.
TRANSPIRE_API transpire_status transpire_launch_set_queue(transpire_launch* launch, size_t index,
                                                          transpire_error** error);

typedef enum transpire_child_end {
  TRANSPIRE_CHILD_COMPLETED = 0,
  TRANSPIRE_CHILD_CANCELLED = 1,  ///< an event in its wait list had an error status
  TRANSPIRE_CHILD_REFUSED = 2,    ///< the VM refused to launch it: see the findings
  TRANSPIRE_CHILD_NEVER_RAN = 3,  ///< an event in its wait list could never complete
  TRANSPIRE_CHILD_STOPPED = 4     ///< a limit ended the launch before this child had completed
} transpire_child_end;

/// A child: a kernel or marker that the launched kernel or another child enqueued.
typedef struct transpire_child {
  const char* kernel;                    ///< the enqueued function; "": a marker
  const struct transpire_child* parent;  ///< the child that enqueued it; null: the launch itself
  uint64_t enqueued_by[3];               ///< global id of the work-item that enqueued it
  const char* file;                      ///< source file of the enqueue; "": not known
  uint32_t line, column;
  uint32_t dimensions;
  uint64_t global_size[3];
  uint64_t local_size[3];  ///< the work-group size used; valid once it ran
  uint64_t global_offset[3];
  transpire_child_end end;
  double seconds;     ///< duration of its execution
  uint64_t findings;  ///< number of findings in this child alone
} transpire_child;

typedef struct transpire_children {
  const transpire_child* const*
      children;  ///< the first 10,000 children, in the order they would run in if none waited
  size_t child_count;
  uint64_t enqueued;  ///< number of all children, beyond the first 10,000 too
  double seconds;     ///< from the end of the launched kernel until all children had completed
} transpire_children;

/// Gives the children of a launch. They belong to the result. Findings, printf text and instruction counts of the result
/// include those of all children.
TRANSPIRE_API transpire_status transpire_result_get_children(const transpire_result* result,
                                                             const transpire_children** children,
                                                             transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
