/* What the host programs of these tests have in common: a context, a queue, and an end on any error. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void die(const char* what, cl_int code) {
  fprintf(stderr, "%s failed: %d\n", what, code);
  exit(9);
}

#define CHECK(call)                             \
  do {                                          \
    const cl_int code_ = (call);                \
    if (code_ != CL_SUCCESS) die(#call, code_); \
  } while (0)
#define EXPECT(condition)                 \
  do {                                    \
    if (!(condition)) die(#condition, 0); \
  } while (0)

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static inline void open_device(void) {
  cl_int code;
  cl_platform_id platform;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  CHECK(code);
  queue = clCreateCommandQueue(context, device, 0, &code);
  CHECK(code);
}

static inline void build(cl_program program, const char* options) {
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS) return;
  static char log[1 << 16];
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  fprintf(stderr, "%s\n", log);
  exit(9);
}

static inline cl_program program_of(const char* source, const char* options) {
  cl_int code;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  CHECK(code);
  build(program, options);
  return program;
}

static inline cl_kernel kernel_of(cl_program program, const char* name) {
  cl_int code;
  const cl_kernel kernel = clCreateKernel(program, name, &code);
  CHECK(code);
  return kernel;
}

static inline cl_mem buffer_of(cl_mem_flags flags, size_t bytes, void* data) {
  cl_int code;
  const cl_mem buffer = clCreateBuffer(context, flags, bytes, data, &code);
  CHECK(code);
  return buffer;
}

static inline void set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer) {
  CHECK(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

static inline void launch(cl_kernel kernel, size_t global, size_t local) {
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local == 0 ? NULL : &local, 0, NULL,
                               NULL));
}

static inline void read_back(cl_mem buffer, size_t bytes, void* data) {
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}
