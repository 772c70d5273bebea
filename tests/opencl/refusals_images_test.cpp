// Bad arguments of functions on images, samplers and pipes; of arguments of kernels that are pipes or queues; and of those
// on objects of OpenGL and EGL, none of which the device has. OpenCL 2.2 API, sections 5.3, 5.4, 5.7 and 5.9.2.
#include <CL/cl_gl.h>

#include "tests/opencl/refusals.h"

namespace transpire::test::refusals_images_tests {
namespace {

const cl_image_format kFormat{CL_RGBA, CL_FLOAT};
/// A format of OpenGL's, which no image has.
const cl_image_format kStencil{CL_DEPTH_STENCIL, CL_UNORM_INT24};
constexpr std::size_t kZero[3] = {}, kOne[3] = {1, 1, 1}, kNone[3] = {1, 0, 1};
constexpr std::size_t kAllTexels[3] = {4, 4, 1}, kDeep[3] = {1, 1, 2}, kWide[3] = {5, 1, 1};
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

/// Images of 4 x 4 texels, a buffer, a pipe, and memory of the host.
struct Images : Setup {
  Memory store = buffer(4096);
  Memory image = make(plane()), other = make(plane(), {CL_R, CL_FLOAT});
  Memory same = make(plane()), hidden = make(plane(), kFormat, CL_MEM_HOST_NO_ACCESS);
  Memory line, mipmap;  ///< the line has the buffer's own bytes, the mipmap 3 levels
  Memory pipe = clCreatePipe(context, 0, 4, 16, nullptr, nullptr);
  mutable char data[4096] = {};
  mutable std::size_t pitch = 0;

  Images() {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    desc.image_width = 16;
    desc.mem_object = store;
    line = make(desc);
    desc = plane();
    desc.num_mip_levels = 3;
    mipmap = make(desc);
    REQUIRE((line != nullptr && mipmap != nullptr && pipe != nullptr));
  }
  Memory make(const cl_image_desc& desc, const cl_image_format& format = kFormat,
              cl_mem_flags flags = 0) const {
    return clCreateImage(context, flags, &format, &desc, nullptr, nullptr);
  }
  /// Images are the parameters `image`, `from` and `to`; buffers are `buffer`.
  Calls commands() const {
    constexpr const char* kTransfer = "queue image blocking origin region row slice data";
    const Arguments transfer{queue, image, CL_TRUE, kZero, kOne, 0, 0, data};
    return {
        Call(NAMED(clEnqueueReadImage), kTransfer, transfer),
        Call(NAMED(clEnqueueWriteImage), kTransfer, transfer),
        CALL(clEnqueueFillImage, "queue image data origin region", queue, image, data, kZero, kOne),
        CALL(clEnqueueCopyImage, "queue from to from_origin to_origin region", queue, image, same,
             kZero, kZero, kOne),
        CALL(clEnqueueCopyImageToBuffer, "queue image buffer origin region offset", queue, image,
             store, kZero, kOne, 0),
        CALL(clEnqueueCopyBufferToImage, "queue buffer image offset origin region", queue, store,
             image, 0, kZero, kOne),
        CALL(clEnqueueMapImage, "queue image blocking flags origin region row slice", queue, image,
             CL_TRUE, CL_MAP_READ, kZero, kOne, &pitch, nullptr),
    };
  }
};

TEST_CASE_FIXTURE(Images, "refusals: making images") {
  const cl_image_desc desc = plane(), huge = plane(std::size_t{1} << 20), empty = plane(0);
  const std::vector<cl_mem_properties> unknown{0x7777, 1, 0};
  const cl_image_format no_order{1, CL_FLOAT}, no_type{CL_RGBA, 1}, no_pair{CL_RGB, CL_FLOAT};
  const Calls calls = checked(
      *this, {
                 CALL(clCreateImage, "context flags format desc host", context, 0, &kFormat, &desc,
                      nullptr),
                 CALL(clCreateImageWithProperties, "context properties flags format desc host",
                      context, nullptr, 0, &kFormat, &desc, nullptr),
                 CALL(clCreateImage2D, "context flags format width height row host", context, 0,
                      &kFormat, 4, 4, 0, nullptr),
                 CALL(clCreateImage3D, "context flags format width height depth row slice host",
                      context, 0, &kFormat, 4, 4, 4, 0, 0, nullptr),
             });
  calls.refuse(CL_INVALID_PROPERTY, {{"properties", unknown}});
  calls.refuse(CL_INVALID_VALUE, {{"flags", kTwo}});
  calls.refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               {{"format", {nullptr, &no_order, &no_type, &no_pair}}});
  calls.refuse(CL_IMAGE_FORMAT_NOT_SUPPORTED, {{"format", &kStencil}});
  calls.refuse(CL_INVALID_IMAGE_DESCRIPTOR, {{"desc", {nullptr, &empty}}});
  calls.refuse(CL_INVALID_IMAGE_SIZE, {{"desc", &huge}});
  calls.refuse_each(CL_INVALID_HOST_PTR,
                    {{"host", data}, {"flags", {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}}});
  calls.refuse_each(CL_INVALID_IMAGE_SIZE, {{"width", {0, 1 << 20}}, {"height", 0}, {"depth", 1}});
  // Pitches without memory of the host, and such as are too small.
  calls.refuse(CL_INVALID_IMAGE_SIZE, "clCreateImage2D", {{"row", 64}});
  calls.refuse(CL_INVALID_IMAGE_SIZE, {{"slice", 256}});
  calls.refuse(CL_INVALID_IMAGE_SIZE, "clCreateImage2D",
               {{"flags", CL_MEM_COPY_HOST_PTR}, {"host", data}, {"row", 63}});
  calls.refuse(CL_INVALID_IMAGE_SIZE,
               {{"flags", CL_MEM_COPY_HOST_PTR}, {"host", data}, {"row", 64}, {"slice", 255}});
}

TEST_CASE_FIXTURE(Images, "refusals: queries of images, and formats") {
  cl_image_format list[1];
  cl_uint count = 0;
  std::size_t width = 0;
  const Calls calls =
      checked(*this, {
                         CALL(clGetSupportedImageFormats, "context flags type room list count",
                              context, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count),
                         QUERY(clGetImageInfo, CL_IMAGE_WIDTH, "image", image),
                     });
  calls.refuse_each(
      CL_INVALID_VALUE,
      {{"flags", kTwo}, {"type", CL_MEM_OBJECT_BUFFER}, {"list", list}, {"name", CL_MEM_TYPE}});
  calls.refuse(CL_INVALID_VALUE, {{"size", 4}, {"value", &width}});
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"image", pipe}});
}

