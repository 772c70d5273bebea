// Every function of the C interface: what it does, and what it says to arguments that are wrong.
// Takes the folder of the test's data. Without a compiler for OpenCL C, what needs one is left out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transpire/transpire.h"

static int failures = 0;
static const char* folder = "";

#define CHECK(condition) check((condition) ? 1 : 0, __LINE__, #condition)
#define CHECK_TEXT(found, expected) check_text((found), (expected), __LINE__)
#define OK(call) check_status((call), TRANSPIRE_OK, __LINE__)
// A call that must fail so; its last argument is &error.
#define FAILS(status, start, call) \
  (check_status((call), (status), __LINE__), check_error(status, start, __LINE__))
#define WRONG(start, call) FAILS(TRANSPIRE_INVALID_ARGUMENT, "error[TSP-C0040]: " start, call)
#define NO(name, call) WRONG("expected a pointer as '" name "', found null\n", call)

static transpire_error* error = NULL;

static void check(int good, int line, const char* what) {
  if (good) return;
  printf("line %d: %s\n", line, what);
  ++failures;
}

static void check_text(const char* found, const char* expected, int line) {
  if (found != NULL && strcmp(found, expected) == 0) return;
  printf("line %d: expected '%s', found '%s'\n", line, expected, found == NULL ? "null" : found);
  ++failures;
}

static void check_status(transpire_status found, transpire_status expected, int line) {
  if (found == expected) return;
  printf("line %d: expected status %d, found %d: %s\n", line, expected, found,
         transpire_error_text(error));
  ++failures;
}

static void check_error(transpire_status status, const char* start, int line) {
  const char* text = transpire_error_text(error);
  if (strncmp(text, start, strlen(start)) != 0) {
    printf("line %d: expected '%s', found '%s'\n", line, start, text);
    ++failures;
  }
  check(transpire_error_status(error) == status, line, "the error object has the status");
  transpire_error_release(error);
  error = NULL;
}

static const char* path_of(const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

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
  FAILS(TRANSPIRE_REFUSED, "error[TSP-ENV-2.1-06]: expected Signedness 0, found 1\n",
        transpire_validate(text, size, NULL, TRANSPIRE_STRICT, NULL, &error));
  // What comes before the types is valid.
  OK(transpire_validate(text, (size_t)(strstr(text, "%int") - text), "opencl3.0", TRANSPIRE_STRICT,
                        NULL, &error));
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0035]: ",
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

