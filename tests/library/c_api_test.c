// Every function of the C interface: what it does, and what it says to arguments that are wrong.
// Takes the folder of the test's data. Without a compiler for OpenCL C, what needs one is left out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/library/c_api_checks.h"
#include "transpire/transpire.h"

static void test_version_and_rules(void) {
  CHECK(transpire_version()[0] >= '0' && transpire_version()[0] <= '9');
  const transpire_rule* rule = NULL;
  OK(transpire_find_rule("TSP-R0021", &rule, &error));
  CHECK(rule != NULL && strcmp(rule->id, "TSP-R0021") == 0 && rule->title[0] != 0);
  CHECK(rule != NULL && rule->explanation[0] != 0 && rule->severity == TRANSPIRE_ERROR);
  WRONG("expected a rule's id such as 'TSP-D0003', found 'R21'\n",
        transpire_find_rule("R21", &rule, &error));
  NO("id", transpire_find_rule(NULL, &rule, &error));
  NO("rule", transpire_find_rule("TSP-R0021", NULL, &error));
  CHECK(transpire_find_rule(NULL, NULL, NULL) == TRANSPIRE_INVALID_ARGUMENT);
}

static void test_errors(void) {
  transpire_module* module = NULL;
  static const char text[] = "OpCapability Kernel\nOpNonsense\n";
  CHECK(transpire_module_load(text, sizeof text - 1, NULL, &module, &error) == TRANSPIRE_REFUSED);
  CHECK(module == NULL && transpire_error_status(error) == TRANSPIRE_REFUSED);
  CHECK(transpire_error_count(error) >= 1);
  const transpire_diagnostic* first = transpire_error_at(error, 0);
  CHECK(first != NULL && strncmp(first->rule, "TSP-D", 5) == 0 &&
        first->severity == TRANSPIRE_ERROR);
  if (first != NULL) {
    CHECK(first->message[0] != 0 && first->source_line == 2 && !first->has_word_offset);
    CHECK_TEXT(first->input, "<module>");
    CHECK(strncmp(transpire_error_text(error), first->text, strlen(first->text)) == 0);
    CHECK(first->help != NULL && first->clause != NULL && first->instruction != NULL);
    CHECK(first->source_file != NULL && (first->note_count == 0 || first->notes[0] != NULL));
  }
  CHECK(transpire_error_at(error, transpire_error_count(error)) == NULL);
  transpire_error_release(error);
  error = NULL;
  CHECK(transpire_error_status(NULL) == TRANSPIRE_OK && transpire_error_count(NULL) == 0);
  CHECK(transpire_error_at(NULL, 0) == NULL);
  CHECK_TEXT(transpire_error_text(NULL), "");
  transpire_error_release(NULL);
  WRONG("expected a pointer as 'info', found null\n  --> transpire_result_get_info\n",
        transpire_result_get_info((const transpire_result*)"", NULL, &error));
}

static void check_validate(void) {
  static const char text[] =
      "OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n"
      "%int = OpTypeInt 32 1\n%half = OpTypeFloat 16\n";
  const size_t size = sizeof text - 1;
  REFUSED("TSP-ENV-2.1-06]: expected Signedness 0, found 1\n",
          transpire_validate(text, size, NULL, TRANSPIRE_STRICT, NULL, &error));
  // What comes before the types is valid.
  OK(transpire_validate(text, (size_t)(strstr(text, "%int") - text), "opencl3.0", TRANSPIRE_STRICT,
                        NULL, &error));
  REFUSED("TSP-C0035]: ",
          transpire_validate(text, size, "opencl2.1", TRANSPIRE_FIELD, "{\"fp\": 1}", &error));
  WRONG("expected TRANSPIRE_FIELD or TRANSPIRE_STRICT, found 0\n",
        transpire_validate(text, size, NULL, 0, NULL, &error));
  NO("bytes", transpire_validate(NULL, 0, NULL, TRANSPIRE_STRICT, NULL, &error));
}

