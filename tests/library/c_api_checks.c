#include "tests/library/c_api_checks.h"

#include <stdio.h>
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
