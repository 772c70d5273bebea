// Images, samplers and pipes: optional in OpenCL 3.0, and not there. Arguments are checked as far as
// they can be without such an object; then the answer is CL_INVALID_OPERATION.
#include <initializer_list>

#include "opencl/api.h"
#include "opencl/memory.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

namespace transpire::opencl {
namespace {

[[noreturn]] void refuse() { throw ApiError{CL_INVALID_OPERATION}; }

/// A command on images or buffers, with the pointers that it may not do without.
[[noreturn]] void refuse_command(cl_command_queue queue, std::initializer_list<cl_mem> objects,
                                 std::initializer_list<const void*> pointers, cl_uint count,
                                 const cl_event* list) {
  check_queue(queue);
  for (const cl_mem object : objects) check_buffer(*queue, object);
  for (const void* const pointer : pointers) check(pointer != nullptr, CL_INVALID_VALUE);
  check_waits(*queue->context, count, list);
  refuse();
}

cl_mem refuse_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                    const void* descriptor) {
  check_object(context, CL_INVALID_CONTEXT);
  check_flags(flags);
  check(format != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  check(descriptor != nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  refuse();
}

bool is_image_type(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
         type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D ||
         type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

bool is_addressing_mode(cl_addressing_mode mode) {
  return mode >= CL_ADDRESS_NONE && mode <= CL_ADDRESS_MIRRORED_REPEAT;
}

bool is_filter_mode(cl_filter_mode mode) {
  return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
}

bool is_bool(std::uint64_t value) { return value == CL_TRUE || value == CL_FALSE; }

/// Known names, each once, with valid values.
void check_sampler_properties(const cl_sampler_properties* list) {
  bool seen[3] = {};
  for (; list != nullptr && *list != 0; list += 2) {
    check(list[0] >= CL_SAMPLER_NORMALIZED_COORDS && list[0] <= CL_SAMPLER_FILTER_MODE,
          CL_INVALID_VALUE);
    bool& is_seen = seen[list[0] - CL_SAMPLER_NORMALIZED_COORDS];
    check(!is_seen, CL_INVALID_VALUE);
    is_seen = true;
    if (list[0] == CL_SAMPLER_NORMALIZED_COORDS) check(is_bool(list[1]), CL_INVALID_VALUE);
    if (list[0] == CL_SAMPLER_ADDRESSING_MODE)
      check(is_addressing_mode(static_cast<cl_addressing_mode>(list[1])), CL_INVALID_VALUE);
    if (list[0] == CL_SAMPLER_FILTER_MODE)
      check(is_filter_mode(static_cast<cl_filter_mode>(list[1])), CL_INVALID_VALUE);
  }
}

}  // namespace
}  // namespace transpire::opencl

// ---- Images ----------------------------------------------------------------------------------------

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format* format, const cl_image_desc* descriptor,
                                 void*, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret,
                                [&] { return refuse_image(context, flags, format, descriptor); });
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties* properties,
                                               cl_mem_flags flags, const cl_image_format* format,
                                               const cl_image_desc* descriptor, void*,
                                               cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    check(properties == nullptr || *properties == 0, CL_INVALID_PROPERTY);
    return refuse_image(context, flags, format, descriptor);
  });
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* format, size_t width, size_t height,
                                   size_t, void*, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    check(width != 0 && height != 0, CL_INVALID_IMAGE_SIZE);
    return refuse_image(context, flags, format, format);
  });
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* format, size_t width, size_t height,
                                   size_t depth, size_t, size_t, void*, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    check(width != 0 && height != 0 && depth != 0, CL_INVALID_IMAGE_SIZE);
    return refuse_image(context, flags, format, format);
  });
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type type, cl_uint num_entries,
                                              cl_image_format* formats, cl_uint* num_formats) {
  return guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    check_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
    check(is_image_type(type), CL_INVALID_VALUE);
    check(num_entries != 0 || formats == nullptr, CL_INVALID_VALUE);
    if (num_formats != nullptr) *num_formats = 0;
  });
}

