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

transpire_module* load(const char* name, const char* build_option) {
  transpire_load_options options = {.struct_size = sizeof options};
  options.build_options = &build_option;
  options.build_option_count = build_option == NULL ? 0 : 1;
  transpire_module* module = NULL;
  OK(transpire_module_load_file(path_of(name), &options, &module, &error));
  if (module == NULL) exit(1);
  return module;
}

static transpire_launch* launches[4];
static transpire_buffer* buffers[4];
static size_t launch_count = 0, buffer_count = 0;
transpire_result* last_result = NULL;

transpire_launch* make_launch(const transpire_module* kernels, const char* kernel, uint64_t items) {
  transpire_launch** launch = &launches[launch_count++];
  OK(transpire_launch_create(kernels, kernel, launch, &error));
  OK(transpire_launch_set_size(*launch, 1, &items, NULL, NULL, &error));
  return *launch;
}

transpire_buffer* set_new_buffer(transpire_launch* launch, size_t index, uint64_t bytes,
                                 const char* name, void** data) {
  transpire_buffer** buffer = &buffers[buffer_count++];
  OK(transpire_buffer_create(bytes, name, buffer, &error));
  OK(transpire_launch_set_buffer(launch, index, *buffer, 0, &error));
  OK(transpire_buffer_get_bytes(*buffer, data, NULL, &error));
  return *buffer;
}

const transpire_result_info* run(const transpire_launch* launch, const transpire_device* device) {
  const transpire_result_info* info = NULL;
  transpire_result_release(last_result);
  OK(transpire_launch_run(launch, device, &last_result, &error));
  if (last_result == NULL) exit(1);
  OK(transpire_result_get_info(last_result, &info, &error));
  return info;
}

void forget(void) {
  transpire_result_release(last_result);
  last_result = NULL;
  while (launch_count > 0) transpire_launch_release(launches[--launch_count]);
  while (buffer_count > 0) transpire_buffer_release(buffers[--buffer_count]);
}