static transpire_module* load(const char* name) {
  transpire_module* module = NULL;
  OK(transpire_module_load_file(path_of(name), NULL, &module, &error));
  CHECK(module != NULL);
  if (module == NULL) exit(1);
  return module;
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
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0002]: the module has no kernel 'none'\n",
        transpire_module_find_kernel(shapes, "none", &kernel, &error));
  CHECK(kernel == info->kernels[1]);
  NO("module", transpire_module_find_kernel(NULL, "fixed", &kernel, &error));
  NO("name", transpire_module_find_kernel(shapes, NULL, &kernel, &error));
  NO("kernel", transpire_module_find_kernel(shapes, "fixed", NULL, &error));

  OK(transpire_module_check_kernel(shapes, "fixed", &error));
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0002]",
        transpire_module_check_kernel(shapes, "none", &error));
  NO("module", transpire_module_check_kernel(NULL, "fixed", &error));
  NO("name", transpire_module_check_kernel(shapes, NULL, &error));

  OK(transpire_module_validate(shapes, "opencl2.2", &error));
  OK(transpire_module_validate(shapes, NULL, &error));
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0035]: expected an OpenCL environment, found 'vulkan'\n",
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
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0032]",
        transpire_module_load_file(path, &options, &module, &error));
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
  WRONG("expected 72 as 'struct_size', found 8\n",
        transpire_module_load_file(path, &options, &module, &error));
  WRONG("expected 72 as 'struct_size', found 8\n",
        transpire_module_link(&shapes, 1, &options, &module, &error));

  options.struct_size = SIZE_MAX;
  WRONG("expected 72 as 'struct_size', found",
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
  transpire_module* shapes = load("shapes.spvasm");
  transpire_module* linked = NULL;
  test_module_queries(shapes);
  test_load_options(shapes);

  NO("bytes", transpire_module_load(NULL, 4, NULL, &linked, &error));
  NO("module", transpire_module_load("", 0, NULL, NULL, &error));
  FAILS(TRANSPIRE_REFUSED, "error[TSP-D", transpire_module_load("", 0, NULL, &linked, &error));
  NO("path", transpire_module_load_file(NULL, NULL, &linked, &error));
  NO("module", transpire_module_load_file(path_of("shapes.spvasm"), NULL, NULL, &error));
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0001]",
        transpire_module_load_file("/nonexistent", NULL, &linked, &error));

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
  FAILS(TRANSPIRE_REFUSED, "error[TSP-",
        transpire_module_link(parts, 2, NULL, &linked, &error));  // twice the same names
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
  FAILS(TRANSPIRE_REFUSED,
        "error[TSP-C0003]: expected a slice within the 100 bytes of buffer 'mine'",
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

static void test_devices(void) {
  const char* const* names = NULL;
  size_t count = 0;
  OK(transpire_get_isas(&names, &count, &error));
  CHECK(count >= 1 && strcmp(names[0], "baseline") == 0);
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
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0033]: expected an instruction set, found 'mmx'\n",
        transpire_device_create("mmx", 1, &device, &error));
  CHECK(device == NULL);
  NO("device", transpire_device_create(NULL, 0, NULL, &error));
  NO("device", transpire_device_get_info(NULL, &info, &error));
  transpire_device_release(NULL);
}

static void test_wrong_launches(const transpire_module* module, const transpire_device* device) {
  transpire_launch* launch = NULL;
  transpire_result* result = NULL;
  transpire_buffer* buffer = NULL;
  const uint64_t size[1] = {1};
  const transpire_result_info* info = NULL;
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0002]",
        transpire_launch_create(module, "none", &launch, &error));
  CHECK(launch == NULL);
  NO("module", transpire_launch_create(NULL, "fixed", &launch, &error));
  NO("kernel", transpire_launch_create(module, NULL, &launch, &error));
  NO("launch", transpire_launch_create(module, "fixed", NULL, &error));
  OK(transpire_launch_create(module, "shapes", &launch, &error));
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
  NO("launch", transpire_launch_set_pointer(NULL, 0, size, &error));
  WRONG("kernel 'shapes' has", transpire_launch_set_pointer(launch, 4, size, &error));
  NO("launch", transpire_launch_set_shared_memory(NULL, NULL, &error));
  OK(transpire_launch_set_shared_memory(launch, NULL, &error));
  NO("launch", transpire_launch_set_limit(NULL, TRANSPIRE_LIMIT_STEPS, 1, &error));
  WRONG("expected a transpire_limit, found 99\n",
        transpire_launch_set_limit(launch, 99, 1, &error));
  NO("launch", transpire_launch_set_checks(NULL, 0, &error));
  WRONG("expected a sum of checks, found 0x20\n", transpire_launch_set_checks(launch, 32, &error));
  OK(transpire_launch_set_checks(launch, TRANSPIRE_CHECK_SYNC, &error));
  OK(transpire_launch_set_checks(launch, TRANSPIRE_MATH_REFERENCE, &error));
  OK(transpire_launch_set_checks(launch, 0, &error));
  NO("launch", transpire_launch_set_subgroup_size(NULL, 8, &error));
  OK(transpire_launch_set_subgroup_size(launch, 8, &error));
  OK(transpire_launch_set_subgroup_size(launch, 0, &error));
  NO("launch", transpire_launch_set_float_controls(NULL, 0, 0, &error));
  WRONG("expected 0 or 1, found 2\n", transpire_launch_set_float_controls(launch, 2, 0, &error));
  OK(transpire_launch_set_float_controls(launch, TRANSPIRE_ROUND_TOWARDS_ZERO, 1, &error));
  OK(transpire_launch_set_float_controls(launch, TRANSPIRE_ROUND_TO_NEAREST_EVEN, 0, &error));
  NO("launch", transpire_launch_set_opencl_version(NULL, 12, &error));
  WRONG("expected 12, 20, 21, 22 or 30, found 13\n",
        transpire_launch_set_opencl_version(launch, 13, &error));
  OK(transpire_launch_set_opencl_version(launch, 12, &error));
  OK(transpire_launch_set_opencl_version(launch, 30, &error));
  NO("launch", transpire_launch_set_progress(NULL, NULL, NULL, &error));

  NO("launch", transpire_launch_run(NULL, device, &result, &error));
  NO("device", transpire_launch_run(launch, NULL, &result, &error));
  NO("result", transpire_launch_run(launch, device, NULL, &error));
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0003]",
        transpire_launch_run(launch, device, &result, &error));
  CHECK(result == NULL);
  NO("launch", transpire_launch_finish(NULL, device, &result, &error));
  NO("device", transpire_launch_finish(launch, NULL, &result, &error));
  NO("result", transpire_launch_finish(launch, device, NULL, &error));
  OK(transpire_launch_finish(launch, device, &result, &error));
  transpire_result_release(result);
  result = NULL;
  NO("result", transpire_result_get_info(NULL, &info, &error));
  const uint64_t none[1] = {0};
  OK(transpire_launch_set_size(launch, 1, none, NULL, NULL, &error));
  FAILS(TRANSPIRE_REFUSED, "error[TSP-C0004]",
        transpire_launch_run(launch, device, &result, &error));
  transpire_launch_release(launch);
  transpire_launch_release(NULL);
  transpire_result_release(NULL);
  transpire_buffer_release(buffer);
}

