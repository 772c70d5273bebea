// Bad arguments of functions on images and samplers, and of those on objects of OpenGL and EGL, none of which the
// device has. OpenCL 2.2 API, sections 5.3 and 5.7.
#include <CL/cl_gl.h>

#include "tests/opencl/refusals.h"

namespace transpire::test {
namespace {

const cl_image_format kFormat{CL_RGBA, CL_FLOAT};
/// A format of OpenGL's, which no image has.
const cl_image_format kStencil{CL_DEPTH_STENCIL, CL_UNORM_INT24};
constexpr std::size_t kZero[3] = {}, kOne[3] = {1, 1, 1}, kNone[3] = {1, 0, 1};
constexpr std::size_t kAll[3] = {4, 4, 1}, kDeep[3] = {1, 1, 2}, kWide[3] = {5, 1, 1};
/// A level that Images::mipmap has not.
constexpr std::size_t kBeyond[3] = {0, 0, 3};
constexpr cl_mem_flags kTwo = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;

cl_image_desc plane(std::size_t width = 4, std::size_t height = 4) {
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  return desc;
}

/// With images of 4 x 4 texels, a buffer, and memory of the host.
struct Images : Setup {
  cl_mem buffer = clCreateBuffer(context, 0, 4096, nullptr, nullptr);
  cl_mem image = make(0, kFormat);
  cl_mem other = make(0, {CL_R, CL_FLOAT});
  cl_mem hidden = make(CL_MEM_HOST_NO_ACCESS, kFormat);
  cl_mem line = make_line(buffer);
  cl_mem mipmap = make_mipmap();
  cl_event failed = clCreateUserEvent(context, nullptr);
  char data[4096] = {};

  Images() { clSetUserEventStatus(failed, -1); }
  ~Images() {
    clReleaseEvent(failed);
    for (const cl_mem object : {mipmap, line, hidden, other, image, buffer})
      clReleaseMemObject(object);
  }
  cl_mem make(cl_mem_flags flags, const cl_image_format& format) const {
    const cl_image_desc desc = plane();
    return clCreateImage(context, flags, &format, &desc, nullptr, nullptr);
  }
  /// Of 3 levels.
  cl_mem make_mipmap() const {
    cl_image_desc desc = plane();
    desc.num_mip_levels = 3;
    return clCreateImage(context, 0, &kFormat, &desc, nullptr, nullptr);
  }
  cl_mem make_line(cl_mem of) const {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    desc.image_width = 16;
    desc.mem_object = of;
    return clCreateImage(context, 0, &kFormat, &desc, nullptr, nullptr);
  }
};

}  // namespace

TEST_CASE("refusals: images of no context, and formats") {
  Images setup;
  const cl_context context = setup.context;
  const cl_image_desc desc = plane();
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
  REFUSES(clGetSupportedImageFormats, CL_INVALID_VALUE, context, kTwo, CL_MEM_OBJECT_IMAGE2D, 0,
          nullptr, &count);
  REFUSES(clGetSupportedImageFormats, CL_INVALID_VALUE, context, 0, CL_MEM_OBJECT_BUFFER, 0,
          nullptr, &count);
  REFUSES(clGetSupportedImageFormats, CL_INVALID_VALUE, context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list,
          &count);
  std::size_t width = 0;
  REFUSES(clGetImageInfo, CL_INVALID_VALUE, setup.image, CL_MEM_TYPE, 0, nullptr, nullptr);
  REFUSES(clGetImageInfo, CL_INVALID_VALUE, setup.image, CL_IMAGE_WIDTH, 4, &width, nullptr);
}

TEST_CASE("refusals: what no image is made of") {
  Images setup;
  const cl_context context = setup.context;
  const cl_image_desc desc = plane();
  const cl_image_desc huge = plane(std::size_t{1} << 20), empty = plane(0);
  const cl_image_format no_order{1, CL_FLOAT}, no_type{CL_RGBA, 1}, no_pair{CL_RGB, CL_FLOAT};
  for (const cl_image_format* wrong :
       {static_cast<const cl_image_format*>(nullptr), &no_order, &no_type, &no_pair})
    REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, 0, wrong, &desc,
                    nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_IMAGE_FORMAT_NOT_SUPPORTED, context, 0, &kStencil, &desc,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_VALUE, context, kTwo, &kFormat, &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_DESCRIPTOR, context, 0, &kFormat, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_DESCRIPTOR, context, 0, &kFormat, &empty,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, &huge, nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_HOST_PTR, context, 0, &kFormat, &desc, setup.data);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_HOST_PTR, context, CL_MEM_COPY_HOST_PTR, &kFormat,
                  &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImage, CL_INVALID_HOST_PTR, context, CL_MEM_USE_HOST_PTR, &kFormat, &desc,
                  nullptr);
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_PROPERTY, context, unknown, 0, &kFormat,
                  &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_VALUE, context, nullptr, kTwo, &kFormat,
                  &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, nullptr,
                  0, nullptr, &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_IMAGE_DESCRIPTOR, context, nullptr, 0,
                  &kFormat, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_IMAGE_SIZE, context, nullptr, 0, &kFormat,
                  &huge, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_HOST_PTR, context, nullptr, 0, &kFormat,
                  &desc, setup.data);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_INVALID_HOST_PTR, context, nullptr,
                  CL_MEM_COPY_HOST_PTR, &kFormat, &desc, nullptr);
  REFUSES_TO_MAKE(clCreateImageWithProperties, CL_IMAGE_FORMAT_NOT_SUPPORTED, context, nullptr, 0,
                  &kStencil, &desc, nullptr);
}

