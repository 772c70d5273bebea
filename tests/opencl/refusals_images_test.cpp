// Bad arguments of functions on images, samplers, pipes and objects of OpenGL and EGL, none of
// which the device has. OpenCL 2.2 API, sections 5.3, 5.4 and 5.7.
#include <CL/cl_gl.h>

#include "tests/opencl/refusals.h"

namespace transpire::test {
namespace {

const cl_image_format kFormat{CL_RGBA, CL_FLOAT};
constexpr std::size_t kZero[3] = {}, kOne[3] = {1, 1, 1};

/// With a buffer, which is no image, and memory of the host.
struct NoImages : Setup {
  cl_mem buffer = clCreateBuffer(context, 0, 1024, nullptr, nullptr);
  char data[4096] = {};

  ~NoImages() { clReleaseMemObject(buffer); }
};

}  // namespace

TEST_CASE("refusals: images, which the device does not have") {
  NoImages setup;
  const cl_context context = setup.context;
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  constexpr cl_mem_flags kTwo = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
  cl_image_format list[1];
  cl_uint count = 0;
  for (const cl_context none : bad<cl_context>()) {
    REFUSES_TO_MAKE(clCreateImage, CL_INVALID_CONTEXT, none, 0, &kFormat, &desc, nullptr);
    REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_CONTEXT, none, nullptr, 0, &kFormat,
                    &desc, nullptr);
    REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_CONTEXT, none, 0, &kFormat, 4, 4, 0, nullptr);
    REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_CONTEXT, none, 0, &kFormat, 4, 4, 4, 0, 0, nullptr);
    REFUSES(clGetSupportedImageFormats, CL_INVALID_CONTEXT, none, 0, CL_MEM_OBJECT_IMAGE2D, 0,
            nullptr, &count);
  }
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_VALUE, context, kTwo, &kFormat, &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, 0, nullptr, &desc,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_DESCRIPTOR, context, 0, &kFormat, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_OPERATION, context, 0, &kFormat, &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_PROPERTY, context, unknown, 0, &kFormat,
                  &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_VALUE, context, nullptr, kTwo, &kFormat,
                  &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, nullptr,
                  0, nullptr, &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_IMAGE_DESCRIPTOR, context, nullptr, 0,
                  &kFormat, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_OPERATION, context, nullptr, 0, &kFormat,
                  &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_VALUE, context, kTwo, &kFormat, 4, 4, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, 0, nullptr, 4, 4, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 0, 4, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 4, 0, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_OPERATION, context, 0, &kFormat, 4, 4, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_VALUE, context, kTwo, &kFormat, 4, 4, 4, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, 0, nullptr, 4, 4, 4,
                  0, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 0, 4, 4, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 4, 4, 0, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_OPERATION, context, 0, &kFormat, 4, 4, 4, 0, 0,
                  nullptr);
  REFUSES(clGetSupportedImageFormats, CL_INVALID_VALUE, context, kTwo, CL_MEM_OBJECT_IMAGE2D, 0,
          nullptr, &count);
  REFUSES(clGetSupportedImageFormats, CL_INVALID_VALUE, context, 0, CL_MEM_OBJECT_BUFFER, 0,
          nullptr, &count);
  REFUSES(clGetSupportedImageFormats, CL_INVALID_VALUE, context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list,
          &count);
}

