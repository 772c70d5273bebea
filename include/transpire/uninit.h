// Uninitialised memory: poison, and buffers with undefined contents. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_UNINIT_H
#define TRANSPIRE_UNINIT_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A bit of transpire_launch_set_checks(): local and private memory starts as bytes 0xa5 instead of zeros.
enum { TRANSPIRE_POISON = 1024 };

/// Marks all bytes of the buffer as undefined. With TRANSPIRE_CHECK_UNINIT, a byte stays undefined until a kernel or
/// transpire_buffer_set_defined writes it. Slices made later share this state. Do not call while a launch uses the buffer.
TRANSPIRE_API transpire_status transpire_buffer_set_undefined(transpire_buffer* buffer,
                                                              transpire_error** error);
/// Marks bytes of the buffer as defined, because the host has written them.
TRANSPIRE_API transpire_status transpire_buffer_set_defined(transpire_buffer* buffer,
                                                            uint64_t offset_bytes,
                                                            uint64_t size_bytes,
                                                            transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