TEST_CASE_FIXTURE(Images, "refusals: objects of commands on images") {
  const Calls calls = commands();
  calls.check(*this);
  for (const char* const image : {"image", "from", "to"}) {
    calls.refuse(CL_INVALID_MEM_OBJECT, {{image, bad<cl_mem>()}});
    calls.refuse(CL_INVALID_MEM_OBJECT, {{image, {store, pipe}}});
    calls.refuse(CL_INVALID_CONTEXT, {{image, foreign_buffer}});
  }
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"buffer", {this->image, pipe}}});
  calls.refuse(CL_INVALID_MEM_OBJECT, "clEnqueueCopyImageToBuffer clEnqueueCopyBufferToImage",
               {{"image", line}});
  calls.refuse(CL_INVALID_OPERATION, "clEnqueueReadImage clEnqueueWriteImage clEnqueueMapImage",
               {{"image", hidden}});
  calls.refuse(CL_IMAGE_FORMAT_MISMATCH, {{"to", other}});
  calls.refuse(CL_MEM_COPY_OVERLAP, {{"to", this->image}});
  REFUSES(clEnqueueReadBuffer, CL_INVALID_MEM_OBJECT, queue, this->image, CL_TRUE, 0, 4, data, 0,
          nullptr, nullptr);
}

TEST_CASE_FIXTURE(Images, "refusals: boxes, memory, pitches and flags of commands on images") {
  const Calls calls = commands();
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"region", {nullptr, kNone, kDeep, kWide}}, {"data", nullptr}});
  calls.refuse(CL_INVALID_VALUE, "clEnqueueReadImage clEnqueueWriteImage",
               {{"region", kAllTexels}, {"row", {63, 0}}, {"slice", {0, 256}}});
  calls.refuse(CL_INVALID_VALUE, {{"region", kAllTexels}, {"offset", 3841}});
  calls.refuse(CL_INVALID_VALUE, {{"flags", 1u << 20}});
  calls.refuse(CL_INVALID_VALUE, "clEnqueueMapImage", {{"row", nullptr}});
  // Levels that a mipmap has not.
  calls.refuse(CL_INVALID_MIP_LEVEL, {{"image", mipmap}, {"origin", kBeyond}});
  calls.refuse(CL_INVALID_MIP_LEVEL, {{"from", mipmap}, {"from_origin", kBeyond}});
  calls.refuse(CL_INVALID_MIP_LEVEL, {{"to", mipmap}, {"to_origin", kBeyond}});
}