// A launch of a kernel of `kernels` with `items` work-items.
static transpire_launch* make_launch(const transpire_module* kernels, const char* kernel,
                                     uint64_t items) {
  transpire_launch* launch = NULL;
  OK(transpire_launch_create(kernels, kernel, &launch, &error));
  OK(transpire_launch_set_size(launch, 1, &items, NULL, NULL, &error));
  return launch;
}

static transpire_buffer* set_new_buffer(transpire_launch* launch, size_t index, uint64_t bytes,
                                        const char* name, void** data) {
  transpire_buffer* buffer = NULL;
  OK(transpire_buffer_create(bytes, name, &buffer, &error));
  OK(transpire_launch_set_buffer(launch, index, buffer, 0, &error));
  OK(transpire_buffer_get_bytes(buffer, data, NULL, &error));
  return buffer;
}

static transpire_result* run(const transpire_launch* launch, const transpire_device* device,
                             const transpire_result_info** info) {
  transpire_result* result = NULL;
  OK(transpire_launch_run(launch, device, &result, &error));
  if (result == NULL) exit(1);
  OK(transpire_result_get_info(result, info, &error));
  return result;
}

static void test_saxpy(const transpire_module* kernels, const transpire_device* device) {
  enum { kItems = 64 };
  transpire_launch* launch = make_launch(kernels, "saxpy", kItems);
  void *y, *x;
  transpire_buffer* y_buffer = set_new_buffer(launch, 0, kItems * sizeof(float), "y", &y);
  transpire_buffer* x_buffer = set_new_buffer(launch, 1, kItems * sizeof(float), "x", &x);
  const float a = 3;
  OK(transpire_launch_set_value(launch, 2, &a, sizeof a, &error));
  for (int i = 0; i < kItems; ++i) ((float*)x)[i] = (float)i;
  const transpire_result_info* info = NULL;
  transpire_result* result = run(launch, device, &info);
  CHECK(info->end == TRANSPIRE_END_COMPLETED && info->finding_count == 0 &&
        info->work_items == kItems);
  CHECK(info->instructions > 0 && info->local_size[0] >= 1 && info->printf_bytes == 0);
  CHECK(info->wall_seconds >= 0 && info->lower_seconds >= 0 && ((float*)y)[9] == 27);
  CHECK_TEXT(info->printf_output, "");
  transpire_result_release(result);

  // One element too few; read-only; null.
  transpire_buffer* slice = NULL;
  OK(transpire_buffer_slice(y_buffer, 0, kItems * sizeof(float) - 4, "short", &slice, &error));
  OK(transpire_launch_set_buffer(launch, 0, slice, 0, &error));
  result = run(launch, device, &info);
  CHECK(info->finding_count == 2);
  const transpire_finding* finding = info->findings[info->finding_count - 1];
  CHECK_TEXT(finding->diagnostic->rule, "TSP-R0021");
  CHECK_TEXT(finding->allocation, "short");
  CHECK(finding->count == 1 && finding->global_id[0] == 63 && finding->has_offset);
  CHECK(finding->offset_bytes == 252 && finding->access_bytes == 4 &&
        finding->diagnostic->has_word_offset);
  CHECK(finding->diagnostic->note_count == 2 && finding->diagnostic->word_offset > 5);
  CHECK(finding->group_id[1] == 0 && finding->local_id[2] == 0);
  CHECK_TEXT(finding->diagnostic->instruction, "OpStore");
  transpire_result_release(result);
  transpire_buffer_release(slice);

  OK(transpire_launch_set_null(launch, 1, &error));
  OK(transpire_launch_set_limit(launch, TRANSPIRE_LIMIT_FINDINGS, 1, &error));
  result = run(launch, device, &info);
  CHECK(info->finding_count == 1 && info->end == TRANSPIRE_END_TOO_MANY_FINDINGS);
  CHECK(!info->findings[0]->has_offset && info->findings[0]->count == kItems);
  transpire_result_release(result);
  OK(transpire_launch_set_limit(launch, TRANSPIRE_LIMIT_MEMORY_BYTES, 16, &error));
  FAILS(TRANSPIRE_OUT_OF_MEMORY, "error[TSP-L0004]",
        transpire_launch_run(launch, device, &result, &error));
  CHECK(result == NULL);
  transpire_buffer_release(y_buffer);
  transpire_buffer_release(x_buffer);
  transpire_launch_release(launch);
}

