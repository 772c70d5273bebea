// Images: memory objects whose bytes are texels. Checks descriptors and formats, and the boxes of
// texels that commands name; has the device's limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opencl/memory_object.h"

namespace transpire::opencl {

/// Maximum number of texels along a side.
inline constexpr std::size_t kMaxImage2DSide = 32768;
inline constexpr std::size_t kMaxImage3DSide = 16384;
inline constexpr std::size_t kMaxImageLayers = 16384;
inline constexpr std::size_t kMaxImageBufferTexels = std::size_t{1} << 27;
/// Alignments for an image made of a buffer, in texels: of its rows, and of the buffer's begin.
inline constexpr cl_uint kImagePitchAlignment = 1;
inline constexpr cl_uint kImageBaseAlignment = 1;

/// The formats of images of a type (CL_MEM_OBJECT_IMAGE2D and so on), whatever their flags.
std::vector<cl_image_format> supported_formats(cl_mem_object_type type);

/// The format of an image of that type. Throws CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
/// CL_IMAGE_FORMAT_NOT_SUPPORTED.
memory::ImageFormat check_format(cl_mem_object_type type, const cl_image_format& format);

/// True for a type of image objects.
bool is_image_type(cl_mem_object_type type);

/// Checks that `image` is one, of the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
void check_image(const _cl_command_queue& queue, cl_mem image);

/// True if both images have the same bytes at all coordinates: two images of one buffer or image
/// with the same pitches. Other images share no bytes, or share them at other coordinates.
bool have_same_texels(const _cl_mem& a, const _cl_mem& b);

/// A box of texels from a command's origin and region. A mipmap's origin names the level behind the
/// coordinates that the kind of image has, so it may have four elements. Throws
/// CL_INVALID_MIP_LEVEL; CL_INVALID_VALUE if either is null, the region is empty, or the box leaves
/// the level.
LevelBox box_of(const _cl_mem& image, const std::size_t* origin, const std::size_t* region);

}  // namespace transpire::opencl
