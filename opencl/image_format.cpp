// The formats that images may have: those of memory/image_format.def that OpenCL has, with exceptions.
#include <algorithm>

#include "opencl/entry_point.h"
#include "opencl/image.h"

namespace transpire::opencl {
namespace {

using memory::ChannelOrder;

/// Orders with an x are left out: versions of the specification disagree about their element size,
/// and it disagrees with the conformance tests about their border color. Orders with a stencil are
/// OpenGL's.
bool is_left_out(ChannelOrder order) {
  return order == ChannelOrder::kRx || order == ChannelOrder::kRGx ||
         order == ChannelOrder::kRGBx || order == ChannelOrder::ksRGBx ||
         order == ChannelOrder::kDepthStencil;
}

bool takes_format(cl_mem_object_type type, memory::ImageFormat format) {
  if (!memory::is_format(format) || !memory::has_usual_size(format) || is_left_out(format.order) ||
      memory::is_of_shaders(format))
    return false;
  if (memory::is_depth(format.order))
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return !memory::row_of(format.order).is_srgb || type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

}  // namespace

std::vector<cl_image_format> supported_formats(cl_mem_object_type type) {
  std::vector<cl_image_format> list;
  for (std::size_t order = 0; order < std::size(memory::kChannelOrders); ++order)
    for (std::size_t channel = 0; channel < std::size(memory::kChannelTypes); ++channel)
      if (takes_format(
              type, {static_cast<ChannelOrder>(order), static_cast<memory::ChannelType>(channel)}))
        list.push_back({memory::kChannelOrders[order].api, memory::kChannelTypes[channel].api});
  return list;
}

memory::ImageFormat check_format(cl_mem_object_type type, const cl_image_format& format) {
  const auto made =
      memory::format_of_api(format.image_channel_order, format.image_channel_data_type);
  check(made.has_value(), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  check(takes_format(type, *made), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  return *made;
}

}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type type, cl_uint num_entries,
                                              cl_image_format* formats, cl_uint* num_formats) {
  return guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    check_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
    check(is_image_type(type), CL_INVALID_VALUE);
    check(num_entries != 0 || formats == nullptr, CL_INVALID_VALUE);
    const std::vector<cl_image_format> list = supported_formats(type);
    if (formats != nullptr)
      std::copy_n(list.begin(), std::min<std::size_t>(num_entries, list.size()), formats);
    if (num_formats != nullptr) *num_formats = static_cast<cl_uint>(list.size());
  });
}
