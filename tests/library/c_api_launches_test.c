// Launches through the C interface: arguments, results, findings, limits, logged ranges.
#include <stdio.h>
#include <string.h>

#include "tests/library/c_api_checks.h"
#include "transpire/transpire.h"

_Static_assert(TRANSPIRE_LIMIT_STEPS == 0 && TRANSPIRE_LIMIT_MILLISECONDS == 1 &&
                   TRANSPIRE_LIMIT_FINDINGS == 2 && TRANSPIRE_LIMIT_MEMORY_BYTES == 3 &&
                   TRANSPIRE_LIMIT_PRINTF_BYTES == 4 && TRANSPIRE_LIMIT_CHILDREN == 5 &&
                   TRANSPIRE_LIMIT_CHECK_BYTES == 6,
               "programs that were compiled with an earlier version have these numbers");

/// Of a launch whose kernel touches memory.
static void test_check_memory(transpire_launch* launch, const transpire_device* device) {
  OK(transpire_launch_set_checks(launch, TRANSPIRE_CHECK_RACE, &error));
  OK(transpire_launch_set_limit(launch, TRANSPIRE_LIMIT_FINDINGS, 0, &error));
  for (int enough = 0; enough < 2; ++enough) {
    OK(transpire_launch_set_limit(launch, TRANSPIRE_LIMIT_CHECK_BYTES, enough ? 1 << 20 : 100,
                                  &error));
    const transpire_result_info* info = run(launch, device);
    const transpire_diagnostic* said = info->findings[info->finding_count - 1]->diagnostic;
    CHECK((strcmp(said->rule, "TSP-L0010") == 0) == !enough);
  }
  OK(transpire_launch_set_checks(launch, 0, &error));
}

/// Of a launch whose first buffer the kernel reads.
static void test_undefined_buffer(transpire_launch* launch, const transpire_device* device,
                                  transpire_buffer* buffer, uint64_t bytes) {
  OK(transpire_launch_set_checks(launch, TRANSPIRE_CHECK_UNINIT, &error));
  for (uint64_t defined = 0; defined <= bytes; defined += bytes / 2) {
    OK(transpire_buffer_set_undefined(buffer, &error));
    OK(transpire_buffer_set_defined(buffer, 0, defined, &error));
    const transpire_result_info* info = run(launch, device);
    CHECK(info->finding_count == (defined == bytes ? 0 : 1));
    if (defined != bytes) {
      CHECK_TEXT(info->findings[0]->diagnostic->rule, "TSP-R0101");
      CHECK(info->findings[0]->count == (bytes - defined) / sizeof(float));
    }
  }
  REFUSED("TSP-C0003]: expected bytes within the",
          transpire_buffer_set_defined(buffer, bytes, 1, &error));
  OK(transpire_launch_set_checks(launch, 0, &error));
}

