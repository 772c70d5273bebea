// Memory that nobody has written, a part of transpire/transpire.h, which includes it.
#ifndef TRANSPIRE_UNINIT_H
#define TRANSPIRE_UNINIT_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A bit of transpire_launch_set_checks(): local and private memory that nothing has written holds bytes 0xa5, not zeros.
enum { TRANSPIRE_POISON = 1024 };

/// Nobody has written it yet: with TRANSPIRE_CHECK_UNINIT, what kernels read of it before they wrote it is undefined. Not
/// while a launch uses the buffer. Slices that are made later share what is known of it.
TRANSPIRE_API transpire_status transpire_buffer_set_undefined(transpire_buffer* buffer,
                                                              transpire_error** error);
/// The host has written these bytes of a buffer that was undefined.
TRANSPIRE_API transpire_status transpire_buffer_set_defined(transpire_buffer* buffer,
                                                            uint64_t offset_bytes,
                                                            uint64_t size_bytes,
                                                            transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