TEST_CASE("refusals: commands on images of no queue, memory or context") {
  NoImages setup;
  const cl_mem image = setup.buffer, foreign = setup.foreign_buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  for (const cl_command_queue q : bad<cl_command_queue>()) {
    REFUSES(clEnqueueReadImage, CL_INVALID_COMMAND_QUEUE, q, image, CL_TRUE, kZero, kOne, 0, 0,
            data, 0, nullptr, nullptr);
    REFUSES(clEnqueueWriteImage, CL_INVALID_COMMAND_QUEUE, q, image, CL_TRUE, kZero, kOne, 0, 0,
            data, 0, nullptr, nullptr);
    REFUSES(clEnqueueFillImage, CL_INVALID_COMMAND_QUEUE, q, image, data, kZero, kOne, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueCopyImage, CL_INVALID_COMMAND_QUEUE, q, image, image, kZero, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_COMMAND_QUEUE, q, image, image, kZero, kOne, 0,
            0, nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_COMMAND_QUEUE, q, image, image, 0, kZero, kOne,
            0, nullptr, nullptr);
    REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_COMMAND_QUEUE, q, image, CL_TRUE, CL_MAP_READ,
                    kZero, kOne, &pitch, nullptr, 0, nullptr, nullptr);
  }
  const cl_command_queue q = setup.queue;
  for (const cl_mem none : bad<cl_mem>()) {
    REFUSES(clEnqueueReadImage, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, kZero, kOne, 0, 0, data, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueWriteImage, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, kZero, kOne, 0, 0, data,
            0, nullptr, nullptr);
    REFUSES(clEnqueueFillImage, CL_INVALID_MEM_OBJECT, q, none, data, kZero, kOne, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueCopyImage, CL_INVALID_MEM_OBJECT, q, none, image, kZero, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyImage, CL_INVALID_MEM_OBJECT, q, image, none, kZero, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MEM_OBJECT, q, none, image, kZero, kOne, 0, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MEM_OBJECT, q, image, none, kZero, kOne, 0, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MEM_OBJECT, q, none, image, 0, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MEM_OBJECT, q, image, none, 0, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, CL_MAP_READ, kZero,
                    kOne, &pitch, nullptr, 0, nullptr, nullptr);
  }
  REFUSES(clEnqueueReadImage, CL_INVALID_CONTEXT, q, foreign, CL_TRUE, kZero, kOne, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_CONTEXT, q, foreign, CL_TRUE, kZero, kOne, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueFillImage, CL_INVALID_CONTEXT, q, foreign, data, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImage, CL_INVALID_CONTEXT, q, image, foreign, kZero, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_CONTEXT, q, image, foreign, kZero, kOne, 0, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_CONTEXT, q, foreign, image, 0, kZero, kOne, 0,
          nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_CONTEXT, q, foreign, CL_TRUE, CL_MAP_READ, kZero,
                  kOne, &pitch, nullptr, 0, nullptr, nullptr);
}

TEST_CASE("refusals: commands on images, which there are not") {
  NoImages setup;
  const cl_command_queue q = setup.queue;
  const cl_mem image = setup.buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  REFUSES(clEnqueueReadImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, kOne, 0, 0, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueReadImage, CL_INVALID_VALUE, q, image, CL_TRUE, nullptr, kOne, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, kOne, 0, 0, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, nullptr, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueFillImage, CL_INVALID_VALUE, q, image, nullptr, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueFillImage, CL_INVALID_VALUE, q, image, data, nullptr, kOne, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyImage, CL_INVALID_VALUE, q, image, image, nullptr, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_VALUE, q, image, image, nullptr, kOne, 0, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_VALUE, q, image, image, 0, nullptr, kOne, 0,
          nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_VALUE, q, image, CL_TRUE, 1u << 20, kZero, kOne,
                  &pitch, nullptr, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_VALUE, q, image, CL_TRUE, CL_MAP_READ, nullptr,
                  kOne, &pitch, nullptr, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_VALUE, q, image, CL_TRUE, CL_MAP_READ, kZero, kOne,
                  nullptr, nullptr, 0, nullptr, nullptr);
  REFUSES_WAITS(clEnqueueReadImage, q, image, CL_TRUE, kZero, kOne, 0, 0, data);
  REFUSES_WAITS(clEnqueueWriteImage, q, image, CL_TRUE, kZero, kOne, 0, 0, data);
  REFUSES_WAITS(clEnqueueFillImage, q, image, data, kZero, kOne);
  REFUSES_WAITS(clEnqueueCopyImage, q, image, image, kZero, kZero, kOne);
  REFUSES_WAITS(clEnqueueCopyImageToBuffer, q, image, image, kZero, kOne, 0);
  REFUSES_WAITS(clEnqueueCopyBufferToImage, q, image, image, 0, kZero, kOne);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_EVENT_WAIT_LIST, q, image, CL_TRUE, CL_MAP_READ,
                  kZero, kOne, &pitch, nullptr, 1, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_EVENT_WAIT_LIST, q, image, CL_TRUE, CL_MAP_READ,
                  kZero, kOne, &pitch, nullptr, 0, &setup.foreign_event, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_EVENT_WAIT_LIST, q, image, CL_TRUE, CL_MAP_READ,
                  kZero, kOne, &pitch, nullptr, 1, bad<cl_event>().data(), nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_CONTEXT, q, image, CL_TRUE, CL_MAP_READ, kZero,
                  kOne, &pitch, nullptr, 1, &setup.foreign_event, nullptr);
  REFUSES(clEnqueueReadImage, CL_INVALID_OPERATION, q, image, CL_TRUE, kZero, kOne, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_OPERATION, q, image, CL_TRUE, kZero, kOne, 0, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueFillImage, CL_INVALID_OPERATION, q, image, data, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImage, CL_INVALID_OPERATION, q, image, image, kZero, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_OPERATION, q, image, image, kZero, kOne, 0, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_OPERATION, q, image, image, 0, kZero, kOne, 0,
          nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_OPERATION, q, image, CL_TRUE, CL_MAP_READ, kZero,
                  kOne, &pitch, nullptr, 0, nullptr, nullptr);
}