static void check_shapes(const transpire_module_info* info) {
  CHECK(info->kernel_count == 2 && info->spec_constant_count == 1 && info->pointer_bits == 64);
  CHECK(info->capability_count == 3 && info->extension_count == 0);
  CHECK_TEXT(info->capabilities[1], "Kernel");
  CHECK_TEXT(info->source_language, "OpenCL C 2.0");
  CHECK(info->spirv_version[0] == '1' && info->generator != NULL && info->extensions == NULL);
  const transpire_spec_constant* width = info->spec_constants[0];
  CHECK(width->spec_id == 7 && width->default_bits == 16 &&
        width->type->kind == TRANSPIRE_TYPE_INT);
  CHECK_TEXT(width->name, "width");

  const transpire_kernel* shapes = info->kernels[0];
  CHECK_TEXT(shapes->name, "shapes");
  CHECK(shapes->parameter_count == 4 && shapes->has_local_size_hint &&
        shapes->local_size_hint[1] == 2);
  CHECK(!shapes->has_required_local_size && shapes->required_local_size[0] == 0);
  const transpire_parameter* p = shapes->parameters[0];
  CHECK_TEXT(p->name, "p");
  CHECK(p->argument == TRANSPIRE_ARGUMENT_BUFFER && p->value_bytes == 0 && !p->no_write);
  CHECK(p->type->kind == TRANSPIRE_TYPE_POINTER && p->type->element_count == 1);
  CHECK_TEXT(p->type->address_space, "global");
  const transpire_type* particle = p->type->elements[0];
  CHECK(particle->kind == TRANSPIRE_TYPE_STRUCT && particle->element_count == 2);
  CHECK_TEXT(particle->member_names[1], "id");
  CHECK(particle->member_offsets[1] == 16 && particle->size_bytes == 32 &&
        particle->align_bytes == 16);
  CHECK(particle->elements[0]->kind == TRANSPIRE_TYPE_VECTOR && particle->elements[0]->count == 4);
  CHECK(particle->elements[0]->elements[0]->width_bits == 32);
  CHECK_TEXT(particle->elements[0]->spelling, "float4");
  CHECK(particle->elements[0]->member_names == NULL &&
        particle->elements[0]->member_offsets == NULL);
  const transpire_parameter* v = shapes->parameters[1];
  CHECK(v->argument == TRANSPIRE_ARGUMENT_VALUE && v->value_bytes == 16);
  const transpire_parameter* by_value = shapes->parameters[2];
  CHECK(by_value->argument == TRANSPIRE_ARGUMENT_VALUE && by_value->by_value_struct);
  CHECK(by_value->value_bytes == 32 && shapes->parameters[3]->argument == TRANSPIRE_ARGUMENT_LOCAL);

  const transpire_kernel* fixed = info->kernels[1];
  CHECK(fixed->has_required_local_size && fixed->required_local_size[0] == 8);
  CHECK(fixed->required_local_size[1] == 4 && fixed->execution_mode_count == 1);
  CHECK_TEXT(fixed->execution_modes[0], "LocalSize 8 4 1");
}

static void test_module_queries(const transpire_module* shapes) {
  const transpire_module_info* info = NULL;
  OK(transpire_module_get_info(shapes, &info, &error));
  check_shapes(info);
  CHECK_TEXT(info->name, path_of("shapes.spvasm"));
  NO("module", transpire_module_get_info(NULL, &info, &error));
  NO("info", transpire_module_get_info(shapes, NULL, &error));

  const transpire_kernel* kernel = NULL;
  OK(transpire_module_find_kernel(shapes, "fixed", &kernel, &error));
  CHECK(kernel == info->kernels[1]);
  REFUSED("TSP-C0002]: the module has no kernel 'none'\n",
          transpire_module_find_kernel(shapes, "none", &kernel, &error));
  CHECK(kernel == info->kernels[1]);
  NO("module", transpire_module_find_kernel(NULL, "fixed", &kernel, &error));
  NO("name", transpire_module_find_kernel(shapes, NULL, &kernel, &error));
  NO("kernel", transpire_module_find_kernel(shapes, "fixed", NULL, &error));

  OK(transpire_module_check_kernel(shapes, "fixed", &error));
  REFUSED("TSP-C0002]", transpire_module_check_kernel(shapes, "none", &error));
  NO("module", transpire_module_check_kernel(NULL, "fixed", &error));
  NO("name", transpire_module_check_kernel(shapes, NULL, &error));

  OK(transpire_module_validate(shapes, "opencl2.2", &error));
  OK(transpire_module_validate(shapes, NULL, &error));
  REFUSED("TSP-C0035]: expected an environment, found 'vulkan'\n",
          transpire_module_validate(shapes, "vulkan", &error));
  NO("module", transpire_module_validate(NULL, NULL, &error));
  check_validate();

  const char* plain = NULL;
  const char* again = NULL;
  const char* offsets = NULL;
  OK(transpire_module_disassemble(shapes, false, &plain, &error));
  OK(transpire_module_disassemble(shapes, false, &again, &error));
  OK(transpire_module_disassemble(shapes, true, &offsets, &error));
  CHECK(plain == again && strstr(plain, "OpEntryPoint Kernel") != NULL &&
        strlen(offsets) > strlen(plain));
  NO("module", transpire_module_disassemble(NULL, false, &plain, &error));
  NO("text", transpire_module_disassemble(shapes, false, NULL, &error));
}