TEST_CASE_FIXTURE(Images, "refusals: samplers") {
  using List = std::vector<cl_sampler_properties>;
  const Sampler sampler = clCreateSamplerWithProperties(context, nullptr, nullptr);
  const Calls calls = checked(
      *this, {
                 CALL(clCreateSampler, "context normalized mode filter", context, CL_TRUE,
                      CL_ADDRESS_CLAMP, CL_FILTER_LINEAR),
                 CALL(clCreateSamplerWithProperties, "context properties", context, nullptr),
                 CALL(clRetainSampler, "sampler", sampler),
                 CALL(clReleaseSampler, "sampler", sampler),
                 QUERY(clGetSamplerInfo, CL_SAMPLER_CONTEXT, "sampler", sampler),
             });
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"name", CL_IMAGE_WIDTH}, {"mode", 1}, {"filter", 1}, {"normalized", 2}});
  calls.refuse(CL_INVALID_VALUE, {{"normalized", CL_FALSE}, {"mode", CL_ADDRESS_REPEAT}});
  constexpr cl_sampler_properties kFilter = CL_SAMPLER_FILTER_MODE, kLinear = CL_FILTER_LINEAR;
  calls.refuse(CL_INVALID_VALUE,
               {{"properties",
                 {List{0x7777, 1, 0}, List{CL_SAMPLER_ADDRESSING_MODE, 1, 0}, List{kFilter, 1, 0},
                  List{CL_SAMPLER_NORMALIZED_COORDS, 2, 0}, List{CL_SAMPLER_MIP_FILTER_MODE, 1, 0},
                  List{kFilter, kLinear, kFilter, kLinear, 0}}}});
}

TEST_CASE_FIXTURE(Images, "refusals: pipes") {
  const auto most = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  const std::vector<cl_pipe_properties> empty{0};
  cl_ushort small = 0;
  const Calls calls =
      checked(*this, {
                         CALL(clCreatePipe, "context flags packet_size packets properties", context,
                              0, 4, 4, nullptr),
                         QUERY(clGetPipeInfo, CL_PIPE_MAX_PACKETS, "pipe", pipe),
                     });
  calls.refuse_each(
      CL_INVALID_VALUE,
      {{"flags",
        {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_ALLOC_HOST_PTR, CL_MEM_HOST_READ_ONLY}},
       {"properties", empty}});
  calls.refuse_each(CL_INVALID_PIPE_SIZE, {{"packet_size", {0, most + 1}}, {"packets", 0}});
  calls.refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE,
               {{"packet_size", most}, {"packets", {~cl_uint{0}, 0x7fffffffu, 0x80000000u}}});
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"pipe", {store, image}}});
  calls.refuse(CL_INVALID_VALUE, {{"name", CL_MEM_SIZE}});
  calls.refuse(CL_INVALID_VALUE, {{"size", sizeof small}, {"value", &small}});
}

TEST_CASE_FIXTURE(Images, "refusals: a pipe in the place of a buffer or an image") {
  const cl_command_queue q = queue;
  const cl_mem memory = store;
  const cl_buffer_region part{0, 16};
  const void* locations[] = {data};
  const auto nothing = +[](void*) {};
  const Calls calls = checked(
      *this, {
                 CALL(clCreateSubBuffer, "buffer flags type region", memory, 0,
                      CL_BUFFER_CREATE_TYPE_REGION, &part),
                 CALL(clEnqueueReadBuffer, "queue buffer blocking offset size data", q, memory,
                      CL_TRUE, 0, 4, data),
                 CALL(clEnqueueWriteBuffer, "queue buffer blocking offset size data", q, memory,
                      CL_TRUE, 0, 4, data),
                 CALL(clEnqueueReadBufferRect, "q buffer b o h region r s x y data", q, memory,
                      CL_TRUE, kZero, kZero, kOne, 0, 0, 0, 0, data),
                 CALL(clEnqueueWriteBufferRect, "q buffer b o h region r s x y data", q, memory,
                      CL_TRUE, kZero, kZero, kOne, 0, 0, 0, 0, data),
                 CALL(clEnqueueCopyBuffer, "queue buffer to source target size", q, memory, memory,
                      0, 64, 4),
                 CALL(clEnqueueCopyBufferRect, "q buffer to o h region r s x y", q, memory, memory,
                      kZero, kOne, kOne, 8, 64, 8, 64),
                 CALL(clEnqueueFillBuffer, "queue buffer pattern bytes offset size", q, memory,
                      data, 4, 0, 4),
                 CALL(clEnqueueMapBuffer, "queue buffer blocking flags offset size", q, memory,
                      CL_TRUE, CL_MAP_READ, 0, 4),
                 CALL(clEnqueueNativeKernel, "queue function data size count list locations", q,
                      nothing, data, 8, 1, &memory, locations),
             });
  calls.refuse_each(CL_INVALID_MEM_OBJECT, {{"buffer", pipe}, {"to", pipe}, {"list", &pipe}});
  REFUSES(clEnqueueUnmapMemObject, CL_INVALID_MEM_OBJECT, q, pipe, data, 0, nullptr, nullptr);
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D}) {
    cl_image_desc desc = plane(1, 1);
    desc.image_type = type;
    desc.mem_object = pipe;
    REFUSES_TO_MAKE(clCreateImage, CL_INVALID_IMAGE_DESCRIPTOR, context, 0, &kFormat, &desc,
                    nullptr);
  }
}