TEST_CASE("refusals: images by sizes") {
  Images setup;
  const cl_context context = setup.context;
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_VALUE, context, kTwo, &kFormat, 4, 4, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, 0, nullptr, 4, 4, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 0, 4, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 4, 0, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 1 << 20, 4, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 4, 4, 64, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_IMAGE_SIZE, context, CL_MEM_COPY_HOST_PTR, &kFormat,
                  4, 4, 63, setup.data);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_HOST_PTR, context, 0, &kFormat, 4, 4, 0, setup.data);
  REFUSES_TO_MAKE(clCreateImage2D, CL_INVALID_HOST_PTR, context, CL_MEM_USE_HOST_PTR, &kFormat, 4,
                  4, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage2D, CL_IMAGE_FORMAT_NOT_SUPPORTED, context, 0, &kStencil, 4, 4, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 4, 4, 1, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 1 << 20, 4, 4, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 4, 4, 4, 0, 256,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, CL_MEM_COPY_HOST_PTR, &kFormat,
                  4, 4, 4, 64, 255, setup.data);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_HOST_PTR, context, CL_MEM_USE_HOST_PTR, &kFormat, 4,
                  4, 4, 0, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_IMAGE_FORMAT_NOT_SUPPORTED, context, 0, &kStencil, 4, 4, 4, 0,
                  0, nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_VALUE, context, kTwo, &kFormat, 4, 4, 4, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, 0, nullptr, 4, 4, 4,
                  0, 0, nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 0, 4, 4, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_IMAGE_SIZE, context, 0, &kFormat, 4, 4, 0, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateImage3D, CL_INVALID_HOST_PTR, context, 0, &kFormat, 4, 4, 4, 0, 0,
                  setup.data);
}

TEST_CASE("refusals: commands on images of no queue") {
  Images setup;
  const cl_mem image = setup.image, buffer = setup.buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  for (const cl_command_queue q : no_host_queues(setup)) {
    REFUSES(clEnqueueReadImage, CL_INVALID_COMMAND_QUEUE, q, image, CL_TRUE, kZero, kOne, 0, 0,
            data, 0, nullptr, nullptr);
    REFUSES(clEnqueueWriteImage, CL_INVALID_COMMAND_QUEUE, q, image, CL_TRUE, kZero, kOne, 0, 0,
            data, 0, nullptr, nullptr);
    REFUSES(clEnqueueFillImage, CL_INVALID_COMMAND_QUEUE, q, image, data, kZero, kOne, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueCopyImage, CL_INVALID_COMMAND_QUEUE, q, image, image, kZero, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_COMMAND_QUEUE, q, image, buffer, kZero, kOne, 0,
            0, nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_COMMAND_QUEUE, q, buffer, image, 0, kZero, kOne,
            0, nullptr, nullptr);
    REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_COMMAND_QUEUE, q, image, CL_TRUE, CL_MAP_READ,
                    kZero, kOne, &pitch, nullptr, 0, nullptr, nullptr);
  }
}

