// Shared by the tests of images: descriptors, boxes, and commands in one line.
#pragma once

#include <numeric>

#include "tests/opencl/support.h"

namespace transpire::test {

using Sizes = std::array<std::size_t, 3>;
constexpr Sizes kZero{0, 0, 0};
inline const cl_image_format kRgba8{CL_RGBA, CL_UNSIGNED_INT8};
constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,        CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                         CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D,
                                         CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};

/// 5 texels wide, and 3 and 2 along the other coordinates that the type has.
inline cl_image_desc descriptor(cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D,
                                cl_mem of = nullptr) {
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = 5;
  desc.image_height = 3;
  desc.image_depth = 2;
  desc.image_array_size = 2;
  desc.mem_object = of;
  return desc;
}

/// A plane, or a line, of such a size.
inline cl_image_desc plane(std::size_t width, std::size_t height = 0) {
  cl_image_desc desc{};
  desc.image_type = height == 0 ? CL_MEM_OBJECT_IMAGE1D : CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  return desc;
}

/// All texels of an image so described, as a command's region.
inline Sizes region_of(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return {5, 1, 1};
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {5, 2, 1};
    case CL_MEM_OBJECT_IMAGE2D:
      return {5, 3, 1};
    default:
      return {5, 3, 2};
  }
}

inline std::size_t texels_of(const Sizes& region) { return region[0] * region[1] * region[2]; }

inline std::vector<cl_uint> counting(std::size_t texels, cl_uint first = 1) {
  std::vector<cl_uint> values(texels);
  std::iota(values.begin(), values.end(), first);
  return values;
}

struct Images : Host {
  Memory store = buffer(4096);
  cl_int code = 0;  ///< error of a call that makes something
  std::size_t row_pitch = 1, slice_pitch = 1;

  Memory make(const cl_image_desc& desc, const cl_image_format& format = kRgba8,
              cl_mem_flags flags = 0, void* data = nullptr) const {
    cl_int error = 0;
    Memory image = clCreateImage(context, flags, &format, &desc, data, &error);
    REQUIRE(error == CL_SUCCESS);
    return image;
  }
  /// An image of the type; one of a buffer, if the type has one.
  Memory make(cl_mem_object_type type, cl_mem of) const {
    return make(descriptor(type, type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? of : nullptr));
  }
  Memory make(cl_mem_object_type type) const { return make(type, store); }
  cl_int refusal(const cl_image_desc& desc, const cl_image_format& format = kRgba8,
                 cl_mem_flags flags = 0, void* data = nullptr) const {
    return error_of(
        [&](cl_int* error) { return clCreateImage(context, flags, &format, &desc, data, error); });
  }
  template <class T>
  T image_info(cl_mem image, cl_image_info name) const {
    return info<T>(clGetImageInfo, image, name);
  }
  std::size_t size_info(cl_mem image, cl_image_info name) const {
    return image_info<std::size_t>(image, name);
  }
  template <class T>
  T memory_info(cl_mem memory, cl_mem_info name) const {
    return info<T>(clGetMemObjectInfo, memory, name);
  }
  // An origin may have a fourth number: the level of a mipmap that has three coordinates.
  template <class Origin = Sizes>
  cl_int read(cl_mem image, const Origin& origin, const Sizes& region, void* to,
              std::size_t row = 0, std::size_t slice = 0) const {
    return issue(clEnqueueReadImage, queue, image, CL_TRUE, origin.data(), region.data(), row,
                 slice, to);
  }
  template <class Origin = Sizes>
  cl_int write(cl_mem image, const Origin& origin, const Sizes& region, const void* from) const {
    return issue(clEnqueueWriteImage, queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                 from);
  }
  template <class Origin = Sizes>
  cl_int copy(cl_mem from, cl_mem to, const Origin& source, const Origin& target,
              const Sizes& region) const {
    return issue(clEnqueueCopyImage, queue, from, to, source.data(), target.data(), region.data());
  }
  template <class Origin = Sizes>
  cl_int fill(cl_mem image, const void* color, const Origin& origin, const Sizes& region) const {
    return issue(clEnqueueFillImage, queue, image, color, origin.data(), region.data());
  }
  template <class Origin = Sizes>
  cl_int to_buffer(cl_mem image, const Origin& origin, const Sizes& region,
                   std::size_t offset) const {
    return issue(clEnqueueCopyImageToBuffer, queue, image, store, origin.data(), region.data(),
                 offset);
  }
  template <class Origin = Sizes>
  cl_int from_buffer(cl_mem image, std::size_t offset, const Origin& origin,
                     const Sizes& region) const {
    return issue(clEnqueueCopyBufferToImage, queue, store, image, offset, origin.data(),
                 region.data());
  }
  template <class Origin = Sizes>
  cl_uint* map(cl_mem image, cl_map_flags flags, const Origin& origin, const Sizes& region) {
    return static_cast<cl_uint*>(clEnqueueMapImage(queue, image, CL_TRUE, flags, origin.data(),
                                                   region.data(), &row_pitch, &slice_pitch, 0,
                                                   nullptr, nullptr, &code));
  }
  cl_int unmap(cl_mem image, void* pointer) const {
    return issue(clEnqueueUnmapMemObject, queue, image, pointer);
  }
  /// Writes 1, 2, ... to a new image's texels; gives them.
  std::vector<cl_uint> number(cl_mem image, const Sizes& region) const {
    const std::vector<cl_uint> values = counting(texels_of(region));
    REQUIRE(write(image, kZero, region, values.data()) == CL_SUCCESS);
    return values;
  }
  template <class T = cl_uint, class Origin = Sizes>
  std::vector<T> texels(cl_mem image, const Sizes& region, const Origin& origin = {}) const {
    std::vector<T> values(texels_of(region));
    REQUIRE(read(image, origin, region, values.data()) == CL_SUCCESS);
    return values;
  }
  Sampler sampler(cl_bool normalized, cl_addressing_mode mode, cl_filter_mode filter) {
    Sampler made = clCreateSampler(context, normalized, mode, filter, &code);
    REQUIRE(code == CL_SUCCESS);
    return made;
  }
  Sampler sampler(const std::vector<cl_sampler_properties>& list) {
    return clCreateSamplerWithProperties(context, list.empty() ? nullptr : list.data(), &code);
  }
};

template <class T>
T sampler_info(cl_sampler sampler, cl_sampler_info name) {
  return info<T>(clGetSamplerInfo, sampler, name);
}

}  // namespace transpire::test