static void test_argument_kinds(const transpire_module* kernels, const transpire_device* device) {
  const transpire_result_info* info = NULL;
  void *in, *out;
  transpire_launch* sum = make_launch(kernels, "sum", 8);
  const uint64_t global = 8, local = 4;
  OK(transpire_launch_set_size(sum, 1, &global, &local, NULL, &error));
  transpire_buffer* in_buffer = set_new_buffer(sum, 0, 32, "in", &in);
  transpire_buffer* out_buffer = set_new_buffer(sum, 1, 8, "out", &out);
  OK(transpire_launch_set_local(sum, 2, 16, &error));
  for (int i = 0; i < 8; ++i) ((int*)in)[i] = i;
  transpire_result* result = run(sum, device, &info);
  CHECK(((int*)out)[0] == 6 && ((int*)out)[1] == 22 && info->local_size[0] == 4);
  transpire_result_release(result);
  transpire_launch_release(sum);
  transpire_buffer_release(in_buffer);
  transpire_buffer_release(out_buffer);

  const struct {
    int32_t scale;
    int8_t bias;
  } value = {4, 2};
  transpire_launch* settings = make_launch(kernels, "settings", 1);
  out_buffer = set_new_buffer(settings, 0, 4, "out", &out);
  OK(transpire_launch_set_value(settings, 1, &value, sizeof value, &error));
  transpire_result_release(run(settings, device, &info));
  CHECK(*(int*)out == 42);
  transpire_launch_release(settings);
  transpire_buffer_release(out_buffer);

  const uint64_t sizes[3] = {4, 6, 2}, offsets[3] = {3, 0, 0}, zeros[3] = {0, 0, 0},
                 groups[3] = {2, 3, 1};
  transpire_launch* ids = make_launch(kernels, "ids", 1);
  out_buffer = set_new_buffer(ids, 0, 24, "out", &out);
  OK(transpire_launch_set_size(ids, 3, sizes, groups, offsets, &error));
  transpire_result_release(run(ids, device, &info));
  CHECK(((uint64_t*)out)[0] == 3 && ((uint64_t*)out)[1] == 6 && ((uint64_t*)out)[2] == 2);
  OK(transpire_launch_set_size(ids, 2, sizes, zeros, NULL, &error));
  result = run(ids, device, &info);
  CHECK(((uint64_t*)out)[0] == 0 && info->work_items == 24 && info->local_size[0] >= 1);
  transpire_result_release(result);
  transpire_launch_release(ids);
  transpire_buffer_release(out_buffer);
}

