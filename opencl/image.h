// Images: memory objects whose bytes are texels. What the descriptor and the format of one may be, the
// limits of the device, and boxes of texels as commands name them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opencl/memory.h"

namespace transpire::opencl {

/// Texels along a side, at most.
inline constexpr std::size_t kMaxImage2DSide = 32768;
inline constexpr std::size_t kMaxImage3DSide = 16384;
inline constexpr std::size_t kMaxImageLayers = 16384;
inline constexpr std::size_t kMaxImageBufferTexels = std::size_t{1} << 27;
/// In texels: of a row of an image made of a buffer, and of where that buffer begins.
inline constexpr cl_uint kImagePitchAlignment = 1;
inline constexpr cl_uint kImageBaseAlignment = 1;

/// The formats of images of a type (CL_MEM_OBJECT_IMAGE2D and so on), whatever their flags.
std::vector<cl_image_format> supported_formats(cl_mem_object_type type);

/// The format of an image of that type. Throws CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_IMAGE_FORMAT_NOT_SUPPORTED.
memory::ImageFormat check_format(cl_mem_object_type type, const cl_image_format& format);

/// Whether it is a type of image objects.
bool is_image_type(cl_mem_object_type type);

/// Checks that `image` is one, of the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
void check_image(const _cl_command_queue& queue, cl_mem image);

/// Whether the texels of both, at any coordinates, are the same bytes: two images of one buffer or image with the same
/// pitches. Those of others are in other places, or in the same ones at other coordinates.
bool have_same_texels(const _cl_mem& a, const _cl_mem& b);

/// A box of texels from the origin and the region of a command. The origin of a mipmap names its level behind the
/// coordinates that the kind of image has, so it may have four elements. Throws CL_INVALID_MIP_LEVEL, and CL_INVALID_VALUE
/// when either is null, the region is empty, or the box leaves the level.
LevelBox box_of(const _cl_mem& image, const std::size_t* origin, const std::size_t* region);

}  // namespace transpire::opencl