TEST_CASE("refusals: commands on images of no memory") {
  Images setup;
  const cl_command_queue q = setup.queue;
  const cl_mem image = setup.image, buffer = setup.buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  const cl_mem null = nullptr, stranger = bad<cl_mem>()[1];
  for (const cl_mem none : {null, stranger, buffer}) {
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
    REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MEM_OBJECT, q, none, buffer, kZero, kOne, 0, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MEM_OBJECT, q, buffer, none, 0, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, CL_MAP_READ, kZero,
                    kOne, &pitch, nullptr, 0, nullptr, nullptr);
  }
  for (const cl_mem none : {null, stranger, image}) {
    REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MEM_OBJECT, q, image, none, kZero, kOne, 0, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MEM_OBJECT, q, none, image, 0, kZero, kOne, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueReadBuffer, CL_INVALID_MEM_OBJECT, q, none, CL_TRUE, 0, 4, data, 0, nullptr,
            nullptr);
  }
  // An image of the buffer's own bytes.
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MEM_OBJECT, q, setup.line, buffer, kZero, kOne, 0,
          0, nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MEM_OBJECT, q, buffer, setup.line, 0, kZero, kOne,
          0, nullptr, nullptr);
}

TEST_CASE("refusals: commands on images of another context") {
  Images setup;
  const cl_command_queue q = setup.queue;
  const cl_mem image = setup.image, foreign = setup.foreign_buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
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

TEST_CASE("refusals: boxes that images do not have") {
  Images setup;
  const cl_command_queue q = setup.queue;
  const cl_mem image = setup.image, buffer = setup.buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  for (const std::size_t* region :
       {static_cast<const std::size_t*>(nullptr), kNone, kDeep, kWide}) {
    REFUSES(clEnqueueReadImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, region, 0, 0, data, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueWriteImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, region, 0, 0, data, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueFillImage, CL_INVALID_VALUE, q, image, data, kZero, region, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueCopyImage, CL_INVALID_VALUE, q, image, image, kZero, kZero, region, 0, nullptr,
            nullptr);
    REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_VALUE, q, image, buffer, kZero, region, 0, 0,
            nullptr, nullptr);
    REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_VALUE, q, buffer, image, 0, kZero, region, 0,
            nullptr, nullptr);
    REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_VALUE, q, image, CL_TRUE, CL_MAP_READ, kZero,
                    region, &pitch, nullptr, 0, nullptr, nullptr);
  }
}

TEST_CASE("refusals: memory, pitches and flags of commands on images") {
  Images setup;
  const cl_command_queue q = setup.queue;
  const cl_mem image = setup.image, buffer = setup.buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  REFUSES(clEnqueueReadImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, kOne, 0, 0, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueReadImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, kAll, 63, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueReadImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, kAll, 0, 256, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, kOne, 0, 0, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_VALUE, q, image, CL_TRUE, kZero, kAll, 63, 0, data, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueFillImage, CL_INVALID_VALUE, q, image, nullptr, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_VALUE, q, image, buffer, kZero, kAll, 3841, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_VALUE, q, buffer, image, 3841, kZero, kAll, 0,
          nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_VALUE, q, image, CL_TRUE, 1u << 20, kZero, kOne,
                  &pitch, nullptr, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_VALUE, q, image, CL_TRUE, CL_MAP_READ, kZero, kOne,
                  nullptr, nullptr, 0, nullptr, nullptr);
  REFUSES(clEnqueueCopyImage, CL_IMAGE_FORMAT_MISMATCH, q, image, setup.other, kZero, kZero, kOne,
          0, nullptr, nullptr);
  REFUSES(clEnqueueCopyImage, CL_MEM_COPY_OVERLAP, q, image, image, kZero, kZero, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueReadImage, CL_INVALID_OPERATION, q, setup.hidden, CL_TRUE, kZero, kOne, 0, 0,
          data, 0, nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_OPERATION, q, setup.hidden, CL_TRUE, kZero, kOne, 0, 0,
          data, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_OPERATION, q, setup.hidden, CL_TRUE, CL_MAP_READ,
                  kZero, kOne, &pitch, nullptr, 0, nullptr, nullptr);
}

TEST_CASE("refusals: levels that a mipmap has not") {
  Images setup;
  const cl_command_queue q = setup.queue;
  const cl_mem image = setup.image, mipmap = setup.mipmap, buffer = setup.buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  REFUSES(clEnqueueReadImage, CL_INVALID_MIP_LEVEL, q, mipmap, CL_TRUE, kBeyond, kOne, 0, 0, data,
          0, nullptr, nullptr);
  REFUSES(clEnqueueWriteImage, CL_INVALID_MIP_LEVEL, q, mipmap, CL_TRUE, kBeyond, kOne, 0, 0, data,
          0, nullptr, nullptr);
  REFUSES(clEnqueueFillImage, CL_INVALID_MIP_LEVEL, q, mipmap, data, kBeyond, kOne, 0, nullptr,
          nullptr);
  REFUSES(clEnqueueCopyImage, CL_INVALID_MIP_LEVEL, q, mipmap, image, kBeyond, kZero, kOne, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyImage, CL_INVALID_MIP_LEVEL, q, image, mipmap, kZero, kBeyond, kOne, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyImageToBuffer, CL_INVALID_MIP_LEVEL, q, mipmap, buffer, kBeyond, kOne, 0, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueCopyBufferToImage, CL_INVALID_MIP_LEVEL, q, buffer, mipmap, 0, kBeyond, kOne, 0,
          nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_MIP_LEVEL, q, mipmap, CL_TRUE, CL_MAP_READ, kBeyond,
                  kOne, &pitch, nullptr, 0, nullptr, nullptr);
}

