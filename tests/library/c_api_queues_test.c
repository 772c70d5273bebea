// Queues on the device through the C interface, and what kernels enqueue.
#include <stdio.h>
#include <string.h>

#include "tests/library/c_api_checks.h"
#include "transpire/transpire.h"

// Of the last run.
static const transpire_children* children_of_run(void) {
  const transpire_children* children = NULL;
  OK(transpire_result_get_children(last_result, &children, &error));
  return children;
}

// A block of the launch, and a marker of one of its work-items.
static void check_children(const transpire_children* told) {
  CHECK(told->enqueued == 2 && told->child_count == 2 && told->seconds > 0);
  if (told->child_count != 2) return;
  const transpire_child* const block = told->children[0];
  const transpire_child* const marker = told->children[1];
  CHECK(block->parent == NULL && block->enqueued_by[0] == 0 && block->line == 5);
  CHECK(strstr(block->file, "enqueue.cl") != NULL && strlen(block->kernel) > 0);
  CHECK(block->dimensions == 1 && block->global_size[0] == 4 && block->local_size[0] == 4);
  CHECK(block->global_offset[0] == 0 && block->findings == 0 && block->seconds > 0);
  CHECK(block->end == TRANSPIRE_CHILD_COMPLETED);
  CHECK(marker->parent == block && marker->enqueued_by[0] == 2 && marker->line == 10);
  CHECK(strcmp(marker->kernel, "") == 0 && marker->end == TRANSPIRE_CHILD_COMPLETED);
}

static void test_wrong_queues(transpire_launch* launch) {
  uint32_t queue = 9;
  WRONG("expected 1 to 1073741824 bytes as the size of a queue, found 0",
        transpire_launch_add_queue(launch, 0, &queue, &error));
  CHECK(queue == 0);
  WRONG(
      "expected 1 to 1073741824 bytes as the size of a queue, found 1073741825",
      transpire_launch_add_queue(launch, TRANSPIRE_MAX_QUEUE_BYTES + UINT64_C(1), &queue, &error));
  for (const uint32_t* wrong = (const uint32_t[]){0, 4, UINT32_MAX, 1}; *wrong != 1; ++wrong)
    WRONG("expected the number of a queue of the launch, found ",
          transpire_launch_set_added_queue(launch, 0, *wrong, &error));
  WRONG("expected the number of a queue of the launch, found 4",
        transpire_launch_set_default_queue(launch, 4, &error));
  WRONG("kernel 'fill' has 3 parameters", transpire_launch_set_added_queue(launch, 3, 2, &error));
}

// How many kernels fitted into the two queues and the default one, and what the next one gave.
static void fills(transpire_launch* launch, const transpire_device* device, const int32_t* found,
                  const char* expected) {
  const transpire_result_info* info = run(launch, device);
  char text[99];
  snprintf(text, sizeof text, "%d:%d %d:%d %d:%d", found[0], found[1], found[2], found[3], found[4],
           found[5]);
  CHECK_TEXT(text, expected);
  CHECK(info->finding_count == 0);
}

static void test_added_queues(const transpire_module* module, const transpire_device* device) {
  void* found;
  transpire_launch* launch = make_launch(module, "fill", 1);
  set_new_buffer(launch, 2, 24, "numbers", &found);
  uint32_t small = 0, large = 0, other = 0;
  OK(transpire_launch_add_queue(launch, 100, &small, &error));
  OK(transpire_launch_add_queue(launch, 1024, &large, &error));
  CHECK(small != 0 && large != 0 && small != large);
  test_wrong_queues(launch);
  OK(transpire_launch_set_added_queue(launch, 0, small, &error));
  OK(transpire_launch_set_added_queue(launch, 1, large, &error));
  fills(launch, device, found, "1:-161 11:-161 20:0");
  OK(transpire_launch_set_default_queue(launch, large, &error));
  fills(launch, device, found, "1:-161 11:-161 0:-161");
  // An argument keeps the queue that was the default one.
  OK(transpire_launch_set_queue(launch, 0, &error));
  OK(transpire_launch_set_default_queue(launch, small, &error));
  OK(transpire_launch_set_null(launch, 1, &error));
  fills(launch, device, found, "11:-161 0:-102 1:-161");
  OK(transpire_launch_set_default_queue(launch, 0, &error));
  WRONG("the launch has no default queue", transpire_launch_set_queue(launch, 0, &error));
  fills(launch, device, found, "11:-161 0:-102 0:-102");
  OK(transpire_launch_set_default_queue(launch, 1, &error));
  fills(launch, device, found, "11:-161 0:-102 20:0");
  for (int i = 0; i < 1021; ++i) OK(transpire_launch_add_queue(launch, 64, &other, &error));
  WRONG("expected at most 1024 queues, found 1025",
        transpire_launch_add_queue(launch, 64, &other, &error));
  fills(launch, device, found, "11:-161 0:-102 20:0");
  forget();
}

void test_queues(const transpire_device* device) {
  transpire_module* module = load("enqueue.cl", "-cl-std=CL2.0");
  const transpire_kernel* kernel = NULL;
  OK(transpire_module_find_kernel(module, "twice", &kernel, &error));
  CHECK(kernel->parameters[0]->argument == TRANSPIRE_ARGUMENT_QUEUE);
  void* numbers;
  transpire_launch* launch = make_launch(module, "twice", 1);
  const int32_t deep = 1, shallow = 0;
  set_new_buffer(launch, 1, 16, "numbers", &numbers);
  OK(transpire_launch_set_value(launch, 2, &deep, sizeof deep, &error));
  WRONG("", transpire_launch_set_queue(launch, 3, &error));
  transpire_result* result = NULL;
  OK(transpire_launch_set_value(launch, 0, &deep, sizeof deep, &error));
  REFUSED("TSP-C0003]", transpire_launch_run(launch, device, &result, &error));
  OK(transpire_launch_set_queue(launch, 0, &error));
  const transpire_result_info* info = run(launch, device);
  CHECK(info->finding_count == 0);
  check_children(children_of_run());
  WRONG("", transpire_result_get_children(last_result, NULL, &error));
  OK(transpire_launch_set_limit(launch, TRANSPIRE_LIMIT_CHILDREN, 1, &error));
  info = run(launch, device);
  CHECK(info->finding_count == 1 && children_of_run()->child_count == 1);
  CHECK(strcmp(info->findings[0]->diagnostic->rule, "TSP-L0009") == 0);
  OK(transpire_launch_set_value(launch, 2, &shallow, sizeof shallow, &error));
  info = run(launch, device);
  CHECK(info->finding_count == 0 && children_of_run()->child_count == 0);
  CHECK(children_of_run()->enqueued == 0);
  forget();
  test_added_queues(module, device);
  transpire_module_release(module);
}