TEST_CASE("refusals: samplers and pipes, which the device does not have") {
  const NoImages setup;
  const cl_context context = setup.context;
  for (const cl_context none : bad<cl_context>()) {
    REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_CONTEXT, none, CL_TRUE, CL_ADDRESS_CLAMP,
                    CL_FILTER_LINEAR);
    REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_CONTEXT, none, nullptr);
    REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_CONTEXT, none, 0, 4, 4, nullptr);
  }
  for (const cl_sampler none : bad<cl_sampler>()) {
    REFUSES(clRetainSampler, CL_INVALID_SAMPLER, none);
    REFUSES(clReleaseSampler, CL_INVALID_SAMPLER, none);
    REFUSES(clGetSamplerInfo, CL_INVALID_SAMPLER, none, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr);
  }
  const cl_sampler_properties unknown[] = {0x7777, 1, 0};
  const cl_sampler_properties wrong_mode[] = {CL_SAMPLER_ADDRESSING_MODE, 1, 0};
  const cl_sampler_properties wrong_filter[] = {CL_SAMPLER_FILTER_MODE, 1, 0};
  const cl_sampler_properties wrong_bool[] = {CL_SAMPLER_NORMALIZED_COORDS, 2, 0};
  const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                         CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_VALUE, context, CL_TRUE, 1, CL_FILTER_LINEAR);
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_VALUE, context, CL_TRUE, CL_ADDRESS_CLAMP, 1);
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_VALUE, context, 2, CL_ADDRESS_CLAMP,
                  CL_FILTER_LINEAR);
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_OPERATION, context, CL_TRUE, CL_ADDRESS_CLAMP,
                  CL_FILTER_LINEAR);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, unknown);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, wrong_mode);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, wrong_filter);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, wrong_bool);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, twice);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_OPERATION, context, nullptr);
  const cl_pipe_properties some[] = {1, 1, 0};
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_VALUE, context, CL_MEM_READ_ONLY, 4, 4, nullptr);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_VALUE, context, 0, 4, 4, some);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_PIPE_SIZE, context, 0, 0, 4, nullptr);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_PIPE_SIZE, context, 0, 4, 0, nullptr);
  REFUSES_TO_MAKE(clCreatePipe, CL_INVALID_OPERATION, context, 0, 4, 4, nullptr);
}

TEST_CASE("refusals: sharing with OpenGL and EGL, of which no extension is announced") {
  const NoImages setup;
  const cl_context context = setup.context;
  const cl_command_queue q = setup.queue;
  cl_gl_object_type type = 0;
  cl_GLuint name = 0;
  REFUSES_TO_MAKE(clCreateFromGLBuffer, CL_INVALID_OPERATION, context, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLTexture, CL_INVALID_OPERATION, context, 0, 0, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLTexture2D, CL_INVALID_OPERATION, context, 0, 0, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLTexture3D, CL_INVALID_OPERATION, context, 0, 0, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLRenderbuffer, CL_INVALID_OPERATION, context, 0, 1);
  REFUSES(clGetGLObjectInfo, CL_INVALID_OPERATION, setup.buffer, &type, &name);
  REFUSES(clGetGLTextureInfo, CL_INVALID_OPERATION, setup.buffer, 0, 0, nullptr, nullptr);
  REFUSES(clEnqueueAcquireGLObjects, CL_INVALID_OPERATION, q, 0, nullptr, 0, nullptr, nullptr);
  REFUSES(clEnqueueReleaseGLObjects, CL_INVALID_OPERATION, q, 0, nullptr, 0, nullptr, nullptr);
  REFUSES(clGetGLContextInfoKHR, CL_INVALID_OPERATION, nullptr, 0, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateEventFromGLsyncKHR, CL_INVALID_OPERATION, context, nullptr);
  REFUSES_TO_MAKE(clCreateFromEGLImageKHR, CL_INVALID_OPERATION, context, nullptr, nullptr, 0,
                  nullptr);
  REFUSES(clEnqueueAcquireEGLObjectsKHR, CL_INVALID_OPERATION, q, 0, nullptr, 0, nullptr, nullptr);
  REFUSES(clEnqueueReleaseEGLObjectsKHR, CL_INVALID_OPERATION, q, 0, nullptr, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateEventFromEGLSyncKHR, CL_INVALID_OPERATION, context, nullptr, nullptr);
}

}  // namespace transpire::test