static void test_saxpy(const transpire_module* kernels, const transpire_device* device) {
  enum { kItems = 64 };
  transpire_launch* launch = make_launch(kernels, "saxpy", kItems);
  void *y, *x;
  transpire_buffer* y_buffer = set_new_buffer(launch, 0, kItems * sizeof(float), "y", &y);
  set_new_buffer(launch, 1, kItems * sizeof(float), "x", &x);
  const float a = 3;
  OK(transpire_launch_set_value(launch, 2, &a, sizeof a, &error));
  for (int i = 0; i < kItems; ++i) ((float*)x)[i] = (float)i;
  const transpire_result_info* info = run(launch, device);
  CHECK(info->end == TRANSPIRE_END_COMPLETED && info->finding_count == 0 &&
        info->work_items == kItems);
  CHECK(info->instructions > 0 && info->local_size[0] >= 1 && info->printf_bytes == 0);
  CHECK(info->wall_seconds >= 0 && info->lower_seconds >= 0 && ((float*)y)[9] == 27);
  CHECK_TEXT(info->printf_output, "");
  test_undefined_buffer(launch, device, y_buffer, kItems * sizeof(float));

  // One element too few; read-only; null.
  transpire_buffer* slice = NULL;
  OK(transpire_buffer_slice(y_buffer, 0, kItems * sizeof(float) - 4, "short", &slice, &error));
  OK(transpire_launch_set_buffer(launch, 0, slice, 0, &error));
  info = run(launch, device);
  CHECK(info->finding_count == 2);
  const transpire_finding* finding = info->findings[info->finding_count - 1];
  CHECK_TEXT(finding->diagnostic->rule, "TSP-R0021");
  CHECK_TEXT(finding->allocation, "short");
  CHECK(finding->count == 1 && finding->global_id[0] == 63 && finding->has_offset);
  CHECK(finding->offset_bytes == 252 && finding->access_bytes == 4 &&
        finding->diagnostic->has_word_offset);
  CHECK(finding->follows_from == NULL && finding->consequences == 0);
  CHECK(finding->diagnostic->note_count == 2 && finding->diagnostic->word_offset > 5);
  CHECK(finding->group_id[1] == 0 && finding->local_id[2] == 0);
  CHECK_TEXT(finding->diagnostic->instruction, "OpStore");
  const transpire_diagnostic* said = finding->diagnostic;
  CHECK(said->frame_count == 1 && said->frames[0].function[0] != 0);
  CHECK(said->frames[0].has_word_offset && said->frames[0].word_offset == said->word_offset);
  CHECK(strstr(said->assembly, "OpStore %") == said->assembly);  // the place is one of the source
  transpire_buffer_release(slice);

  OK(transpire_launch_set_null(launch, 1, &error));
  OK(transpire_launch_set_limit(launch, TRANSPIRE_LIMIT_FINDINGS, 1, &error));
  info = run(launch, device);
  CHECK(info->finding_count == 1 && info->end == TRANSPIRE_END_TOO_MANY_FINDINGS);
  CHECK(!info->findings[0]->has_offset && info->findings[0]->count == kItems);
  test_check_memory(launch, device);
  OK(transpire_launch_set_limit(launch, TRANSPIRE_LIMIT_MEMORY_BYTES, 16, &error));
  transpire_result* result = NULL;
  FAILS(TRANSPIRE_OUT_OF_MEMORY, "error[TSP-L0004]",
        transpire_launch_run(launch, device, &result, &error));
  CHECK(result == NULL);
  forget();
}

static void test_argument_kinds(const transpire_module* kernels, const transpire_device* device) {
  void *in, *out;
  transpire_launch* sum = make_launch(kernels, "sum", 8);
  const uint64_t global = 8, local = 4;
  OK(transpire_launch_set_size(sum, 1, &global, &local, NULL, &error));
  set_new_buffer(sum, 0, 32, "in", &in);
  set_new_buffer(sum, 1, 8, "out", &out);
  OK(transpire_launch_set_local(sum, 2, 16, &error));
  for (int i = 0; i < 8; ++i) ((int*)in)[i] = i;
  const transpire_result_info* info = run(sum, device);
  CHECK(((int*)out)[0] == 6 && ((int*)out)[1] == 22 && info->local_size[0] == 4);
  forget();

  const struct {
    int32_t scale;
    int8_t bias;
  } value = {4, 2};
  transpire_launch* settings = make_launch(kernels, "settings", 1);
  set_new_buffer(settings, 0, 4, "out", &out);
  OK(transpire_launch_set_value(settings, 1, &value, sizeof value, &error));
  run(settings, device);
  CHECK(*(int*)out == 42);
  forget();

  const uint64_t sizes[3] = {4, 6, 2}, offsets[3] = {3, 0, 0}, zeros[3] = {0, 0, 0},
                 groups[3] = {2, 3, 1};
  transpire_launch* ids = make_launch(kernels, "ids", 1);
  set_new_buffer(ids, 0, 24, "out", &out);
  OK(transpire_launch_set_size(ids, 3, sizes, groups, offsets, &error));
  run(ids, device);
  CHECK(((uint64_t*)out)[0] == 3 && ((uint64_t*)out)[1] == 6 && ((uint64_t*)out)[2] == 2);
  OK(transpire_launch_set_size(ids, 2, sizes, zeros, NULL, &error));
  info = run(ids, device);
  CHECK(((uint64_t*)out)[0] == 0 && info->work_items == 24 && info->local_size[0] >= 1);
  forget();
}

