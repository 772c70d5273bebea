// Pipes of the C interface. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_PIPE_H
#define TRANSPIRE_PIPE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pipe: a queue of packets of one size, first in, first out. A kernel either reads or writes a pipe; the host may do
/// both while no launch that uses the pipe runs.
typedef struct transpire_pipe transpire_pipe;

/// Makes an empty pipe for at most `max_packets` packets. `name` appears in findings; may be null. The caller releases the
/// pipe. Refused (C0043) if one of the sizes is 0.
TRANSPIRE_API transpire_status transpire_pipe_create(uint32_t packet_bytes, uint32_t max_packets,
                                                     const char* name, transpire_pipe** pipe,
                                                     transpire_error** error);
TRANSPIRE_API void transpire_pipe_release(transpire_pipe* pipe);

/// Gives the pipe's sizes, and in `packets` the number of packets that can be read now. Each of the three may be null.
TRANSPIRE_API transpire_status transpire_pipe_get_sizes(const transpire_pipe* pipe,
                                                        uint32_t* packet_bytes,
                                                        uint32_t* max_packets, uint32_t* packets,
                                                        transpire_error** error);

/// Appends packets. `size_bytes` is a multiple of the packet size. Refused (C0043) if not all packets fit; then the pipe
/// stays as it is.
TRANSPIRE_API transpire_status transpire_pipe_write(const transpire_pipe* pipe, const void* packets,
                                                    uint64_t size_bytes, transpire_error** error);
/// Removes the oldest packets and copies them to `packets`: as many as the pipe has and `size_bytes` has room for. `count`
/// gets their number; may be null.
TRANSPIRE_API transpire_status transpire_pipe_read(const transpire_pipe* pipe, void* packets,
                                                   uint64_t size_bytes, uint32_t* count,
                                                   transpire_error** error);
/// Copies packets as transpire_pipe_read does, but leaves them in the pipe.
TRANSPIRE_API transpire_status transpire_pipe_get_contents(const transpire_pipe* pipe,
                                                           void* packets, uint64_t size_bytes,
                                                           uint32_t* count,
                                                           transpire_error** error);
/// Removes all packets.
TRANSPIRE_API transpire_status transpire_pipe_clear(const transpire_pipe* pipe,
                                                    transpire_error** error);

TRANSPIRE_API transpire_status transpire_launch_set_pipe(transpire_launch* launch, size_t index,
                                                         const transpire_pipe* pipe,
                                                         transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
