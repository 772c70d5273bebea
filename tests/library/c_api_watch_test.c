// Watches and watched runs through the C interface.
#include <string.h>

#include "tests/library/c_api_checks.h"
#include "transpire/transpire.h"

typedef struct seen {
  uint64_t by_kind[12];
  uint64_t stores, first_store, stop_at;
  transpire_answer answer;
  const transpire_run* run;
} seen;

// Four work-items store to y[i] four times: the sums of 1 to 4.
static transpire_answer watch(const transpire_event* event, void* user) {
  seen* counts = user;
  ++counts->by_kind[event->kind];
  if (event->kind == TRANSPIRE_EVENT_LAUNCH_BEGINS)
    CHECK(strcmp(event->kernel, "steps") == 0 && event->global_size[0] == 4 && !event->is_child &&
          strcmp(transpire_event_place(event), "") == 0 &&
          transpire_event_read(event, &event, 8) == 0);
  if (event->kind == TRANSPIRE_EVENT_STEP) CHECK(event->items == 4 && event->word_offset != 0);
  if (event->kind != TRANSPIRE_EVENT_ACCESS || event->access != TRANSPIRE_ACCESS_STORE)
    return TRANSPIRE_ANSWER_GO_ON;
  uint32_t before = 99;
  CHECK(transpire_event_read(event, &before, 100) == 4 && before == *(const uint32_t*)event->host);
  CHECK(strcmp(event->allocation, "y") == 0 && event->offset_bytes == 4 * event->global_id[0]);
  CHECK(event->memory == TRANSPIRE_MEMORY_BUFFER && event->opcode == 62);
  CHECK(strstr(transpire_event_place(event), "steps.spvasm:33:") != NULL);
  if (counts->stores == 0 && counts->run != NULL)
    counts->first_store = transpire_run_position(counts->run) - 1;
  return ++counts->stores == counts->stop_at ? counts->answer : TRANSPIRE_ANSWER_GO_ON;
}

static void test_run(const transpire_launch* launch, const transpire_device* device, seen* counts,
                     const uint32_t* y) {
  transpire_run* run = NULL;
  bool stopped = false, there = false;
  transpire_result* result = NULL;
  OK(transpire_run_create(launch, device, &run, &error));
  *counts = (seen){.stop_at = 6, .answer = TRANSPIRE_ANSWER_STOP, .run = run};
  OK(transpire_run_go_on(run, &stopped, &error));
  CHECK(stopped && y[0] == 3 && y[1] == 1 && y[2] == 1 && y[3] == 1);
  WRONG("the launch has not ended", transpire_run_get_result(run, &result, &error));
  OK(transpire_run_go_to(run, counts->first_store, &there, &error));
  CHECK(there && transpire_run_position(run) == counts->first_store && y[0] == 0);
  OK(transpire_run_go_on(run, &stopped, &error));
  CHECK(!stopped && counts->stores == 22 && y[3] == 10);
  OK(transpire_run_get_result(run, &result, &error));
  transpire_result_release(result);
  OK(transpire_run_go_to(run, 1000000, &there, &error));
  CHECK(!there);
  transpire_run_release(run);
}

static void test_refusals(transpire_launch* launch, const transpire_device* device) {
  transpire_run* run = NULL;
  bool stopped = true;
  NO("launch", transpire_launch_set_watch(NULL, watch, NULL, &error));
  NO("stopped", transpire_run_go_on((transpire_run*)launch, NULL, &error));
  CHECK(transpire_run_position(NULL) == 0 && strcmp(transpire_event_place(NULL), "") == 0);
  OK(transpire_launch_set_watch(launch, NULL, NULL, &error));
  WRONG("the launch has no watch", transpire_run_create(launch, device, &run, &error));
  seen counts = {0};
  OK(transpire_launch_set_watch(launch, watch, &counts, &error));
  OK(transpire_launch_set_null(launch, 0, &error));
  const uint64_t none[1] = {0};
  if (transpire_launch_set_size(launch, 1, none, NULL, NULL, NULL) != TRANSPIRE_OK) return;
  OK(transpire_run_create(launch, device, &run, &error));
  transpire_run_go_on(run, &stopped, NULL);
  CHECK(!stopped);
  transpire_run_release(run);
}

// Four work-items print, meet at a barrier, and store; the last one stores past the end of y.
static transpire_answer watch_all(const transpire_event* event, void* user) {
  seen* counts = user;
  ++counts->by_kind[event->kind];
  if (event->kind == TRANSPIRE_EVENT_PRINTS) CHECK(strcmp(event->text, "here\n") == 0);
  if (event->kind == TRANSPIRE_EVENT_WAITS || event->kind == TRANSPIRE_EVENT_MEETS)
    CHECK(event->items == 4 && event->opcode == 224);
  if (event->kind == TRANSPIRE_EVENT_FOUND)
    CHECK(strcmp(event->text, "TSP-R0021") == 0 && event->global_id[0] == 3 &&
          strstr(transpire_event_place(event), "events.spvasm:45:") != NULL);
  return TRANSPIRE_ANSWER_GO_ON;
}

static void test_events(const transpire_device* device) {
  transpire_module* module = load("events.spvasm", NULL);
  const uint64_t local[1] = {4};
  void* bytes = NULL;
  transpire_launch* launch = make_launch(module, "events", 4);
  OK(transpire_launch_set_size(launch, 1, local, local, NULL, &error));
  set_new_buffer(launch, 0, 12, "y", &bytes);
  seen counts = {0};
  OK(transpire_launch_set_watch(launch, watch_all, &counts, &error));
  CHECK(run(launch, device)->finding_count == 1);
  CHECK(counts.by_kind[TRANSPIRE_EVENT_PRINTS] == 4 && counts.by_kind[TRANSPIRE_EVENT_FOUND] == 1);
  CHECK(counts.by_kind[TRANSPIRE_EVENT_WAITS] == 1 && counts.by_kind[TRANSPIRE_EVENT_MEETS] == 1);
  forget();
  transpire_module_release(module);
}

void test_watch(const transpire_device* device) {
  test_events(device);
  transpire_module* module = load("../../../examples/observer/steps.spvasm", NULL);
  void* bytes = NULL;
  transpire_launch* launch = make_launch(module, "steps", 4);
  set_new_buffer(launch, 0, 16, "y", &bytes);
  seen counts = {0};
  OK(transpire_launch_set_watch(launch, watch, &counts, &error));
  const transpire_result_info* info = run(launch, device);
  CHECK(counts.stores == 16 && counts.by_kind[TRANSPIRE_EVENT_LAUNCH_ENDS] == 1);
  CHECK(counts.by_kind[TRANSPIRE_EVENT_GROUP_BEGINS] == 1 && info->end == TRANSPIRE_END_COMPLETED);
  memset(bytes, 0, 16);
  counts = (seen){.stop_at = 2, .answer = TRANSPIRE_ANSWER_END};
  info = run(launch, device);
  CHECK(counts.stores == 2 && info->end == TRANSPIRE_END_CANCELLED);
  memset(bytes, 0, 16);
  test_run(launch, device, &counts, bytes);
  test_refusals(launch, device);
  forget();
  transpire_module_release(module);
}
