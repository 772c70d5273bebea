// What the tests of images share: descriptors, boxes, and commands in one line.
#pragma once

#include <array>
#include <numeric>
#include <vector>

#include "tests/opencl/host.h"

namespace transpire::test {

using Sizes = std::array<std::size_t, 3>;
constexpr Sizes kZero{0, 0, 0};
inline const cl_image_format kBytes{CL_RGBA, CL_UNSIGNED_INT8};
constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,        CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                         CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D,
                                         CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};

/// 5 texels wide, and 3 and 2 along the other coordinates that the type has.
inline cl_image_desc descriptor(cl_mem_object_type type) {
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = 5;
  desc.image_height = 3;
  desc.image_depth = 2;
  desc.image_array_size = 2;
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

struct Images : Host {
  cl_mem buffer = clCreateBuffer(context, 0, 4096, nullptr, nullptr);
  ~Images() { clReleaseMemObject(buffer); }

  cl_mem make(const cl_image_desc& desc, const cl_image_format& format = kBytes,
              cl_mem_flags flags = 0, void* data = nullptr) const {
    cl_int code = 0;
    const cl_mem image = clCreateImage(context, flags, &format, &desc, data, &code);
    REQUIRE(code == CL_SUCCESS);
    return image;
  }
  cl_mem make(cl_mem_object_type type) const {
    cl_image_desc desc = descriptor(type);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = buffer;
    return make(desc);
  }
  cl_int refusal(const cl_image_desc& desc, const cl_image_format& format = kBytes,
                 cl_mem_flags flags = 0, void* data = nullptr) const {
    cl_int code = 0;
    CHECK(clCreateImage(context, flags, &format, &desc, data, &code) == nullptr);
    return code;
  }
  template <class T>
  T info(cl_mem image, cl_image_info name) const {
    T value{};
    REQUIRE(clGetImageInfo(image, name, sizeof value, &value, nullptr) == CL_SUCCESS);
    return value;
  }
  std::size_t size_info(cl_mem image, cl_image_info name) const {
    return info<std::size_t>(image, name);
  }
  template <class T>
  T memory_info(cl_mem memory, cl_mem_info name) const {
    T value{};
    REQUIRE(clGetMemObjectInfo(memory, name, sizeof value, &value, nullptr) == CL_SUCCESS);
    return value;
  }
  cl_int read(cl_mem image, const Sizes& origin, const Sizes& region, void* to,
              std::size_t row_pitch = 0, std::size_t slice_pitch = 0) const {
    return clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), row_pitch,
                              slice_pitch, to, 0, nullptr, nullptr);
  }
  cl_int write(cl_mem image, const Sizes& origin, const Sizes& region, const void* from,
               std::size_t row_pitch = 0, std::size_t slice_pitch = 0) const {
    return clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), row_pitch,
                               slice_pitch, from, 0, nullptr, nullptr);
  }
  cl_int copy(cl_mem from, cl_mem to, const Sizes& source, const Sizes& target,
              const Sizes& region) const {
    return clEnqueueCopyImage(queue, from, to, source.data(), target.data(), region.data(), 0,
                              nullptr, nullptr);
  }
};

inline std::vector<cl_uint> counting(std::size_t texels, cl_uint first = 1) {
  std::vector<cl_uint> values(texels);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace transpire::test
