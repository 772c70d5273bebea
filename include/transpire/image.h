// Images and samplers, a part of transpire/transpire.h, which includes it.
#ifndef TRANSPIRE_IMAGE_H
#define TRANSPIRE_IMAGE_H

#include "transpire/transpire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Texels that kernels read and write.
typedef struct transpire_image transpire_image;

/// What an image is made of. All zeros but `struct_size` is a 2D image of one RGBA UNORM_INT8 texel.
typedef struct transpire_image_description {
  size_t struct_size;         ///< sizeof(transpire_image_description)
  const char* kind;           ///< "1d", "1d_array", "1d_buffer", "2d", "2d_array", "3d"; null: "2d"
  const char* channel_order;  ///< OpenCL's names, with or without CL_; null: "RGBA"
  const char* channel_type;   ///< null: "UNORM_INT8"
  uint64_t width, height, depth, layers;  ///< in texels; 0: 1
  uint64_t row_pitch, slice_pitch;        ///< in bytes; 0: no gaps
  uint32_t levels, samples;               ///< of a mipmap; of each texel; 0: 1
} transpire_image_description;

/// Makes an image of zero bytes. `name` appears in findings; may be null. Refused (C0042) what is no image.
TRANSPIRE_API transpire_status
transpire_image_create(const transpire_image_description* description, const char* name,
                       transpire_image** image, transpire_error** error);
TRANSPIRE_API void transpire_image_release(transpire_image* image);

/// The bytes of all levels, with the gaps between rows and slices. `size_bytes` may be null.
TRANSPIRE_API transpire_status transpire_image_get_bytes(const transpire_image* image, void** bytes,
                                                         uint64_t* size_bytes,
                                                         transpire_error** error);
/// All texels of level 0 from or to `size_bytes` of memory with these pitches, 0: no gaps. Refused (C0042) where they do
/// not fit.
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
/// `words`: an addressing mode ("none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"), "nearest" or "linear",
/// "normalized" or "unnormalized", and of mipmaps "mip_nearest" or "mip_linear", "lod_min=1.5" and "lod_max=4",
/// separated by blanks. Left out: none, nearest, unnormalized, mip_nearest, all levels.
TRANSPIRE_API transpire_status transpire_launch_set_sampler(transpire_launch* launch, size_t index,
                                                            const char* words,
                                                            transpire_error** error);

#ifdef __cplusplus
}
#endif

#endif