static void test_sources(void) {
  const char* path = path_of("shapes.spvasm");
  transpire_load_options options = {.struct_size = sizeof options};
  transpire_module* module = NULL;
  options.source_count = 1;
  NO("sources", transpire_module_load_file(path, &options, &module, &error));
  const transpire_source_text nameless = {.name = NULL, .text = "x"};
  options.sources = &nameless;
  WRONG("expected strings in 'sources[0]', found null\n",
        transpire_module_load_file(path, &options, &module, &error));
  const transpire_source_text source = {.name = "shapes.cl", .text = "a text\n"};
  options.sources = &source;
  OK(transpire_module_load_file(path, &options, &module, &error));
  const transpire_diagnostic* const* warnings = NULL;
  size_t warning_count = 1;
  OK(transpire_module_get_compiler_warnings(module, &warnings, &warning_count, &error));
  CHECK(warning_count == 0 && warnings == NULL);
  transpire_module_release(module);
}

static void test_load_options(const transpire_module* shapes) {
  const char* path = path_of("shapes.spvasm");
  const transpire_specialisation width = {.spec_id = 7, .bits = 99};
  transpire_load_options options = {.struct_size = sizeof options};
  options.name = "mine";
  options.specialisations = &width;
  options.specialisation_count = 1;
  transpire_module* module = NULL;
  OK(transpire_module_load_file(path, &options, &module, &error));
  const transpire_module_info* info = NULL;
  OK(transpire_module_get_info(module, &info, &error));
  CHECK_TEXT(info->name, "mine");
  CHECK(info->spec_constants[0]->default_bits == 16);
  transpire_module_release(module);

  const transpire_specialisation other = {.spec_id = 8, .bits = 1};
  options.specialisations = &other;
  REFUSED("TSP-C0032]", transpire_module_load_file(path, &options, &module, &error));
  CHECK(module == NULL);
  options.specialisations = NULL;
  NO("specialisations", transpire_module_load_file(path, &options, &module, &error));
  options.specialisation_count = 0;
  options.build_option_count = 1;
  NO("build_options", transpire_module_load_file(path, &options, &module, &error));
  const char* const no_option = NULL;
  options.build_options = &no_option;
  WRONG("expected a string as 'build_options[0]', found null\n",
        transpire_module_load_file(path, &options, &module, &error));
  options.build_option_count = 0;
  options.struct_size = 8;
  WRONG("expected 104 as 'struct_size', found 8\n",
        transpire_module_load_file(path, &options, &module, &error));
  WRONG("expected 104 as 'struct_size', found 8\n",
        transpire_module_link(&shapes, 1, &options, &module, &error));

  options.struct_size = SIZE_MAX;
  WRONG("expected 104 as 'struct_size', found",
        transpire_module_load_file(path, &options, &module, &error));

  // A program made for a later version: what is new there may be passed when it asks for nothing.
  struct {
    transpire_load_options known;
    uint64_t added;
  } later = {.known = {.struct_size = sizeof later}};
  OK(transpire_module_load_file(path, &later.known, &module, &error));
  transpire_module_release(module);
  later.added = 1;
  WRONG("the options ask for something that only a later version knows\n",
        transpire_module_load_file(path, &later.known, &module, &error));
}

