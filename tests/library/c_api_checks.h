// What the tests of the C interface check with. They count what is wrong and go on.
#ifndef TESTS_LIBRARY_C_API_CHECKS_H
#define TESTS_LIBRARY_C_API_CHECKS_H

#include "transpire/transpire.h"

#define CHECK(condition) check((condition) ? 1 : 0, __FILE__, __LINE__, #condition)
#define CHECK_TEXT(found, expected) check_text((found), (expected), __FILE__, __LINE__)
#define OK(call) check_status((call), TRANSPIRE_OK, __FILE__, __LINE__)
// A call that must fail so; its last argument is &error.
#define FAILS(status, start, call)                     \
  (check_status((call), (status), __FILE__, __LINE__), \
   check_error(status, start, __FILE__, __LINE__))
#define REFUSED(start, call) FAILS(TRANSPIRE_REFUSED, "error[" start, call)
#define WRONG(start, call) FAILS(TRANSPIRE_INVALID_ARGUMENT, "error[TSP-C0040]: " start, call)
#define NO(name, call) WRONG("expected a pointer as '" name "', found null\n", call)

extern int failures;
extern const char* folder;  // of the test's data
extern transpire_error* error;

void check(int good, const char* file, int line, const char* what);
void check_text(const char* found, const char* expected, const char* file, int line);
void check_status(transpire_status found, transpire_status expected, const char* file, int line);
void check_error(transpire_status status, const char* start, const char* file, int line);
// Of a file in that folder, until the next call.
const char* path_of(const char* name);

// A module of the test's folder; a build option may be null. Ends the program where it cannot be loaded.
transpire_module* load(const char* name, const char* build_option);
// A launch of a kernel of `kernels` with `items` work-items. forget() releases it.
transpire_launch* make_launch(const transpire_module* kernels, const char* kernel, uint64_t items);
// A new buffer that is its argument `index`, and the buffer's bytes. forget() releases it.
transpire_buffer* set_new_buffer(transpire_launch* launch, size_t index, uint64_t bytes,
                                 const char* name, void** data);
// Runs the launch. Gives what its result says, until the next run; the result is in last_result.
const transpire_result_info* run(const transpire_launch* launch, const transpire_device* device);
extern transpire_result* last_result;
// Releases what make_launch, set_new_buffer and run gave.
void forget(void);

// True if there is a compiler for OpenCL C, without which nothing is launched.
bool test_launches(const transpire_device* device);
void test_queues(const transpire_device* device);
void test_watch(const transpire_device* device);

#endif