TEST_CASE_FIXTURE(Images, "refusals: arguments of kernels that are pipes") {
  const Program program = built(
      "kernel void k(write_only pipe int4 to, global int4 *from, read_only image2d_t image) {\n"
      "  write_pipe(to, from);\n"
      "}\n",
      "-cl-std=CL3.0");
  const Kernel kernel = this->kernel(program, "k");
  const Memory fitting = clCreatePipe(context, 0, 16, 4, nullptr, nullptr);
  const Memory foreign = clCreatePipe(other_context, 0, 16, 4, nullptr, nullptr);
  const Calls calls = checked(*this, {CALL(clSetKernelArg, "kernel index size value", kernel, 0,
                                           sizeof fitting, &fitting)});
  calls.refuse(CL_INVALID_ARG_SIZE, {{"size", 4}});
  calls.refuse(CL_INVALID_ARG_VALUE, {{"value", &pipe}});
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"value", {nullptr, &foreign, &store, &image}}});
  calls.refuse_each(CL_INVALID_MEM_OBJECT, {{"value", bad_lists<cl_mem>()}, {"index", {1, 2}}});
  REFUSES(clSetKernelArgSVMPointer, CL_INVALID_ARG_VALUE, kernel, 0, nullptr);
}

TEST_CASE_FIXTURE(Images, "refusals: arguments of kernels that are queues") {
  const Program program =
      built("kernel void k(queue_t q) { enqueue_marker(q, 0, 0, 0); }\n", "-cl-std=CL2.0");
  const Kernel kernel = this->kernel(program, "k");
  const Queue foreign = make_queue(other_context, kOnDevice);
  Queue own = make_queue(context, kOnDevice);
  const Calls calls = checked(
      *this, {CALL(clSetKernelArg, "kernel index size value", kernel, 0, sizeof own, &own)});
  calls.refuse(CL_INVALID_ARG_SIZE, {{"size", 4}});
  const auto [null, wrong] = bad_lists<cl_command_queue>();
  calls.refuse(CL_INVALID_DEVICE_QUEUE, {{"value", {nullptr, null, wrong, &queue, &foreign}}});
  REFUSES(clSetKernelArgSVMPointer, CL_INVALID_ARG_VALUE, kernel, 0, nullptr);
  own.drop();
  const std::size_t one = 1;
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_KERNEL_ARGS, queue, kernel, 1, nullptr, &one, nullptr,
          0, nullptr, nullptr);
}

TEST_CASE_FIXTURE(Images,
                  "refusals: sharing with OpenGL and EGL, of which no extension is announced") {
  const cl_command_queue q = queue;
  cl_gl_object_type type = 0;
  cl_GLuint name = 0;
  REFUSES_TO_MAKE(clCreateFromGLBuffer, CL_INVALID_OPERATION, context, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLTexture, CL_INVALID_OPERATION, context, 0, 0, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLTexture2D, CL_INVALID_OPERATION, context, 0, 0, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLTexture3D, CL_INVALID_OPERATION, context, 0, 0, 0, 1);
  REFUSES_TO_MAKE(clCreateFromGLRenderbuffer, CL_INVALID_OPERATION, context, 0, 1);
  REFUSES(clGetGLObjectInfo, CL_INVALID_OPERATION, store, &type, &name);
  REFUSES(clGetGLTextureInfo, CL_INVALID_OPERATION, store, 0, 0, nullptr, nullptr);
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

}  // namespace
}  // namespace transpire::test::refusals_images_tests
