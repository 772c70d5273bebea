// Bad arguments of functions on pipes, and pipes as bad arguments of functions on other memory objects.
#include "tests/opencl/refusals.h"

namespace transpire::test {
namespace {

struct Pipes : Setup {
  cl_mem pipe = clCreatePipe(context, 0, 4, 16, nullptr, nullptr);
  cl_mem buffer = clCreateBuffer(context, 0, 4096, nullptr, nullptr);
  cl_mem image = nullptr;
  Pipes() {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 4;
    image = clCreateImage(context, 0, &kFormat, &desc, nullptr, nullptr);
    REQUIRE((pipe != nullptr && buffer != nullptr && image != nullptr));
  }
  ~Pipes() {
    for (const cl_mem memory : {pipe, buffer, image}) clReleaseMemObject(memory);
  }
  static constexpr cl_image_format kFormat{CL_RGBA, CL_UNSIGNED_INT8};
};

constexpr std::size_t kZero[3] = {0, 0, 0}, kOne[3] = {1, 1, 1};

}  // namespace

TEST_CASE("refusals: pipes") {
  const Pipes setup;
  const cl_context context = setup.context;
  for (const cl_context none : bad<cl_context>())
    REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_CONTEXT, none, 0, 4, 4, nullptr);
  const cl_pipe_properties empty[] = {0};
  for (const cl_mem_flags flags :
       {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_ALLOC_HOST_PTR, CL_MEM_HOST_READ_ONLY})
    REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_VALUE, context, flags, 4, 4, nullptr);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_VALUE, context, 0, 4, 4, empty);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_PIPE_SIZE, context, 0, 0, 4, nullptr);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_PIPE_SIZE, context, 0, 4, 0, nullptr);
  const auto most = info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_PIPE_SIZE, context, 0, most + 1, 4, nullptr);
  REFUSES_TO_MAKE(clCreatePipe, CL_MEM_OBJECT_ALLOCATION_FAILURE, context, 0, most, ~cl_uint{0},
                  nullptr);
  cl_ushort small = 0;
  for (const cl_mem none : bad<cl_mem>())
    REFUSES(clGetPipeInfo, CL_INVALID_MEM_OBJECT, none, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr);
  for (const cl_mem other : {setup.buffer, setup.image})
    REFUSES(clGetPipeInfo, CL_INVALID_MEM_OBJECT, other, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr);
  REFUSES(clGetPipeInfo, CL_INVALID_VALUE, setup.pipe, CL_MEM_SIZE, 0, nullptr, nullptr);
  REFUSES(clGetPipeInfo, CL_INVALID_VALUE, setup.pipe, CL_PIPE_MAX_PACKETS, sizeof small, &small,
          nullptr);
}

TEST_CASE("refusals: a pipe in the place of a buffer") {
  const Pipes setup;
  const cl_command_queue q = setup.queue;
  const cl_mem pipe = setup.pipe, buffer = setup.buffer;
  char data[64] = {};
  const cl_buffer_region part{0, 16};
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_MEM_OBJECT, pipe, 0, CL_BUFFER_CREATE_TYPE_REGION,
                  &part);
  REFUSES(clEnqueueReadBuffer, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, 0, 4, data, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueWriteBuffer, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, 0, 4, data, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueReadBufferRect, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, kZero, kZero, kOne, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteBufferRect, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, kZero, kZero, kOne, 0,
          0, 0, 0, data, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_MEM_OBJECT, q, pipe, buffer, 0, 0, 4, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyBuffer, CL_INVALID_MEM_OBJECT, q, buffer, pipe, 0, 0, 4, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_MEM_OBJECT, q, pipe, buffer, kZero, kZero, kOne, 0, 0,
          0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferRect, CL_INVALID_MEM_OBJECT, q, buffer, pipe, kZero, kZero, kOne, 0, 0,
          0, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueFillBuffer, CL_INVALID_MEM_OBJECT, q, pipe, data, 4, 0, 4, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapBuffer, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0,
                  nullptr, nullptr);
  REFUSES(clEnqueueUnmapMemObject, CL_INVALID_MEM_OBJECT, q, pipe, data, 0, nullptr, nullptr);
  const void* locations[] = {data};
  const auto do_nothing = [](void*) {};
  REFUSES(clEnqueueNativeKernel, CL_INVALID_MEM_OBJECT, q, do_nothing, data, 8, 1, &pipe, locations,
          0, nullptr, nullptr);
}