static void test_printf_and_checks(const transpire_module* kernels,
                                   const transpire_device* device) {
  const int forty_two = 42, zero = 0, three = 3;
  transpire_launch* say = make_launch(kernels, "say", 1);
  OK(transpire_launch_set_value(say, 0, &forty_two, 4, &error));
  const transpire_result_info* info = run(say, device);
  CHECK_TEXT(info->printf_output, "x=42\n");
  CHECK(info->printf_bytes == 5);
  OK(transpire_launch_set_limit(say, TRANSPIRE_LIMIT_PRINTF_BYTES, 1, &error));
  info = run(say, device);
  CHECK(info->printf_bytes == 0 && info->finding_count == 1);
  CHECK(info->findings[0]->diagnostic->severity == TRANSPIRE_WARNING);
  forget();

  const struct {
    const char* kernel;
    const int* value;
    uint32_t check;
    const char *rule, *shown;
  } checks[2] = {{"divide", &zero, TRANSPIRE_CHECK_UB, "TSP-R0060", "\n  = operands: 7, 0\n"},
                 {"pick", &three, TRANSPIRE_CHECK_BOUNDS, "TSP-R0028", " with index 3 outside "}};
  for (int i = 0; i < 2; ++i) {
    void* out;
    transpire_launch* launch = make_launch(kernels, checks[i].kernel, 1);
    set_new_buffer(launch, 0, 4, "out", &out);
    OK(transpire_launch_set_value(launch, 1, checks[i].value, 4, &error));
    OK(transpire_launch_set_checks(launch, TRANSPIRE_REFERENCE, &error));
    info = run(launch, device);
    CHECK(info->finding_count == 0);
    OK(transpire_launch_set_checks(launch, checks[i].check, &error));
    info = run(launch, device);
    CHECK(info->finding_count == 1);
    if (info->finding_count == 1) {
      CHECK_TEXT(info->findings[0]->diagnostic->rule, checks[i].rule);
      CHECK(strstr(info->findings[0]->diagnostic->text, checks[i].shown) != NULL);
    }
    forget();
  }
}

static bool cancel_later(uint64_t done, uint64_t total, void* user) {
  CHECK(done <= total && total == 1);
  return ++*(int*)user < 2;
}

static void test_limits_and_progress(const transpire_module* kernels,
                                     const transpire_device* device) {
  void* flag;
  int calls = 0;
  transpire_launch* spin = make_launch(kernels, "spin", 1);
  set_new_buffer(spin, 0, 4, "flag", &flag);
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_STEPS, 1000, &error));
  const transpire_result_info* info = run(spin, device);
  CHECK(info->end == TRANSPIRE_END_STEP_LIMIT && info->finding_count == 1);
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_STEPS, 0, &error));
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_MILLISECONDS, 20, &error));
  info = run(spin, device);
  CHECK(info->end == TRANSPIRE_END_TIME_LIMIT);
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_MILLISECONDS, 0, &error));
  OK(transpire_launch_set_progress(spin, cancel_later, &calls, &error));
  info = run(spin, device);
  CHECK(info->end == TRANSPIRE_END_CANCELLED && calls >= 2);
  *(int*)flag = 1;
  OK(transpire_launch_set_progress(spin, NULL, NULL, &error));
  info = run(spin, device);
  CHECK(info->end == TRANSPIRE_END_COMPLETED);
  forget();
}

typedef struct Node {
  struct Node* next;
  int value;
} Node;

