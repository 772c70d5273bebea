/* A pipe that is filled, read from, emptied, and at last used wrongly: 4 launches. */
#include "tests/opencl/programs/host.h"

static cl_program program(void) {
  return program_of(
      "kernel void put(write_only pipe int to, global int *failed) {\n"
      "  const int value = get_global_id(0) + 1;\n"
      "  if (write_pipe(to, &value) != 0) atomic_inc(failed);\n"
      "}\n"
      "kernel void take(read_only pipe int from, global int *to) {\n"
      "  read_pipe(from, to + get_global_id(0));\n"
      "}\n"
      "typedef struct { int weight; char tag[3]; } Thing;\n"
      "kernel void misuse(read_only pipe int empty, write_only pipe Thing things, global int *to) "
      "{\n"
      "  const reserve_id_t none = reserve_read_pipe(empty, 4);\n"
      "  read_pipe(empty, none, 0, to);\n"
      "  const Thing thing = {7, {1, 2, 3}};\n"
      "  write_pipe(things, &thing);\n"
      "}\n",
      "-cl-std=CL3.0");
}

static cl_mem pipe_of(cl_uint packet_bytes, cl_uint packets) {
  cl_int code;
  const cl_mem pipe = clCreatePipe(context, 0, packet_bytes, packets, NULL, &code);
  CHECK(code);
  return pipe;
}

int main(void) {
  open_device();
  const cl_program built = program();
  int numbers[64] = {0};
  const cl_mem pipe = pipe_of(4, 40);
  const cl_mem failed = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
  const cl_mem to = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
  const cl_kernel put = kernel_of(built, "put");
  set_buffer(put, 0, pipe);
  set_buffer(put, 1, failed);
  launch(put, 50, 50);
  const cl_kernel take = kernel_of(built, "take");
  set_buffer(take, 0, pipe);
  set_buffer(take, 1, to);
  launch(take, 10, 10);
  launch(take, 64, 64);
  const cl_kernel misuse = kernel_of(built, "misuse");
  set_buffer(misuse, 0, pipe);
  set_buffer(misuse, 1, pipe_of(8, 3));
  set_buffer(misuse, 2, to);
  launch(misuse, 2, 2);
  read_back(failed, sizeof numbers, numbers);
  EXPECT(numbers[0] == 10);
  return 0;
}