TEST_CASE("refusals: a pipe in the place of an image") {
  const Pipes setup;
  const cl_command_queue q = setup.queue;
  const cl_mem pipe = setup.pipe, image = setup.image;
  char data[64] = {};
  std::size_t pitch = 0;
  REFUSES(clGetImageInfo, CL_INVALID_MEM_OBJECT, pipe, CL_IMAGE_WIDTH, 0, nullptr, nullptr);
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D}) {
    cl_image_desc desc{};
    desc.image_type = type;
    desc.image_width = desc.image_height = 1;
    desc.mem_object = pipe;
    REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_DESCRIPTOR, setup.context, 0, &Pipes::kFormat,
                    &desc, nullptr);
  }
  REFUSES(clEnqueueReadImage, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, kZero, kOne, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, kZero, kOne, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyImage, CL_INVALID_MEM_OBJECT, q, pipe, image, kZero, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImage, CL_INVALID_MEM_OBJECT, q, image, pipe, kZero, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MEM_OBJECT, q, pipe, setup.buffer, kZero, kOne, 0,
          0, nullptr, nullptr);
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MEM_OBJECT, q, image, pipe, kZero, kOne, 0, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MEM_OBJECT, q, pipe, image, 0, kZero, kOne, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MEM_OBJECT, q, setup.buffer, pipe, 0, kZero, kOne,
          0, nullptr, nullptr);
  REFUSES(clEnqueueFillImage, CL_INVALID_MEM_OBJECT, q, pipe, data, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_MEM_OBJECT, q, pipe, CL_TRUE, CL_MAP_READ, kZero,
                  kOne, &pitch, nullptr, 0, nullptr, nullptr);
}

TEST_CASE("refusals: arguments of kernels that have pipes") {
  const Pipes setup;
  const char* source =
      "kernel void k(write_only pipe int4 to, global int4 *from, read_only image2d_t image) {\n"
      "  write_pipe(to, from);\n"
      "}\n";
  const cl_program program = clCreateProgramWithSource(setup.context, 1, &source, nullptr, nullptr);
  REQUIRE(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS);
  const cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  REQUIRE((kernel != nullptr));
  const cl_mem none = nullptr, wrong = bad<cl_mem>()[1];
  const cl_mem fitting = clCreatePipe(setup.context, 0, 16, 4, nullptr, nullptr);
  const cl_mem foreign = clCreatePipe(setup.other_context, 0, 16, 4, nullptr, nullptr);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_SIZE, kernel, 0, 4, &fitting);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_VALUE, kernel, 0, sizeof none, &setup.pipe);
  REFUSES(clSetKernelArg, CL_INVALID_MEM_OBJECT, kernel, 0, sizeof none, nullptr);
  for (const cl_mem memory : {none, wrong, foreign, setup.buffer, setup.image})
    REFUSES(clSetKernelArg, CL_INVALID_MEM_OBJECT, kernel, 0, sizeof memory, &memory);
  REFUSES(clSetKernelArg, CL_INVALID_MEM_OBJECT, kernel, 1, sizeof fitting, &fitting);
  REFUSES(clSetKernelArg, CL_INVALID_MEM_OBJECT, kernel, 2, sizeof fitting, &fitting);
  REFUSES(clSetKernelArgSVMPointer, CL_INVALID_ARG_VALUE, kernel, 0, nullptr);
  CHECK(clSetKernelArg(kernel, 0, sizeof fitting, &fitting) == CL_SUCCESS);
  for (const cl_mem memory : {fitting, foreign}) clReleaseMemObject(memory);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

}  // namespace transpire::test
