// last_store.cpp in C: watches a launch, prints each store to y[1], stops at the third, and goes back to the one before.
#include <stdio.h>

#include "transpire/transpire.h"

typedef struct stores {
  const unsigned char* byte;
  const transpire_run* run;
  uint64_t events[16];
  int count;
} stores;

static transpire_answer watch(const transpire_event* event, void* user) {
  stores* seen = user;
  const unsigned char* host = event->host;
  if (event->kind != TRANSPIRE_EVENT_ACCESS || event->access == TRANSPIRE_ACCESS_LOAD ||
      host == NULL || seen->byte < host || seen->byte >= host + event->size_bytes)
    return TRANSPIRE_ANSWER_GO_ON;
  uint32_t old = 0;
  transpire_event_read(event, &old, sizeof old);
  const uint64_t number = transpire_run_position(seen->run) - 1;
  if (seen->count < 16) seen->events[seen->count++] = number;
  printf("event %llu: work-item %llu stores to %s at byte %llu, which is %u, at %s\n",
         (unsigned long long)number, (unsigned long long)event->global_id[0], event->allocation,
         (unsigned long long)event->offset_bytes, old, transpire_event_place(event));
  return seen->count == 3 ? TRANSPIRE_ANSWER_STOP : TRANSPIRE_ANSWER_GO_ON;
}

static int failed(transpire_error* error) {
  fprintf(stderr, "%s\n", transpire_error_text(error));
  return 2;
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "examples/observer/steps.spvasm";
  transpire_error* error = NULL;
  transpire_module* module = NULL;
  transpire_device* device = NULL;
  transpire_launch* launch = NULL;
  transpire_buffer* buffer = NULL;
  transpire_run* run = NULL;
  uint32_t y[4] = {0};
  const uint64_t size[1] = {4};
  stores seen = {(const unsigned char*)&y[1], NULL, {0}, 0};
  bool stopped = false, there = false;
  if (transpire_module_load_file(path, NULL, &module, &error) != TRANSPIRE_OK ||
      transpire_device_create(NULL, 0, &device, &error) != TRANSPIRE_OK ||
      transpire_launch_create(module, "steps", &launch, &error) != TRANSPIRE_OK ||
      transpire_buffer_wrap(y, sizeof y, "y", &buffer, &error) != TRANSPIRE_OK ||
      transpire_launch_set_buffer(launch, 0, buffer, 0, &error) != TRANSPIRE_OK ||
      transpire_launch_set_size(launch, 1, size, NULL, NULL, &error) != TRANSPIRE_OK ||
      transpire_launch_set_watch(launch, watch, &seen, &error) != TRANSPIRE_OK ||
      transpire_run_create(launch, device, &run, &error) != TRANSPIRE_OK)
    return failed(error);
  seen.run = run;

  if (transpire_run_go_on(run, &stopped, &error) != TRANSPIRE_OK) return failed(error);
  if (!stopped) return 1;
  printf("stopped: y[1] is %u\n", y[1]);
  if (transpire_run_go_to(run, seen.events[1], &there, &error) != TRANSPIRE_OK)
    return failed(error);
  if (!there) return 1;
  printf("back at event %llu: y[1] is %u\n", (unsigned long long)transpire_run_position(run), y[1]);
  do {
    if (transpire_run_go_on(run, &stopped, &error) != TRANSPIRE_OK) return failed(error);
  } while (stopped);
  printf("ended: y[1] is %u\n", y[1]);
  transpire_run_release(run);
  transpire_launch_release(launch);
  transpire_buffer_release(buffer);
  transpire_device_release(device);
  transpire_module_release(module);
  return 0;
}