/// No memory object is an image.
cl_int CL_API_CALL clGetImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) {
  return CL_INVALID_MEM_OBJECT;
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool,
                                      const size_t* origin, const size_t* region, size_t, size_t,
                                      void* ptr, cl_uint count, const cl_event* list, cl_event*) {
  return guarded([&] {
    refuse_command(command_queue, {image}, {origin, region, ptr}, count, list);
  });
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool,
                                       const size_t* origin, const size_t* region, size_t, size_t,
                                       const void* ptr, cl_uint count, const cl_event* list,
                                       cl_event*) {
  return guarded([&] {
    refuse_command(command_queue, {image}, {origin, region, ptr}, count, list);
  });
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                      const void* fill_color, const size_t* origin,
                                      const size_t* region, cl_uint count, const cl_event* list,
                                      cl_event*) {
  return guarded([&] {
    refuse_command(command_queue, {image}, {fill_color, origin, region}, count, list);
  });
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                      cl_mem dst_image, const size_t* src_origin,
                                      const size_t* dst_origin, const size_t* region, cl_uint count,
                                      const cl_event* list, cl_event*) {
  return guarded([&] {
    refuse_command(command_queue, {src_image, dst_image}, {src_origin, dst_origin, region}, count,
                   list);
  });
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                              cl_mem dst_buffer, const size_t* src_origin,
                                              const size_t* region, size_t, cl_uint count,
                                              const cl_event* list, cl_event*) {
  return guarded([&] {
    refuse_command(command_queue, {src_image, dst_buffer}, {src_origin, region}, count, list);
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                              cl_mem dst_image, size_t, const size_t* dst_origin,
                                              const size_t* region, cl_uint count,
                                              const cl_event* list, cl_event*) {
  return guarded([&] {
    refuse_command(command_queue, {src_buffer, dst_image}, {dst_origin, region}, count, list);
  });
}

void* CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool,
                                    cl_map_flags map_flags, const size_t* origin,
                                    const size_t* region, size_t* image_row_pitch, size_t*,
                                    cl_uint count, const cl_event* list, cl_event*,
                                    cl_int* errcode_ret) {
  return guarded_create<void*>(errcode_ret, [&]() -> void* {
    check_queue(command_queue);
    check_map_flags(map_flags);
    refuse_command(command_queue, {image}, {origin, region, image_row_pitch}, count, list);
  });
}

// ---- Samplers --------------------------------------------------------------------------------------

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties* properties,
                                                     cl_int* errcode_ret) {
  return guarded_create<cl_sampler>(errcode_ret, [&]() -> cl_sampler {
    check_object(context, CL_INVALID_CONTEXT);
    check_sampler_properties(properties);
    refuse();
  });
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalised,
                                       cl_addressing_mode addressing, cl_filter_mode filter,
                                       cl_int* errcode_ret) {
  return guarded_create<cl_sampler>(errcode_ret, [&]() -> cl_sampler {
    check_object(context, CL_INVALID_CONTEXT);
    check(is_bool(normalised) && is_addressing_mode(addressing) && is_filter_mode(filter),
          CL_INVALID_VALUE);
    refuse();
  });
}

cl_int CL_API_CALL clRetainSampler(cl_sampler) { return CL_INVALID_SAMPLER; }

cl_int CL_API_CALL clReleaseSampler(cl_sampler) { return CL_INVALID_SAMPLER; }

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void*, size_t*) {
  return CL_INVALID_SAMPLER;
}

// ---- Pipes -----------------------------------------------------------------------------------------

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                cl_uint max_packets, const cl_pipe_properties* properties,
                                cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&]() -> cl_mem {
    check_object(context, CL_INVALID_CONTEXT);
    check((flags & ~cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}) == 0,
          CL_INVALID_VALUE);
    check(properties == nullptr || *properties == 0, CL_INVALID_VALUE);
    check(packet_size != 0 && max_packets != 0, CL_INVALID_PIPE_SIZE);
    refuse();
  });
}

/// No memory object is a pipe.
cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void*, size_t*) {
  return CL_INVALID_MEM_OBJECT;
}