static void test_shared_launch(const transpire_module* kernels, const transpire_device* device) {
  transpire_shared_memory* memory = NULL;
  void *first, *second, *out;
  OK(transpire_shared_memory_create(&memory, &error));
  OK(transpire_shared_memory_allocate(memory, sizeof(Node), 0, "first", &first, &error));
  OK(transpire_shared_memory_allocate(memory, sizeof(Node), 0, "second", &second, &error));
  *(Node*)first = (Node){second, 40};
  *(Node*)second = (Node){NULL, 2};
  transpire_launch* walk = make_launch(kernels, "walk", 1);
  set_new_buffer(walk, 1, 4, "out", &out);
  OK(transpire_launch_set_shared_memory(walk, memory, &error));
  OK(transpire_launch_set_pointer(walk, 0, first, &error));
  transpire_shared_memory_release(memory);  // the launch keeps it
  const transpire_result_info* info = run(walk, device);
  CHECK(info->finding_count == 0 && *(int*)out == 42);
  forget();
}

// Of the float at that offset.
static transpire_legal_range range_of(const transpire_result_log* log,
                                      const transpire_buffer* buffer, uint64_t offset,
                                      uint32_t profile) {
  transpire_legal_range range = {.struct_size = sizeof range};
  OK(transpire_result_log_get_range(log, buffer, offset, TRANSPIRE_FLOAT, profile, &range, &error));
  return range;
}

static void test_wrong_ranges(const transpire_result_log* log, const transpire_buffer* buffer,
                              transpire_legal_range range) {
  WRONG("expected a number of 8 bytes in a buffer of 16, found offset 12",
        transpire_result_log_get_range(log, buffer, 12, TRANSPIRE_DOUBLE, TRANSPIRE_PROFILE_FULL,
                                       &range, &error));
  WRONG("expected 0, 1 or 2 as 'float_type', found 3",
        transpire_result_log_get_range(log, buffer, 0, 3, TRANSPIRE_PROFILE_FULL, &range, &error));
  WRONG("expected 0 or 1 as 'profile', found 2",
        transpire_result_log_get_range(log, buffer, 0, TRANSPIRE_FLOAT, 2, &range, &error));
  NO("range", transpire_result_log_get_range(log, buffer, 0, TRANSPIRE_FLOAT,
                                             TRANSPIRE_PROFILE_FULL, NULL, &error));
  range.struct_size = 8;
  WRONG("expected 56 as 'struct_size', found 8",
        transpire_result_log_get_range(log, buffer, 0, TRANSPIRE_FLOAT, TRANSPIRE_PROFILE_FULL,
                                       &range, &error));
}

static void test_ranges(const transpire_module* kernels, const transpire_device* device) {
  transpire_launch* launch = make_launch(kernels, "waves", 4);
  void *x, *y, *native;
  set_new_buffer(launch, 0, 16, "x", &x);
  transpire_buffer* y_buffer = set_new_buffer(launch, 1, 16, "y", &y);
  transpire_buffer* native_buffer = set_new_buffer(launch, 2, 16, "native", &native);
  for (int i = 0; i < 4; ++i) ((float*)x)[i] = (float)(i + 1);
  transpire_result_log* log = NULL;
  OK(transpire_result_log_create(&log, &error));
  OK(transpire_launch_set_result_log(launch, log, &error));
  run(launch, device);
  transpire_legal_range range = range_of(log, y_buffer, 8, TRANSPIRE_PROFILE_FULL);
  CHECK_TEXT(range.operation, "sin");
  CHECK(!range.is_open && range.ulp >= 4 && range.value == ((float*)y)[2]);
  CHECK(range.low < range.value && range.value < range.high && range.high - range.low < 1e-6);
  CHECK(transpire_legal_range_allows(&range, range.low) &&
        transpire_legal_range_allows(&range, range.high));
  CHECK(!transpire_legal_range_allows(&range, range.value + 1e-6) &&
        !transpire_legal_range_allows(NULL, 0));
  range = range_of(log, native_buffer, 12, TRANSPIRE_PROFILE_FULL);
  CHECK(range.is_open && transpire_legal_range_allows(&range, 1e30));
  test_wrong_ranges(log, y_buffer, range);
  OK(transpire_result_log_clear(log, &error));
  range = range_of(log, y_buffer, 8, TRANSPIRE_PROFILE_FULL);
  CHECK_TEXT(range.operation, "");
  CHECK(range.low == range.value && range.high == range.value);
  OK(transpire_launch_set_result_log(launch, NULL, &error));
  run(launch, device);
  range = range_of(log, y_buffer, 8, TRANSPIRE_PROFILE_EMBEDDED);
  CHECK_TEXT(range.operation, "");
  forget();
  transpire_result_log_release(log);
}