static void test_modules(void) {
  transpire_module* shapes = load("shapes.spvasm", NULL);
  transpire_module* linked = NULL;
  test_module_queries(shapes);
  test_sources();
  test_load_options(shapes);

  NO("bytes", transpire_module_load(NULL, 4, NULL, &linked, &error));
  NO("module", transpire_module_load("", 0, NULL, NULL, &error));
  REFUSED("TSP-D", transpire_module_load("", 0, NULL, &linked, &error));
  NO("path", transpire_module_load_file(NULL, NULL, &linked, &error));
  NO("module", transpire_module_load_file(path_of("shapes.spvasm"), NULL, NULL, &error));
  REFUSED("TSP-C0001]", transpire_module_load_file("/nonexistent", NULL, &linked, &error));

  const transpire_module* parts[2] = {shapes, NULL};
  OK(transpire_module_link(parts, 1, NULL, &linked, &error));
  CHECK(linked != NULL);
  transpire_module_release(linked);
  WRONG("expected a module as 'modules[1]', found null\n",
        transpire_module_link(parts, 2, NULL, &linked, &error));
  CHECK(linked == NULL);
  WRONG("expected modules to link, found none\n",
        transpire_module_link(parts, 0, NULL, &linked, &error));
  NO("modules", transpire_module_link(NULL, 1, NULL, &linked, &error));
  NO("module", transpire_module_link(parts, 1, NULL, NULL, &error));
  parts[1] = shapes;
  REFUSED("TSP-", transpire_module_link(parts, 2, NULL, &linked, &error));  // twice the same names
  transpire_module_release(shapes);
  transpire_module_release(NULL);
}

static void test_buffers(void) {
  transpire_buffer* buffer = NULL;
  transpire_buffer* slice = NULL;
  void* bytes = NULL;
  uint64_t size = 0;
  OK(transpire_buffer_create(100, "mine", &buffer, &error));
  OK(transpire_buffer_get_bytes(buffer, &bytes, &size, &error));
  CHECK(size == 100 && (uintptr_t)bytes % 128 == 0 && ((char*)bytes)[99] == 0);
  OK(transpire_buffer_slice(buffer, 40, 60, NULL, &slice, &error));
  void* part = NULL;
  OK(transpire_buffer_get_bytes(slice, &part, NULL, &error));
  CHECK((char*)part == (char*)bytes + 40);
  transpire_buffer_release(slice);
  REFUSED("TSP-C0003]: expected a slice within the 100 bytes of buffer 'mine'",
          transpire_buffer_slice(buffer, 41, 60, NULL, &slice, &error));
  CHECK(slice == NULL);
  OK(transpire_buffer_set_read_only(buffer, true, &error));
  OK(transpire_buffer_set_write_only(buffer, true, &error));
  NO("buffer", transpire_buffer_create(1, NULL, NULL, &error));
  NO("buffer", transpire_buffer_get_bytes(NULL, &bytes, &size, &error));
  NO("bytes", transpire_buffer_get_bytes(buffer, NULL, &size, &error));
  NO("whole", transpire_buffer_slice(NULL, 0, 0, NULL, &slice, &error));
  NO("buffer", transpire_buffer_slice(buffer, 0, 0, NULL, NULL, &error));
  NO("buffer", transpire_buffer_set_read_only(NULL, true, &error));
  NO("buffer", transpire_buffer_set_undefined(NULL, &error));
  NO("buffer", transpire_buffer_set_defined(NULL, 0, 0, &error));
  NO("buffer", transpire_buffer_set_write_only(NULL, true, &error));
  transpire_buffer_release(buffer);
  transpire_buffer_release(NULL);
  FAILS(TRANSPIRE_OUT_OF_MEMORY, "error[TSP-L0004]",
        transpire_buffer_create(UINT64_MAX, NULL, &buffer, &error));
  CHECK(buffer == NULL);

  int mine[4] = {1, 2, 3, 4};
  OK(transpire_buffer_wrap(mine, sizeof mine, "mine", &buffer, &error));
  OK(transpire_buffer_get_bytes(buffer, &bytes, &size, &error));
  CHECK(bytes == (void*)mine && size == sizeof mine);
  transpire_buffer_release(buffer);
  NO("bytes", transpire_buffer_wrap(NULL, 4, NULL, &buffer, &error));
  NO("buffer", transpire_buffer_wrap(mine, 4, NULL, NULL, &error));
  WRONG("expected bytes that memory has",
        transpire_buffer_wrap(mine, UINT64_MAX, NULL, &buffer, &error));
}