static void test_printf_and_checks(const transpire_module* kernels,
                                   const transpire_device* device) {
  const transpire_result_info* info = NULL;
  const int forty_two = 42, zero = 0, three = 3;
  transpire_launch* say = make_launch(kernels, "say", 1);
  OK(transpire_launch_set_value(say, 0, &forty_two, 4, &error));
  transpire_result* result = run(say, device, &info);
  CHECK_TEXT(info->printf_output, "x=42\n");
  CHECK(info->printf_bytes == 5);
  transpire_result_release(result);
  OK(transpire_launch_set_limit(say, TRANSPIRE_LIMIT_PRINTF_BYTES, 1, &error));
  result = run(say, device, &info);
  CHECK(info->printf_bytes == 0 && info->finding_count == 1);
  CHECK(info->findings[0]->diagnostic->severity == TRANSPIRE_WARNING);
  transpire_result_release(result);
  transpire_launch_release(say);

  const struct {
    const char* kernel;
    const int* value;
    uint32_t check;
    const char* rule;
  } checks[2] = {{"divide", &zero, TRANSPIRE_CHECK_UB, ""},
                 {"pick", &three, TRANSPIRE_CHECK_BOUNDS, "TSP-R0028"}};
  for (int i = 0; i < 2; ++i) {
    void* out;
    transpire_launch* launch = make_launch(kernels, checks[i].kernel, 1);
    transpire_buffer* buffer = set_new_buffer(launch, 0, 4, "out", &out);
    OK(transpire_launch_set_value(launch, 1, checks[i].value, 4, &error));
    OK(transpire_launch_set_checks(launch, TRANSPIRE_REFERENCE, &error));
    result = run(launch, device, &info);
    CHECK(info->finding_count == 0);
    transpire_result_release(result);
    OK(transpire_launch_set_checks(launch, checks[i].check, &error));
    result = run(launch, device, &info);
    CHECK(info->finding_count == 1);
    if (info->finding_count == 1 && checks[i].rule[0] != 0)
      CHECK_TEXT(info->findings[0]->diagnostic->rule, checks[i].rule);
    transpire_result_release(result);
    transpire_launch_release(launch);
    transpire_buffer_release(buffer);
  }
}

static bool cancel_later(uint64_t done, uint64_t total, void* user) {
  CHECK(done <= total && total == 1);
  return ++*(int*)user < 2;
}