static void test_causes(const transpire_module* kernels, const transpire_device* device) {
  transpire_launch* launch = make_launch(kernels, "causes", 1);
  void* data;
  set_new_buffer(launch, 0, 16, "a", &data);
  const transpire_result_info* info = run(launch, device);
  CHECK(info->finding_count == 2);
  CHECK(info->findings[0]->follows_from == NULL && info->findings[0]->consequences == 1);
  CHECK(info->findings[1]->follows_from == info->findings[0]);
  CHECK(info->findings[1]->consequences == 0);
  forget();
}

// A row of four texels becomes one of two, by a linear filter.
static void test_images(const transpire_module* kernels, const transpire_device* device) {
  transpire_image_description description = {.struct_size = sizeof description};
  transpire_image *from = NULL, *to = NULL;
  description.channel_order = "NONE";
  REFUSED("TSP-C0042]", transpire_image_create(&description, "from", &from, &error));
  description.channel_order = "R";
  description.channel_type = "FLOAT";
  description.width = 4;
  OK(transpire_image_create(&description, "from", &from, &error));
  description.width = 2;
  OK(transpire_image_create(&description, "to", &to, &error));
  const float texels[4] = {1, 3, 10, 20};
  REFUSED("TSP-C0042]", transpire_image_write(from, texels, 4, 0, 0, &error));
  OK(transpire_image_write(from, texels, sizeof texels, 0, 0, &error));
  transpire_launch* launch = make_launch(kernels, "half_size", 2);
  OK(transpire_launch_set_image(launch, 0, from, &error));
  OK(transpire_launch_set_sampler(launch, 1, "clamp_to_edge linear", &error));
  OK(transpire_launch_set_image(launch, 2, to, &error));
  const transpire_result_info* info = run(launch, device);
  CHECK(info->finding_count == 0);
  float found[2] = {0, 0};
  OK(transpire_image_read(to, found, sizeof found, 0, 0, &error));
  CHECK(found[0] == 2 && found[1] == 15);
  void* bytes = NULL;
  uint64_t size = 0;
  OK(transpire_image_get_bytes(to, &bytes, &size, &error));
  CHECK(size == sizeof found && memcmp(bytes, found, sizeof found) == 0);
  forget();
  transpire_image_release(from);
  transpire_image_release(to);
}

static uint32_t packets_of(const transpire_pipe* pipe) {
  uint32_t packets = 0;
  OK(transpire_pipe_get_sizes(pipe, NULL, NULL, &packets, &error));
  return packets;
}

// What the host puts in and takes out.
static void test_pipe_of_the_host(transpire_pipe* pipe) {
  const int32_t packets[6] = {1, 2, 3, 4, 5, 6};
  int32_t found[6] = {0};
  uint32_t bytes = 0, most = 0, count = 9;
  OK(transpire_pipe_get_sizes(pipe, &bytes, &most, &count, &error));
  CHECK(bytes == 8 && most == 3 && count == 0);
  OK(transpire_pipe_read(pipe, found, sizeof found, &count, &error));
  CHECK(count == 0 && found[0] == 0);
  REFUSED("TSP-C0043]", transpire_pipe_write(pipe, packets, 7, &error));
  OK(transpire_pipe_write(pipe, packets, 16, &error));
  REFUSED("TSP-C0043]", transpire_pipe_write(pipe, packets, 16, &error));
  OK(transpire_pipe_get_contents(pipe, found, sizeof found, &count, &error));
  CHECK(count == 2 && memcmp(found, packets, 16) == 0 && found[4] == 0);
  OK(transpire_pipe_get_contents(pipe, found + 4, 15, &count, &error));
  CHECK(count == 1 && found[4] == 1 && found[5] == 2 && packets_of(pipe) == 2);
  OK(transpire_pipe_read(pipe, found, 8, NULL, &error));
  CHECK(found[0] == 1 && packets_of(pipe) == 1);
  WRONG("", transpire_pipe_write(pipe, NULL, 8, &error));
  OK(transpire_pipe_clear(pipe, &error));
  CHECK(packets_of(pipe) == 0);
  OK(transpire_pipe_write(pipe, packets, sizeof packets, &error));
}

