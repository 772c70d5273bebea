// Images and samplers of the C interface. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_IMAGE_H
#define TRANSPIRE_IMAGE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An image: texels that kernels read and write.
typedef struct transpire_image transpire_image;

/// Format and size of an image. If only `struct_size` is set and all else is zero, it is a 2D image of one RGBA
/// UNORM_INT8 texel.
typedef struct transpire_image_description {
  size_t struct_size;         ///< sizeof(transpire_image_description)
  const char* kind;           ///< "1d", "1d_array", "1d_buffer", "2d", "2d_array", "3d"; null: "2d"
  const char* channel_order;  ///< OpenCL's names, with or without CL_; null: "RGBA"
  const char* channel_type;   ///< null: "UNORM_INT8"
  uint64_t width, height, depth, layers;  ///< in texels; 0 means 1
  uint64_t row_pitch, slice_pitch;        ///< in bytes; 0: no gaps
  uint32_t levels, samples;               ///< mipmap levels, samples per texel; 0 means 1
} transpire_image_description;

/// Makes an image whose bytes are all zero. `name` appears in findings; may be null. The caller releases the image.
/// Refused (C0042) if the description is not valid.
TRANSPIRE_API transpire_status
transpire_image_create(const transpire_image_description* description, const char* name,
                       transpire_image** image, transpire_error** error);
TRANSPIRE_API void transpire_image_release(transpire_image* image);

/// Gives the bytes of all levels, including the gaps between rows and slices. They belong to the image. `size_bytes` may
/// be null.
TRANSPIRE_API transpire_status transpire_image_get_bytes(const transpire_image* image, void** bytes,
                                                         uint64_t* size_bytes,
                                                         transpire_error** error);
/// Copies all texels of level 0: write from `bytes` into the image, read from the image to `bytes`. The memory has
/// `size_bytes` bytes and these pitches in bytes (0: no gaps). Refused (C0042) if the texels do not fit into it.
TRANSPIRE_API transpire_status transpire_image_write(const transpire_image* image,
                                                     const void* bytes, uint64_t size_bytes,
                                                     uint64_t row_pitch, uint64_t slice_pitch,
                                                     transpire_error** error);
TRANSPIRE_API transpire_status transpire_image_read(const transpire_image* image, void* bytes,
                                                    uint64_t size_bytes, uint64_t row_pitch,
                                                    uint64_t slice_pitch, transpire_error** error);

TRANSPIRE_API transpire_status transpire_launch_set_image(transpire_launch* launch, size_t index,
                                                          const transpire_image* image,
                                                          transpire_error** error);
/// Sets a sampler argument. `words` are separated by blanks, in any order:
/// - addressing mode: "none" (default), "clamp_to_edge", "clamp", "repeat" or "mirrored_repeat";
/// - filter: "nearest" (default) or "linear";
/// - coordinates: "unnormalized" (default) or "normalized";
/// - for mipmaps: "mip_nearest" (default) or "mip_linear", and limits such as "lod_min=1.5" and "lod_max=4" (default: none);
/// - for comparisons of shaders with depths: "compare_less", "compare_less_or_equal" and so on (default: none);
/// - border color with clamp: "border_transparent_black" (default), "border_opaque_black" or "border_opaque_white".
TRANSPIRE_API transpire_status transpire_launch_set_sampler(transpire_launch* launch, size_t index,
                                                            const char* words,
                                                            transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