static void test_limits_and_progress(const transpire_module* kernels,
                                     const transpire_device* device) {
  const transpire_result_info* info = NULL;
  void* flag;
  int calls = 0;
  transpire_launch* spin = make_launch(kernels, "spin", 1);
  transpire_buffer* buffer = set_new_buffer(spin, 0, 4, "flag", &flag);
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_STEPS, 1000, &error));
  transpire_result* result = run(spin, device, &info);
  CHECK(info->end == TRANSPIRE_END_STEP_LIMIT && info->finding_count == 1);
  transpire_result_release(result);
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_STEPS, 0, &error));
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_MILLISECONDS, 20, &error));
  result = run(spin, device, &info);
  CHECK(info->end == TRANSPIRE_END_TIME_LIMIT);
  transpire_result_release(result);
  OK(transpire_launch_set_limit(spin, TRANSPIRE_LIMIT_MILLISECONDS, 0, &error));
  OK(transpire_launch_set_progress(spin, cancel_later, &calls, &error));
  result = run(spin, device, &info);
  CHECK(info->end == TRANSPIRE_END_CANCELLED && calls >= 2);
  transpire_result_release(result);
  *(int*)flag = 1;
  OK(transpire_launch_set_progress(spin, NULL, NULL, &error));
  result = run(spin, device, &info);
  CHECK(info->end == TRANSPIRE_END_COMPLETED);
  transpire_result_release(result);
  transpire_launch_release(spin);
  transpire_buffer_release(buffer);
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
  transpire_buffer* buffer = set_new_buffer(walk, 1, 4, "out", &out);
  OK(transpire_launch_set_shared_memory(walk, memory, &error));
  OK(transpire_launch_set_pointer(walk, 0, first, &error));
  transpire_shared_memory_release(memory);  // the launch keeps it
  const transpire_result_info* info = NULL;
  transpire_result* result = run(walk, device, &info);
  CHECK(info->finding_count == 0 && *(int*)out == 42);
  transpire_result_release(result);
  transpire_buffer_release(buffer);
  transpire_launch_release(walk);
}

static void test_wrong_ranges(const transpire_result_log* log, const transpire_buffer* buffer,
                              transpire_legal_range range) {
  FAILS(TRANSPIRE_INVALID_ARGUMENT,
        "error[TSP-C0040]: expected a number of 8 bytes in a buffer of 16, found offset 12",
        transpire_result_log_get_range(log, buffer, 12, TRANSPIRE_DOUBLE, TRANSPIRE_PROFILE_FULL,
                                       &range, &error));
  FAILS(TRANSPIRE_INVALID_ARGUMENT, "error[TSP-C0040]: expected 0, 1 or 2 as 'float_type', found 3",
        transpire_result_log_get_range(log, buffer, 0, 3, TRANSPIRE_PROFILE_FULL, &range, &error));
  FAILS(TRANSPIRE_INVALID_ARGUMENT, "error[TSP-C0040]: expected 0 or 1 as 'profile', found 2",
        transpire_result_log_get_range(log, buffer, 0, TRANSPIRE_FLOAT, 2, &range, &error));
  FAILS(TRANSPIRE_INVALID_ARGUMENT, "error[TSP-C0040]: expected a pointer as 'range', found null",
        transpire_result_log_get_range(log, buffer, 0, TRANSPIRE_FLOAT, TRANSPIRE_PROFILE_FULL,
                                       NULL, &error));
  range.struct_size = 8;
  FAILS(TRANSPIRE_INVALID_ARGUMENT, "error[TSP-C0040]: expected 56 as 'struct_size', found 8",
        transpire_result_log_get_range(log, buffer, 0, TRANSPIRE_FLOAT, TRANSPIRE_PROFILE_FULL,
                                       &range, &error));
}