static void test_shared_memory(void) {
  transpire_shared_memory* memory = NULL;
  OK(transpire_shared_memory_create(&memory, &error));
  void* a = NULL;
  void* found = NULL;
  uint64_t size = 1;
  OK(transpire_shared_memory_allocate(memory, 100, 0, "a", &a, &error));
  CHECK((uintptr_t)a % 128 == 0 && ((char*)a)[99] == 0);
  OK(transpire_shared_memory_find(memory, (char*)a + 99, &found, &size, &error));
  CHECK(found == a && size == 100);
  OK(transpire_shared_memory_find(memory, (char*)a + 100, &found, &size, &error));
  CHECK(found == NULL && size == 0);
  WRONG("expected the start of an allocation as 'bytes', found another pointer\n",
        transpire_shared_memory_free(memory, (char*)a + 1, &error));
  OK(transpire_shared_memory_free(memory, a, &error));
  WRONG("expected a size of at least one byte, found 0\n",
        transpire_shared_memory_allocate(memory, 0, 0, NULL, &a, &error));
  WRONG("expected a power of two of at most 1048576 as 'align_bytes', found 3\n",
        transpire_shared_memory_allocate(memory, 1, 3, NULL, &a, &error));
  WRONG("expected a power of two",
        transpire_shared_memory_allocate(memory, 1, 1 << 21, NULL, &a, &error));
  FAILS(TRANSPIRE_OUT_OF_MEMORY, "error[TSP-L0004]: no room for",
        transpire_shared_memory_allocate(memory, UINT64_MAX, 0, NULL, &a, &error));
  NO("memory", transpire_shared_memory_create(NULL, &error));
  NO("memory", transpire_shared_memory_allocate(NULL, 1, 1, NULL, &a, &error));
  NO("bytes", transpire_shared_memory_allocate(memory, 1, 1, NULL, NULL, &error));
  NO("memory", transpire_shared_memory_free(NULL, a, &error));
  NO("bytes", transpire_shared_memory_free(memory, NULL, &error));
  NO("memory", transpire_shared_memory_find(NULL, a, &found, &size, &error));
  NO("bytes", transpire_shared_memory_find(memory, a, NULL, &size, &error));
  NO("size_bytes", transpire_shared_memory_find(memory, a, &found, NULL, &error));
  transpire_shared_memory_release(memory);
  transpire_shared_memory_release(NULL);
}

/// What every processor of a machine runs.
static bool is_worst(const char* isa) {
  return strcmp(isa, "baseline") == 0 || strcmp(isa, "neon") == 0 || strcmp(isa, "scalar") == 0;
}

static void test_devices(void) {
  const char* const* names = NULL;
  size_t count = 0;
  OK(transpire_get_isas(&names, &count, &error));
  CHECK(count >= 1 && is_worst(names[0]));
  NO("names", transpire_get_isas(NULL, &count, &error));
  NO("count", transpire_get_isas(&names, NULL, &error));
  for (size_t i = 0; i < count; ++i) {
    transpire_device* device = NULL;
    const transpire_device_info* info = NULL;
    OK(transpire_device_create(names[i], 3, &device, &error));
    OK(transpire_device_get_info(device, &info, &error));
    CHECK_TEXT(info->isa, names[i]);
    CHECK(info->threads == 3 && info->lanes >= 64);
    NO("info", transpire_device_get_info(device, NULL, &error));
    transpire_device_release(device);
  }
  transpire_device* device = NULL;
  const transpire_device_info* info = NULL;
  OK(transpire_device_create(NULL, 0, &device, &error));
  transpire_device_release(device);
  REFUSED("TSP-C0033]: expected an instruction set, found 'mmx'\n",
          transpire_device_create("mmx", 1, &device, &error));
  CHECK(device == NULL);
  NO("device", transpire_device_create(NULL, 0, NULL, &error));
  NO("device", transpire_device_get_info(NULL, &info, &error));
  transpire_device_release(NULL);
}

