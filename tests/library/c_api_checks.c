#include "tests/library/c_api_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int failures = 0;
const char* folder = "";
transpire_error* error = NULL;

void check(int good, const char* file, int line, const char* what) {
  if (good) return;
  printf("%s:%d: %s\n", file, line, what);
  ++failures;
}

void check_text(const char* found, const char* expected, const char* file, int line) {
  if (found != NULL && strcmp(found, expected) == 0) return;
  printf("%s:%d: expected '%s', found '%s'\n", file, line, expected,
         found == NULL ? "null" : found);
  ++failures;
}

void check_status(transpire_status found, transpire_status expected, const char* file, int line) {
  if (found == expected) return;
  printf("%s:%d: expected status %d, found %d: %s\n", file, line, expected, found,
         transpire_error_text(error));
  ++failures;
}

void check_error(transpire_status status, const char* start, const char* file, int line) {
  const char* text = transpire_error_text(error);
  if (strncmp(text, start, strlen(start)) != 0) {
    printf("%s:%d: expected '%s', found '%s'\n", file, line, start, text);
    ++failures;
  }
  check(transpire_error_status(error) == status, file, line, "the error object has the status");
  transpire_error_release(error);
  error = NULL;
}

const char* path_of(const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

transpire_launch* make_launch(const transpire_module* kernels, const char* kernel, uint64_t items) {
  transpire_launch* launch = NULL;
  OK(transpire_launch_create(kernels, kernel, &launch, &error));
  OK(transpire_launch_set_size(launch, 1, &items, NULL, NULL, &error));
  return launch;
}

transpire_buffer* set_new_buffer(transpire_launch* launch, size_t index, uint64_t bytes,
                                 const char* name, void** data) {
  transpire_buffer* buffer = NULL;
  OK(transpire_buffer_create(bytes, name, &buffer, &error));
  OK(transpire_launch_set_buffer(launch, index, buffer, 0, &error));
  OK(transpire_buffer_get_bytes(buffer, data, NULL, &error));
  return buffer;
}

transpire_result* run(const transpire_launch* launch, const transpire_device* device,
                      const transpire_result_info** info) {
  transpire_result* result = NULL;
  OK(transpire_launch_run(launch, device, &result, &error));
  if (result == NULL) exit(1);
  OK(transpire_result_get_info(result, info, &error));
  return result;
}