static void test_ranges(const transpire_module* kernels, const transpire_device* device) {
  transpire_launch* launch = make_launch(kernels, "waves", 4);
  void *x, *y, *native;
  transpire_buffer* x_buffer = set_new_buffer(launch, 0, 16, "x", &x);
  transpire_buffer* y_buffer = set_new_buffer(launch, 1, 16, "y", &y);
  transpire_buffer* native_buffer = set_new_buffer(launch, 2, 16, "native", &native);
  for (int i = 0; i < 4; ++i) ((float*)x)[i] = (float)(i + 1);
  transpire_result_log* log = NULL;
  OK(transpire_result_log_create(&log, &error));
  OK(transpire_launch_set_result_log(launch, log, &error));
  const transpire_result_info* info = NULL;
  transpire_result_release(run(launch, device, &info));
  transpire_legal_range range = {.struct_size = sizeof range};
  OK(transpire_result_log_get_range(log, y_buffer, 8, TRANSPIRE_FLOAT, TRANSPIRE_PROFILE_FULL,
                                    &range, &error));
  CHECK_TEXT(range.operation, "sin");
  CHECK(!range.is_open && range.ulp >= 4 && range.value == ((float*)y)[2]);
  CHECK(range.low < range.value && range.value < range.high && range.high - range.low < 1e-6);
  CHECK(transpire_legal_range_allows(&range, range.low) &&
        transpire_legal_range_allows(&range, range.high));
  CHECK(!transpire_legal_range_allows(&range, range.value + 1e-6) &&
        !transpire_legal_range_allows(NULL, 0));
  OK(transpire_result_log_get_range(log, native_buffer, 12, TRANSPIRE_FLOAT, TRANSPIRE_PROFILE_FULL,
                                    &range, &error));
  CHECK(range.is_open && transpire_legal_range_allows(&range, 1e30));
  test_wrong_ranges(log, y_buffer, range);
  OK(transpire_result_log_clear(log, &error));
  OK(transpire_result_log_get_range(log, y_buffer, 8, TRANSPIRE_FLOAT, TRANSPIRE_PROFILE_FULL,
                                    &range, &error));
  CHECK_TEXT(range.operation, "");
  CHECK(range.low == range.value && range.high == range.value);
  OK(transpire_launch_set_result_log(launch, NULL, &error));
  transpire_result_release(run(launch, device, &info));
  OK(transpire_result_log_get_range(log, y_buffer, 8, TRANSPIRE_FLOAT, TRANSPIRE_PROFILE_EMBEDDED,
                                    &range, &error));
  CHECK_TEXT(range.operation, "");
  transpire_launch_release(launch);
  transpire_buffer_release(x_buffer);
  transpire_buffer_release(y_buffer);
  transpire_buffer_release(native_buffer);
  transpire_result_log_release(log);
}

// False when there is no compiler for OpenCL C.
static bool test_launches(const transpire_device* device) {
  const char* const build_options[1] = {"-DUNUSED=1"};
  transpire_load_options options = {.struct_size = sizeof options};
  options.build_options = build_options;
  options.build_option_count = 1;
  options.unoptimised_source = true;
  transpire_module* kernels = NULL;
  if (transpire_module_load_file(path_of("kernels.cl"), &options, &kernels, &error) !=
      TRANSPIRE_OK) {
    const bool no_compiler = strstr(transpire_error_text(error), "TSP-C0031") != NULL;
    check(no_compiler, __LINE__, transpire_error_text(error));
    transpire_error_release(error);
    return false;
  }
  test_saxpy(kernels, device);
  test_argument_kinds(kernels, device);
  test_printf_and_checks(kernels, device);
  test_limits_and_progress(kernels, device);
  test_shared_launch(kernels, device);
  test_ranges(kernels, device);
  transpire_module_release(kernels);
  return true;
}

/// The library's own data live as long as the process.
static void test_exit(void) {
  const char* const* names = NULL;
  size_t count = 0;
  const bool told = transpire_get_isas(&names, &count, NULL) == TRANSPIRE_OK;
  if (!told || count == 0 || strcmp(names[0], "baseline") != 0) _Exit(1);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  atexit(test_exit);
  folder = argv[1];
  test_version_and_rules();
  test_errors();
  test_modules();
  test_buffers();
  test_shared_memory();
  test_devices();
  transpire_module* shapes = load("shapes.spvasm");
  transpire_device* device = NULL;
  OK(transpire_device_create(NULL, 2, &device, &error));
  test_wrong_launches(shapes, device);
  transpire_module_release(shapes);
  if (!test_launches(device)) puts("no compiler for OpenCL C: not everything was tested");
  transpire_device_release(device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