static void test_wrong_creation(const transpire_module* module) {
  transpire_launch* launch = NULL;
  REFUSED("TSP-C0002]", transpire_launch_create(module, "none", &launch, &error));
  CHECK(launch == NULL);
  NO("module", transpire_launch_create(NULL, "fixed", &launch, &error));
  NO("kernel", transpire_launch_create(module, NULL, &launch, &error));
  NO("launch", transpire_launch_create(module, "fixed", NULL, &error));
  transpire_launch_release(NULL);
}

static void test_wrong_arguments(transpire_launch* launch) {
  transpire_buffer* buffer = NULL;
  const uint64_t size[1] = {1};
  OK(transpire_buffer_create(64, NULL, &buffer, &error));
  NO("launch", transpire_launch_set_size(NULL, 1, size, NULL, NULL, &error));
  NO("global_size", transpire_launch_set_size(launch, 1, NULL, NULL, NULL, &error));
  WRONG("expected 1 to 3 dimensions, found 0\n",
        transpire_launch_set_size(launch, 0, size, NULL, NULL, &error));
  WRONG("expected 1 to 3 dimensions, found 4\n",
        transpire_launch_set_size(launch, 4, size, NULL, NULL, &error));
  NO("launch", transpire_launch_set_buffer(NULL, 0, buffer, 0, &error));
  NO("buffer", transpire_launch_set_buffer(launch, 0, NULL, 0, &error));
  WRONG("kernel 'shapes' has 4 parameters, found an argument of index 4\n",
        transpire_launch_set_buffer(launch, 4, buffer, 0, &error));
  NO("launch", transpire_launch_set_value(NULL, 0, size, 8, &error));
  NO("bytes", transpire_launch_set_value(launch, 0, NULL, 8, &error));
  WRONG("expected a value of 1 to", transpire_launch_set_value(launch, 0, size, 0, &error));
  WRONG("expected a value of 1 to", transpire_launch_set_value(launch, 0, size, SIZE_MAX, &error));
  WRONG("kernel 'shapes' has", transpire_launch_set_value(launch, 4, size, 8, &error));
  NO("launch", transpire_launch_set_local(NULL, 0, 8, &error));
  WRONG("kernel 'shapes' has", transpire_launch_set_local(launch, SIZE_MAX, 8, &error));
  NO("launch", transpire_launch_set_null(NULL, 0, &error));
  WRONG("kernel 'shapes' has", transpire_launch_set_null(launch, 4, &error));
  NO("launch", transpire_launch_set_queue(NULL, 0, &error));
  WRONG("kernel 'shapes' has", transpire_launch_set_queue(launch, 4, &error));
  uint32_t queue = 1;
  NO("launch", transpire_launch_add_queue(NULL, 64, &queue, &error));
  CHECK(queue == 0);
  NO("queue", transpire_launch_add_queue(launch, 64, NULL, &error));
  NO("launch", transpire_launch_set_default_queue(NULL, 0, &error));
  NO("launch", transpire_launch_set_added_queue(NULL, 0, 1, &error));
  NO("launch", transpire_launch_set_pointer(NULL, 0, size, &error));
  WRONG("kernel 'shapes' has", transpire_launch_set_pointer(launch, 4, size, &error));
  NO("launch", transpire_launch_set_shared_memory(NULL, NULL, &error));
  OK(transpire_launch_set_shared_memory(launch, NULL, &error));
  transpire_buffer_release(buffer);
}

