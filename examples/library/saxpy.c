// Runs the kernel of saxpy.cl from C, and prints what it got and what Transpire found.
//
//   cc saxpy.c $(pkg-config --cflags --libs transpire) -o saxpy && ./saxpy ../saxpy.cl
#include <stdio.h>
#include <stdlib.h>
#include <transpire/transpire.h>

static transpire_error* error = NULL;

// Ends the program when a call failed.
static void must(transpire_status status) {
  if (status == TRANSPIRE_OK) return;
  fputs(transpire_error_text(error), stderr);
  exit(1);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fputs("usage: saxpy FILE\n", stderr);
    return 2;
  }
  transpire_module* module = NULL;
  must(transpire_module_load_file(argv[1], NULL, &module, &error));
  const transpire_kernel* kernel = NULL;
  must(transpire_module_find_kernel(module, "saxpy", &kernel, &error));
  printf("%s(", kernel->name);
  for (size_t i = 0; i < kernel->parameter_count; ++i)
    printf("%s%s %s", i == 0 ? "" : ", ", kernel->parameters[i]->type->spelling,
           kernel->parameters[i]->name);
  puts(")");

  // One element less than there are work-items, so that there is something to find.
  enum { kItems = 1024 };
  float y[kItems - 1], x[kItems];
  for (int i = 0; i < kItems; ++i) x[i] = 2;
  for (int i = 0; i < kItems - 1; ++i) y[i] = (float)i;
  transpire_buffer *y_buffer = NULL, *x_buffer = NULL;
  must(transpire_buffer_wrap(y, sizeof y, "y", &y_buffer, &error));
  must(transpire_buffer_wrap(x, sizeof x, "x", &x_buffer, &error));

  transpire_launch* launch = NULL;
  const uint64_t items = kItems;
  const float a = 3;
  must(transpire_launch_create(module, "saxpy", &launch, &error));
  must(transpire_launch_set_size(launch, 1, &items, NULL, NULL, &error));
  must(transpire_launch_set_buffer(launch, 0, y_buffer, 0, &error));
  must(transpire_launch_set_buffer(launch, 1, x_buffer, 0, &error));
  must(transpire_launch_set_value(launch, 2, &a, sizeof a, &error));

  transpire_device* device = NULL;
  transpire_result* result = NULL;
  const transpire_result_info* info = NULL;
  must(transpire_device_create(NULL, 0, &device, &error));
  must(transpire_launch_run(launch, device, &result, &error));
  must(transpire_result_get_info(result, &info, &error));
  printf("y[0..2] = %g %g %g, %llu work-items\n", y[0], y[1], y[2],
         (unsigned long long)info->work_items);
  for (size_t i = 0; i < info->finding_count; ++i)
    fputs(info->findings[i]->diagnostic->text, stdout);

  transpire_result_release(result);
  transpire_device_release(device);
  transpire_launch_release(launch);
  transpire_buffer_release(x_buffer);
  transpire_buffer_release(y_buffer);
  transpire_module_release(module);
  return 0;
}
