// Images, samplers and pipes: refused, after the checks of arguments.
#include <CL/cl_gl.h>
#include <doctest/doctest.h>

#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

const cl_image_format kFormat{CL_RGBA, CL_FLOAT};

}  // namespace

TEST_CASE("unsupported: creating images") {
  const Setup setup;
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  const auto create = [&](cl_context context, cl_mem_flags flags, const cl_image_format* format,
                          const cl_image_desc* descriptor) {
    return error_of([&](cl_int* error) {
      return clCreateImage(context, flags, format, descriptor, nullptr, error);
    });
  };
  CHECK(create(nullptr, 0, &kFormat, &desc) == CL_INVALID_CONTEXT);
  CHECK(create(setup.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &kFormat, &desc) ==
        CL_INVALID_VALUE);
  CHECK(create(setup.context, 0, nullptr, &desc) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(create(setup.context, 0, &kFormat, nullptr) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(create(setup.context, 0, &kFormat, &desc) == CL_INVALID_OPERATION);
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  CHECK(error_of([&](cl_int* error) {
          return clCreateImageWithProperties(setup.context, unknown, 0, &kFormat, &desc, nullptr,
                                             error);
        }) == CL_INVALID_PROPERTY);
  CHECK(error_of([&](cl_int* error) {
          return clCreateImageWithProperties(setup.context, nullptr, 0, &kFormat, &desc, nullptr,
                                             error);
        }) == CL_INVALID_OPERATION);
  CHECK(error_of([&](cl_int* error) {
          return clCreateImage2D(setup.context, 0, &kFormat, 0, 4, 0, nullptr, error);
        }) == CL_INVALID_IMAGE_SIZE);
  CHECK(error_of([&](cl_int* error) {
          return clCreateImage3D(setup.context, 0, &kFormat, 4, 4, 4, 0, 0, nullptr, error);
        }) == CL_INVALID_OPERATION);
}

TEST_CASE("unsupported: there are no image formats") {
  const Setup setup;
  cl_uint count = 99;
  const auto formats = [&](cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                           cl_uint entries, cl_image_format* list) {
    return clGetSupportedImageFormats(context, flags, type, entries, list, &count);
  };
  cl_image_format list[1];
  CHECK(formats(setup.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 1, list) == CL_SUCCESS);
  CHECK(count == 0);
  CHECK(formats(setup.context, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE3D, 0, nullptr) ==
        CL_SUCCESS);
  CHECK(formats(nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr) == CL_INVALID_CONTEXT);
  CHECK(formats(setup.context, 0, CL_MEM_OBJECT_BUFFER, 0, nullptr) == CL_INVALID_VALUE);
  CHECK(formats(setup.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list) == CL_INVALID_VALUE);
}

TEST_CASE("unsupported: image commands") {
  const Setup setup;
  const cl_mem buffer = clCreateBuffer(setup.context, 0, 64, nullptr, nullptr);
  const std::size_t at[3] = {};
  const std::size_t region[3] = {1, 1, 1};
  char data[64];
  const auto read = [&](cl_command_queue queue, cl_mem image, void* pointer, cl_uint count,
                        const cl_event* list) {
    return clEnqueueReadImage(queue, image, CL_TRUE, at, region, 0, 0, pointer, count, list,
                              nullptr);
  };
  CHECK(read(nullptr, buffer, data, 0, nullptr) == CL_INVALID_COMMAND_QUEUE);
  CHECK(read(setup.queue, nullptr, data, 0, nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(read(setup.queue, setup.foreign_buffer, data, 0, nullptr) == CL_INVALID_CONTEXT);
  CHECK(read(setup.queue, buffer, nullptr, 0, nullptr) == CL_INVALID_VALUE);
  CHECK(read(setup.queue, buffer, data, 1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(read(setup.queue, buffer, data, 0, nullptr) == CL_INVALID_OPERATION);
  CHECK(clEnqueueWriteImage(setup.queue, buffer, CL_TRUE, at, region, 0, 0, data, 0, nullptr,
                            nullptr) == CL_INVALID_OPERATION);
  CHECK(clEnqueueFillImage(setup.queue, buffer, data, at, region, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueFillImage(setup.queue, buffer, nullptr, at, region, 0, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clEnqueueCopyImage(setup.queue, buffer, buffer, at, at, region, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyImageToBuffer(setup.queue, buffer, buffer, at, region, 0, 0, nullptr,
                                   nullptr) == CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyBufferToImage(setup.queue, buffer, buffer, 0, at, region, 0, nullptr,
                                   nullptr) == CL_INVALID_OPERATION);
  std::size_t pitch = 0;
  const auto map = [&](cl_map_flags flags, std::size_t* row_pitch) {
    return error_of([&](cl_int* error) {
      return clEnqueueMapImage(setup.queue, buffer, CL_TRUE, flags, at, region, row_pitch, nullptr,
                               0, nullptr, nullptr, error);
    });
  };
  CHECK(map(CL_MAP_READ, &pitch) == CL_INVALID_OPERATION);
  CHECK(map(CL_MAP_READ, nullptr) == CL_INVALID_VALUE);
  CHECK(map(1u << 20, &pitch) == CL_INVALID_VALUE);
  CHECK(clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof pitch, &pitch, nullptr) ==
        CL_INVALID_MEM_OBJECT);
  clReleaseMemObject(buffer);
}

TEST_CASE("unsupported: samplers") {
  const Setup setup;
  const auto create = [&](cl_context context, const std::vector<cl_sampler_properties>& list) {
    return error_of(
        [&](cl_int* error) { return clCreateSamplerWithProperties(context, list.data(), error); });
  };
  CHECK(create(nullptr, {0}) == CL_INVALID_CONTEXT);
  CHECK(create(setup.context, {0}) == CL_INVALID_OPERATION);
  CHECK(create(setup.context, {0x7777, 0, 0}) == CL_INVALID_VALUE);
  CHECK(create(setup.context, {CL_SAMPLER_FILTER_MODE, 1, 0}) == CL_INVALID_VALUE);
  CHECK(create(setup.context, {CL_SAMPLER_ADDRESSING_MODE, 1, 0}) == CL_INVALID_VALUE);
  CHECK(create(setup.context, {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, CL_SAMPLER_NORMALIZED_COORDS,
                               CL_TRUE, 0}) == CL_INVALID_VALUE);
  CHECK(error_of([&](cl_int* error) {
          return clCreateSampler(setup.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, error);
        }) == CL_INVALID_OPERATION);
  CHECK(error_of([&](cl_int* error) {
          return clCreateSampler(setup.context, CL_TRUE, 1, CL_FILTER_LINEAR, error);
        }) == CL_INVALID_VALUE);
}

TEST_CASE("unsupported: pipes") {
  const Setup setup;
  const auto create = [&](cl_mem_flags flags, cl_uint packet, cl_uint packets) {
    return error_of([&](cl_int* error) {
      return clCreatePipe(setup.context, flags, packet, packets, nullptr, error);
    });
  };
  CHECK(create(0, 4, 4) == CL_INVALID_OPERATION);
  CHECK(create(CL_MEM_READ_ONLY, 4, 4) == CL_INVALID_VALUE);
  CHECK(create(0, 0, 4) == CL_INVALID_PIPE_SIZE);
  CHECK(create(0, 4, 0) == CL_INVALID_PIPE_SIZE);
  cl_uint size = 0;
  CHECK(clGetPipeInfo(setup.foreign_buffer, CL_PIPE_PACKET_SIZE, sizeof size, &size, nullptr) ==
        CL_INVALID_MEM_OBJECT);
}

TEST_CASE("unsupported: what the loader exports for OpenGL refuses") {
  const Setup setup;
  CHECK(error_of([&](cl_int* error) { return clCreateFromGLBuffer(setup.context, 0, 1, error); }) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueAcquireGLObjects(setup.queue, 0, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
}

}  // namespace transpire::test