static void test_wrong_settings(transpire_launch* launch) {
  NO("launch", transpire_launch_set_limit(NULL, TRANSPIRE_LIMIT_STEPS, 1, &error));
  WRONG("expected a transpire_limit, found 99\n",
        transpire_launch_set_limit(launch, 99, 1, &error));
  NO("launch", transpire_launch_set_checks(NULL, 0, &error));
  WRONG("expected a sum of checks, found 0x800\n",
        transpire_launch_set_checks(launch, 2048, &error));
  OK(transpire_launch_set_checks(launch, TRANSPIRE_FAIR_PROGRESS, &error));
  OK(transpire_launch_set_checks(launch, TRANSPIRE_CHECK_SYNC, &error));
  OK(transpire_launch_set_checks(launch, TRANSPIRE_MATH_REFERENCE, &error));
  OK(transpire_launch_set_checks(launch, TRANSPIRE_CHECK_RACE, &error));
  OK(transpire_launch_set_checks(launch, TRANSPIRE_LENIENT, &error));
  OK(transpire_launch_set_checks(launch, 0, &error));
  NO("launch", transpire_launch_set_subgroup_size(NULL, 8, &error));
  OK(transpire_launch_set_subgroup_size(launch, 8, &error));
  OK(transpire_launch_set_subgroup_size(launch, 0, &error));
  NO("launch", transpire_launch_set_schedule(NULL, 0, 0, &error));
  WRONG("expected 0, 1, 2 or 3, found 4\n", transpire_launch_set_schedule(launch, 4, 0, &error));
  OK(transpire_launch_set_schedule(launch, TRANSPIRE_SCHEDULE_RANDOM, 7, &error));
  OK(transpire_launch_set_schedule(launch, TRANSPIRE_SCHEDULE_LOCKSTEP, 0, &error));
  NO("launch", transpire_launch_set_float_controls(NULL, 0, 0, &error));
  WRONG("expected 0 or 1, found 2\n", transpire_launch_set_float_controls(launch, 2, 0, &error));
  OK(transpire_launch_set_float_controls(launch, TRANSPIRE_ROUND_TOWARDS_ZERO, 1, &error));
  OK(transpire_launch_set_float_controls(launch, TRANSPIRE_ROUND_TO_NEAREST_EVEN, 0, &error));
  NO("launch", transpire_launch_set_robust(NULL, 0, &error));
  WRONG("expected 0, 1 or 2, found 3\n", transpire_launch_set_robust(launch, 3, &error));
  OK(transpire_launch_set_robust(launch, TRANSPIRE_ROBUST_ZERO, &error));
  OK(transpire_launch_set_robust(launch, TRANSPIRE_ROBUST_FAULT, &error));
  NO("launch", transpire_launch_set_opencl_version(NULL, 12, &error));
  WRONG("expected 12, 20, 21, 22 or 30, found 13\n",
        transpire_launch_set_opencl_version(launch, 13, &error));
  OK(transpire_launch_set_opencl_version(launch, 12, &error));
  OK(transpire_launch_set_opencl_version(launch, 30, &error));
  NO("launch", transpire_launch_set_progress(NULL, NULL, NULL, &error));
}

static void test_wrong_runs(transpire_launch* launch, const transpire_device* device) {
  transpire_result* result = NULL;
  const transpire_result_info* info = NULL;
  NO("launch", transpire_launch_run(NULL, device, &result, &error));
  NO("device", transpire_launch_run(launch, NULL, &result, &error));
  NO("result", transpire_launch_run(launch, device, NULL, &error));
  REFUSED("TSP-C0003]", transpire_launch_run(launch, device, &result, &error));
  CHECK(result == NULL);
  NO("launch", transpire_launch_finish(NULL, device, &result, &error));
  NO("device", transpire_launch_finish(launch, NULL, &result, &error));
  NO("result", transpire_launch_finish(launch, device, NULL, &error));
  OK(transpire_launch_finish(launch, device, &result, &error));
  transpire_result_release(result);
  result = NULL;
  NO("result", transpire_result_get_info(NULL, &info, &error));
  NO("result", transpire_result_get_children(NULL, NULL, &error));
  const uint64_t none[1] = {0};
  OK(transpire_launch_set_size(launch, 1, none, NULL, NULL, &error));
  REFUSED("TSP-C0004]", transpire_launch_run(launch, device, &result, &error));
  transpire_result_release(NULL);
}

static void test_wrong_launches(const transpire_module* module, const transpire_device* device) {
  test_wrong_creation(module);
  transpire_launch* launch = NULL;
  OK(transpire_launch_create(module, "shapes", &launch, &error));
  test_wrong_arguments(launch);
  test_wrong_settings(launch);
  test_wrong_runs(launch, device);
  transpire_launch_release(launch);
}

/// The library's own data live as long as the process.
static void check_at_exit(void) {
  const char* const* names = NULL;
  size_t count = 0;
  const bool told = transpire_get_isas(&names, &count, NULL) == TRANSPIRE_OK;
  if (!told || count == 0 || !is_worst(names[0])) _Exit(1);
}

