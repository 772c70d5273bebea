// What kernels enqueue themselves, a part of transpire/transpire.h, which includes it.
#ifndef TRANSPIRE_ENQUEUE_H
#define TRANSPIRE_ENQUEUE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRANSPIRE_QUEUE_BYTES = 67108864, TRANSPIRE_MAX_QUEUE_BYTES = 1073741824 };

/// Adds a queue of the device to those that the launch's kernels can have, besides the default queue that a launch has from
/// the start, whose number is 1, of TRANSPIRE_QUEUE_BYTES. `size_bytes` is what may wait in it, 1 to
/// TRANSPIRE_MAX_QUEUE_BYTES: the bytes that each command's block captures, 8 for each event and local size, and 64.
/// `queue` gets the queue's number. A launch has 1,024 queues at most.
TRANSPIRE_API transpire_status transpire_launch_add_queue(transpire_launch* launch,
                                                          uint64_t size_bytes, uint32_t* queue,
                                                          transpire_error** error);

/// What get_default_queue() gives: the queue of that number, or with 0 none. Arguments that were set stay what they are.
TRANSPIRE_API transpire_status transpire_launch_set_default_queue(transpire_launch* launch,
                                                                  uint32_t queue,
                                                                  transpire_error** error);

/// The queue of that number.
TRANSPIRE_API transpire_status transpire_launch_set_added_queue(transpire_launch* launch,
                                                                size_t index, uint32_t queue,
                                                                transpire_error** error);
/// The default queue, as it is when this is called; an error (TSP-C0040) where there is none. transpire_launch_set_null gives
/// no queue.
TRANSPIRE_API transpire_status transpire_launch_set_queue(transpire_launch* launch, size_t index,
                                                          transpire_error** error);

typedef enum transpire_child_end {
  TRANSPIRE_CHILD_COMPLETED = 0,
  TRANSPIRE_CHILD_CANCELLED = 1,  ///< an event that it waited for had an error
  TRANSPIRE_CHILD_REFUSED = 2,    ///< it could not be launched: see the findings
  TRANSPIRE_CHILD_NEVER_RAN = 3,  ///< nothing that it waited for could still come
  TRANSPIRE_CHILD_STOPPED = 4     ///< a limit ended the launch: in it, or before it
} transpire_child_end;

/// A kernel or marker that a launch's kernel enqueued, or one of those.
typedef struct transpire_child {
  const char* kernel;                    ///< the enqueued function; "": a marker
  const struct transpire_child* parent;  ///< that enqueued it; null: the launch itself
  uint64_t enqueued_by[3];               ///< global id of its work-item
  const char* file;                      ///< where; "": not known
  uint32_t line, column;
  uint32_t dimensions;
  uint64_t global_size[3];
  uint64_t local_size[3];  ///< the one used, once it ran
  uint64_t global_offset[3];
  transpire_child_end end;
  double seconds;     ///< that it ran
  uint64_t findings;  ///< that are its own
} transpire_child;

typedef struct transpire_children {
  const transpire_child* const*
      children;  ///< as they would run if nothing waited: the first 10,000
  size_t child_count;
  uint64_t enqueued;  ///< how many there were, those of which nothing is told among them
  double seconds;     ///< from the end of the launch itself until all was complete
} transpire_children;

/// Belongs to the result, whose findings, text and instructions are of all of it.
TRANSPIRE_API transpire_status transpire_result_get_children(const transpire_result* result,
                                                             const transpire_children** children,
                                                             transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
