// Pipes, a part of transpire/transpire.h, which includes it.
#ifndef TRANSPIRE_PIPE_H
#define TRANSPIRE_PIPE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Packets of one size, first in, first out. Kernels have one end of it, the host has both, while no launch runs that
/// uses the pipe.
typedef struct transpire_pipe transpire_pipe;

/// Makes a pipe for at most `max_packets` packets, without any. `name` appears in findings; may be null. Refused (C0043)
/// where one of the sizes is 0.
TRANSPIRE_API transpire_status transpire_pipe_create(uint32_t packet_bytes, uint32_t max_packets,
                                                     const char* name, transpire_pipe** pipe,
                                                     transpire_error** error);
TRANSPIRE_API void transpire_pipe_release(transpire_pipe* pipe);

/// `packets` are those that may be read. Each of the three may be null.
TRANSPIRE_API transpire_status transpire_pipe_get_sizes(const transpire_pipe* pipe,
                                                        uint32_t* packet_bytes,
                                                        uint32_t* max_packets, uint32_t* packets,
                                                        transpire_error** error);

/// Puts whole packets in, behind those that are there. Refused (C0043) where they do not fit; then none is put in.
TRANSPIRE_API transpire_status transpire_pipe_write(const transpire_pipe* pipe, const void* packets,
                                                    uint64_t size_bytes, transpire_error** error);
/// Takes out the oldest packets, as many as there are and as `size_bytes` has room for. `count` may be null.
TRANSPIRE_API transpire_status transpire_pipe_read(const transpire_pipe* pipe, void* packets,
                                                   uint64_t size_bytes, uint32_t* count,
                                                   transpire_error** error);
/// The same packets, which stay in the pipe.
TRANSPIRE_API transpire_status transpire_pipe_get_contents(const transpire_pipe* pipe,
                                                           void* packets, uint64_t size_bytes,
                                                           uint32_t* count,
                                                           transpire_error** error);
/// Takes all packets out.
TRANSPIRE_API transpire_status transpire_pipe_clear(const transpire_pipe* pipe,
                                                    transpire_error** error);

TRANSPIRE_API transpire_status transpire_launch_set_pipe(transpire_launch* launch, size_t index,
                                                         const transpire_pipe* pipe,
                                                         transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