TEST_CASE("refusals: what commands on images wait for") {
  Images setup;
  const cl_command_queue q = setup.queue;
  const cl_mem image = setup.image, buffer = setup.buffer;
  void* const data = setup.data;
  std::size_t pitch = 0;
  REFUSES_WAITS(clEnqueueReadImage, q, image, CL_TRUE, kZero, kOne, 0, 0, data);
  REFUSES_WAITS(clEnqueueWriteImage, q, image, CL_TRUE, kZero, kOne, 0, 0, data);
  REFUSES_WAITS(clEnqueueFillImage, q, image, data, kZero, kOne);
  REFUSES_WAITS(clEnqueueCopyImage, q, image, setup.hidden, kZero, kZero, kOne);
  REFUSES_WAITS(clEnqueueCopyImageToBuffer, q, image, buffer, kZero, kOne, 0);
  REFUSES_WAITS(clEnqueueCopyBufferToImage, q, buffer, image, 0, kZero, kOne);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_EVENT_WAIT_LIST, q, image, CL_TRUE, CL_MAP_READ,
                  kZero, kOne, &pitch, nullptr, 1, nullptr, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_EVENT_WAIT_LIST, q, image, CL_TRUE, CL_MAP_READ,
                  kZero, kOne, &pitch, nullptr, 0, &setup.foreign_event, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_EVENT_WAIT_LIST, q, image, CL_TRUE, CL_MAP_READ,
                  kZero, kOne, &pitch, nullptr, 1, bad<cl_event>().data(), nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_INVALID_CONTEXT, q, image, CL_TRUE, CL_MAP_READ, kZero,
                  kOne, &pitch, nullptr, 1, &setup.foreign_event, nullptr);
  REFUSES(clEnqueueReadImage, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, image, CL_TRUE,
          kZero, kOne, 0, 0, data, 1, &setup.failed, nullptr);
  REFUSES(clEnqueueWriteImage, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, image, CL_TRUE,
          kZero, kOne, 0, 0, data, 1, &setup.failed, nullptr);
  REFUSES_TO_MAKE(clEnqueueMapImage, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, q, image,
                  CL_TRUE, CL_MAP_READ, kZero, kOne, &pitch, nullptr, 1, &setup.failed, nullptr);
}

TEST_CASE("refusals: samplers") {
  const Images setup;
  const cl_context context = setup.context;
  for (const cl_context none : bad<cl_context>()) {
    REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_CONTEXT, none, CL_TRUE, CL_ADDRESS_CLAMP,
                    CL_FILTER_LINEAR);
    REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_CONTEXT, none, nullptr);
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
  const cl_sampler_properties wrong_mip_filter[] = {CL_SAMPLER_MIP_FILTER_MODE, 1, 0};
  const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                         CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_VALUE, context, CL_TRUE, 1, CL_FILTER_LINEAR);
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_VALUE, context, CL_TRUE, CL_ADDRESS_CLAMP, 1);
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_VALUE, context, 2, CL_ADDRESS_CLAMP,
                  CL_FILTER_LINEAR);
  REFUSES_TO_MAKE(clCreateSampler, CL_INVALID_VALUE, context, CL_FALSE, CL_ADDRESS_REPEAT,
                  CL_FILTER_LINEAR);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, unknown);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, wrong_mode);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, wrong_filter);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, wrong_bool);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, wrong_mip_filter);
  REFUSES_TO_MAKE(clCreateSamplerWithProperties, CL_INVALID_VALUE, context, twice);
  const cl_sampler sampler = clCreateSamplerWithProperties(context, nullptr, nullptr);
  REFUSES(clGetSamplerInfo, CL_INVALID_VALUE, sampler, CL_IMAGE_WIDTH, 0, nullptr, nullptr);
  clReleaseSampler(sampler);
}

TEST_CASE("refusals: sharing with OpenGL and EGL, of which no extension is announced") {
  const Images setup;
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