// A shader's resources have a set and a binding, its push constants have none.
static void test_shaders(void) {
  static const char text[] =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "OpName %y \"y\"\nOpName %p \"p\"\n"
      "OpDecorate %y DescriptorSet 2\nOpDecorate %y Binding 7\n"
      "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
      "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
      "%zero = OpConstant %uint 0\n%block = OpTypeStruct %uint\n"
      "%of_y = OpTypePointer StorageBuffer %block\n%of_p = OpTypePointer PushConstant %block\n"
      "%in_y = OpTypePointer StorageBuffer %uint\n%in_p = OpTypePointer PushConstant %uint\n"
      "%y = OpVariable %of_y StorageBuffer\n%p = OpVariable %of_p PushConstant\n"
      "%main = OpFunction %void None %f\n%start = OpLabel\n"
      "%from = OpAccessChain %in_p %p %zero\n%to = OpAccessChain %in_y %y %zero\n"
      "%v = OpLoad %uint %from\nOpStore %to %v\nOpReturn\nOpFunctionEnd\n";
  transpire_module* module = NULL;
  OK(transpire_module_load(text, sizeof text - 1, NULL, &module, &error));
  const transpire_kernel* kernel = NULL;
  OK(transpire_module_find_kernel(module, "main", &kernel, &error));
  CHECK(kernel->parameter_count == 2);
  const transpire_parameter* y = kernel->parameters[0];
  CHECK(y->has_binding && y->descriptor_set == 2 && y->binding == 7);
  CHECK(y->argument == TRANSPIRE_ARGUMENT_BUFFER);
  CHECK(!kernel->parameters[1]->has_binding && kernel->parameters[1]->value_bytes == 4);
  CHECK(!y->is_unused && y->place[0] == 0);
  transpire_module_release(module);
}

// An array of descriptors without a length has as many elements as the options say, else one.
static void test_descriptor_counts(void) {
  static const char text[] =
      "OpCapability Shader\nOpCapability RuntimeDescriptorArray\n"
      "OpExtension \"SPV_EXT_descriptor_indexing\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "OpName %y \"y\"\nOpDecorate %y DescriptorSet 2\nOpDecorate %y Binding 7\n"
      "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
      "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
      "%zero = OpConstant %uint 0\n%block = OpTypeStruct %uint\n"
      "%blocks = OpTypeRuntimeArray %block\n%of_y = OpTypePointer StorageBuffer %blocks\n"
      "%in_y = OpTypePointer StorageBuffer %uint\n%y = OpVariable %of_y StorageBuffer\n"
      "%main = OpFunction %void None %f\n%start = OpLabel\n"
      "%to = OpAccessChain %in_y %y %zero %zero\nOpStore %to %zero\nOpReturn\nOpFunctionEnd\n";
  const transpire_descriptor_count counts[] = {{2, 7, 3}, {2, 8, 5}};
  transpire_load_options options = {.struct_size = sizeof options};
  for (size_t given = 0; given <= 2; ++given) {
    options.descriptor_counts = given == 0 ? NULL : counts;
    options.descriptor_count_count = given;
    transpire_module* module = NULL;
    OK(transpire_module_load(text, sizeof text - 1, &options, &module, &error));
    const transpire_kernel* kernel = NULL;
    OK(transpire_module_find_kernel(module, "main", &kernel, &error));
    CHECK(kernel->parameter_count == (given == 0 ? 1 : 3));
    CHECK(strcmp(kernel->parameters[kernel->parameter_count - 1]->name,
                 given == 0 ? "y[0]" : "y[2]") == 0);
    transpire_module_release(module);
  }
  options.descriptor_counts = NULL;
  transpire_module* module = NULL;
  CHECK(transpire_module_load(text, sizeof text - 1, &options, &module, &error) ==
        TRANSPIRE_INVALID_ARGUMENT);
  transpire_error_release(error);
  error = NULL;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  atexit(check_at_exit);
  folder = argv[1];
  test_version_and_rules();
  test_errors();
  test_modules();
  test_shaders();
  test_descriptor_counts();
  test_buffers();
  test_shared_memory();
  test_devices();
  transpire_module* shapes = load("shapes.spvasm", NULL);
  transpire_device* device = NULL;
  OK(transpire_device_create(NULL, 2, &device, &error));
  test_wrong_launches(shapes, device);
  transpire_module_release(shapes);
  test_watch(device);
  if (!test_launches(device)) puts("no compiler for OpenCL C: not everything was tested");
  transpire_device_release(device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
