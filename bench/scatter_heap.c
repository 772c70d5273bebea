// For bench/compare_builds.py, before a program's other libraries: what malloc gives, and what is asked for with an alignment, lies
// somewhere else within a page than it would, by chance that SCATTER_HEAP seeds. Blocks of calloc follow those before them.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern void* __libc_malloc(size_t);
extern void* __libc_memalign(size_t, size_t);

static uint64_t state;

__attribute__((constructor)) static void seed(void) {
  const char* text = getenv("SCATTER_HEAP");
  state = (text != NULL ? strtoull(text, NULL, 10) : 0) * 0x9e3779b97f4a7c15u + 1;
}

/// Up to 63 lines of a cache, in bytes.
static size_t some(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 20 & 63) * 64;
}

void* malloc(size_t size) {
  const size_t more = state == 0 ? 0 : size < 200 ? some() / 64 % 8 * 16 : some();
  return __libc_malloc(size > SIZE_MAX - more ? size : size + more);
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (state != 0) {
    // Never freed: what comes next lies behind it.
    void* volatile between = __libc_malloc(some());
    (void)between;
  }
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** made, size_t alignment, size_t size) {
  *made = aligned_alloc(alignment, size);
  return *made == NULL ? ENOMEM : 0;
}
