// Watching launches (transpire/watch.hpp says more): a function is called for each event of a launch and says how it goes on; a watched run stops at an event
// and goes back to earlier ones. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_WATCH_H
#define TRANSPIRE_WATCH_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum transpire_event_kind {
  TRANSPIRE_EVENT_LAUNCH_BEGINS = 0,  ///< the launch, and each kernel that it enqueued
  TRANSPIRE_EVENT_LAUNCH_ENDS = 1,
  TRANSPIRE_EVENT_GROUP_BEGINS = 2,
  TRANSPIRE_EVENT_GROUP_ENDS = 3,
  TRANSPIRE_EVENT_STEP = 4,    ///< work-items are about to execute an instruction
  TRANSPIRE_EVENT_ACCESS = 5,  ///< a work-item is about to read or write memory
  TRANSPIRE_EVENT_WAITS =
      6,  ///< work-items have come to a barrier, or to another instruction of their group
  TRANSPIRE_EVENT_MEETS = 7,      ///< all work-items that the barrier waits for have come
  TRANSPIRE_EVENT_PRINTS = 8,     ///< `text` is what was printed
  TRANSPIRE_EVENT_FOUND = 9,      ///< a mistake happens; `text` is its rule
  TRANSPIRE_EVENT_ENQUEUED = 10,  ///< a work-item has enqueued a kernel or a marker
  TRANSPIRE_EVENT_PACKET = 11     ///< a packet has been read or written; `allocation` is the pipe
} transpire_event_kind;

typedef enum transpire_access_kind {
  TRANSPIRE_ACCESS_LOAD = 0,
  TRANSPIRE_ACCESS_STORE = 1,
  TRANSPIRE_ACCESS_ATOMIC_LOAD = 2,
  TRANSPIRE_ACCESS_ATOMIC_STORE = 3,
  TRANSPIRE_ACCESS_ATOMIC = 4
} transpire_access_kind;

typedef enum transpire_memory_kind {
  TRANSPIRE_MEMORY_BUFFER = 0,
  TRANSPIRE_MEMORY_LOCAL = 1,
  TRANSPIRE_MEMORY_PRIVATE = 2,
  TRANSPIRE_MEMORY_IMAGE = 3
} transpire_memory_kind;

/// An event. Comments of members begin with the kinds of events that have them; in other events such members are 0 or "". A member
/// whose comment names no kind is in all events but those of launches and groups. Valid during the call.
typedef struct transpire_event {
  transpire_event_kind kind;
  uint32_t
      word_offset;  ///< the instruction's offset in the module, in 32-bit words; 0 if it has none
  uint32_t opcode;  ///< the instruction's, as SPIR-V numbers them
  uint64_t items;   ///< number of work-items that take part
  uint64_t global_id[3], group_id[3],
      local_id[3];     ///< ids of the first of these work-items; groups: `group_id` alone
  uint32_t round;      ///< events of one work-item: number of barriers that its group has passed
  const char* kernel;  ///< launches: the kernel's name
  uint64_t global_size[3], local_size[3];  ///< launches: work-items in all, and in a group
  bool is_child;                           ///< launches: a kernel enqueued it
  transpire_access_kind access;            ///< accesses; packets: LOAD or STORE
  transpire_memory_kind memory;            ///< accesses
  const char*
      allocation;         ///< accesses: name of the buffer, image or variable; packets: of the pipe
  uint64_t offset_bytes;  ///< accesses: first byte, from the begin of the allocation
  uint64_t address;       ///< accesses: virtual address of the first byte
  uint64_t size_bytes;    ///< accesses: bytes of the access; packets: bytes of the packet
  const void*
      host;  ///< accesses: the bytes' address on the host; null for local and private memory
  const char* text;   ///< prints, findings
  const void* state;  ///< for transpire_event_place and transpire_event_read
} transpire_event;

/// The place of the event's instruction, "heat.cl:31:5"; "" for events without one. Valid during the call that gave the event.
TRANSPIRE_API const char* transpire_event_place(const transpire_event* event);
/// Copies the first `size_bytes` bytes of an access as they are before it; at most as many as it has. Returns how many.
TRANSPIRE_API size_t transpire_event_read(const transpire_event* event, void* bytes,
                                          size_t size_bytes);

typedef enum transpire_answer {
  TRANSPIRE_ANSWER_GO_ON = 0,
  TRANSPIRE_ANSWER_STOP = 1,  ///< transpire_run_go_on returns; transpire_launch_run ends the launch
  TRANSPIRE_ANSWER_END = 2    ///< the launch ends with TRANSPIRE_END_CANCELLED
} transpire_answer;

/// A watch. It must not throw or jump out, nor drive the run that it watches; it may call transpire_run_position.
typedef transpire_answer (*transpire_watch)(const transpire_event* event, void* user);

/// Sets the watch; null: none. Each call gets `user`. A watched launch runs on one thread, and slowly.
TRANSPIRE_API transpire_status transpire_launch_set_watch(transpire_launch* launch,
                                                          transpire_watch watch, void* user,
                                                          transpire_error** error);

/// A watched launch that stops where its watch says so, goes on later, and can go back.
typedef struct transpire_run transpire_run;

/// Makes a run of a launch that has a watch; nothing runs yet. The launch outlives the run, and is not changed meanwhile. From
/// the first transpire_run_go_on or transpire_run_go_to on, the caller may read but not write the launch's memory. The watch is called on another
/// thread, while transpire_run_go_on waits. The caller releases the run, which ends its launch.
TRANSPIRE_API transpire_status transpire_run_create(const transpire_launch* launch,
                                                    const transpire_device* device,
                                                    transpire_run** run, transpire_error** error);
/// Runs until the watch answers TRANSPIRE_ANSWER_STOP: `stopped` is true. False: the launch has ended. Fails if the launch is refused.
TRANSPIRE_API transpire_status transpire_run_go_on(transpire_run* run, bool* stopped,
                                                   transpire_error** error);
/// The number of events that the launch has had, which is the number of the next one. 0 for null.
TRANSPIRE_API uint64_t transpire_run_position(const transpire_run* run);
/// Goes to the state before the event with that number; all memory of the launch has the bytes that it had then. `there` is
/// false if the launch has no such event: it has then ended.
TRANSPIRE_API transpire_status transpire_run_go_to(transpire_run* run, uint64_t position,
                                                   bool* there, transpire_error** error);
/// Gives the result of a launch that has ended; the caller releases it. TRANSPIRE_INVALID_ARGUMENT before.
TRANSPIRE_API transpire_status transpire_run_get_result(const transpire_run* run,
                                                        transpire_result** result,
                                                        transpire_error** error);
TRANSPIRE_API void transpire_run_release(transpire_run* run);

#ifdef __cplusplus
}
#endif

#endif