// Packets go through a kernel; where one end is missing, the launch is refused.
static void test_pipes(const transpire_device* device) {
  transpire_module* module = load("pipes.cl", "-cl-std=CL2.0");
  const transpire_kernel* kernel = NULL;
  OK(transpire_module_find_kernel(module, "twice", &kernel, &error));
  CHECK(kernel->parameters[1]->argument == TRANSPIRE_ARGUMENT_PIPE);
  CHECK(kernel->parameters[1]->packet_bytes == 8 && kernel->parameters[1]->packet_align == 8);
  transpire_pipe *from = NULL, *to = NULL, *narrow = NULL;
  REFUSED("TSP-C0043]", transpire_pipe_create(8, 0, "from", &from, &error));
  OK(transpire_pipe_create(8, 3, "from", &from, &error));
  OK(transpire_pipe_create(8, 2, NULL, &to, &error));
  OK(transpire_pipe_create(4, 2, "narrow", &narrow, &error));
  test_pipe_of_the_host(from);
  transpire_launch* launch = make_launch(module, "twice", 2);
  WRONG("", transpire_launch_set_pipe(launch, 2, from, &error));
  OK(transpire_launch_set_pipe(launch, 0, from, &error));
  transpire_result* result = NULL;
  OK(transpire_launch_set_pipe(launch, 1, narrow, &error));
  REFUSED("TSP-C0003]", transpire_launch_run(launch, device, &result, &error));
  OK(transpire_launch_set_pipe(launch, 1, to, &error));
  const transpire_result_info* info = run(launch, device);
  CHECK(info->finding_count == 0 && packets_of(from) == 1);
  int32_t found[4] = {0};
  uint32_t count = 0;
  OK(transpire_pipe_read(to, found, sizeof found, &count, &error));
  CHECK(count == 2 && found[0] == 2 && found[1] == 4 && found[2] == 6 && found[3] == 8);
  forget();
  transpire_pipe_release(from);
  transpire_pipe_release(to);
  transpire_pipe_release(narrow);
  transpire_module_release(module);
}

// False when there is no compiler for OpenCL C.
bool test_launches(const transpire_device* device) {
  const char* const build_options[1] = {"-DUNUSED=1"};
  transpire_load_options options = {.struct_size = sizeof options};
  options.build_options = build_options;
  options.build_option_count = 1;
  options.unoptimised_source = true;
  transpire_module* kernels = NULL;
  if (transpire_module_load_file(path_of("kernels.cl"), &options, &kernels, &error) !=
      TRANSPIRE_OK) {
    const bool no_compiler = strstr(transpire_error_text(error), "TSP-C0031") != NULL;
    check(no_compiler, __FILE__, __LINE__, transpire_error_text(error));
    transpire_error_release(error);
    return false;
  }
  test_saxpy(kernels, device);
  test_argument_kinds(kernels, device);
  test_printf_and_checks(kernels, device);
  test_limits_and_progress(kernels, device);
  test_shared_launch(kernels, device);
  test_ranges(kernels, device);
  test_causes(kernels, device);
  test_images(kernels, device);
  test_pipes(device);
  test_queues(device);
  transpire_module_release(kernels);
  return true;
}
