// Every kind of image is written, and read and written through read_write, as floats and as integers of either sign; depth images
// with scalars. Work-item i has the texel that is i-th in memory.
//! options -cl-std=CL2.0
//! kernel write_f
//! global 8
//! arg line = image 1d RGBA FLOAT 8
//! arg texels = image 1d_buffer RGBA FLOAT 8
//! arg lines = image 1d_array RGBA FLOAT 4x2
//! arg plane = image 2d RGBA FLOAT 4x2
//! arg planes = image 2d_array RGBA FLOAT 2x2x2
//! arg body = image 3d RGBA FLOAT 2x2x2
//! launch
//! expect line = range:0:1
//! expect texels = range:0:1
//! expect lines = range:0:1
//! expect plane = range:0:1
//! expect planes = range:0:1
//! expect body = range:0:1
//! kernel change_f
//! global 8
//! arg line = image 1d RGBA FLOAT 8 float4:range:0:1:8
//! arg texels = image 1d_buffer RGBA FLOAT 8 float4:range:0:1:8
//! arg lines = image 1d_array RGBA FLOAT 4x2 float4:range:0:1:8
//! arg plane = image 2d RGBA FLOAT 4x2 float4:range:0:1:8
//! arg planes = image 2d_array RGBA FLOAT 2x2x2 float4:range:0:1:8
//! arg body = image 3d RGBA FLOAT 2x2x2 float4:range:0:1:8
//! launch
//! expect line = range:100:1
//! expect texels = range:100:1
//! expect lines = range:100:1
//! expect plane = range:100:1
//! expect planes = range:100:1
//! expect body = range:100:1
//! kernel write_i
//! global 8
//! arg line = image 1d RGBA SIGNED_INT32 8
//! arg texels = image 1d_buffer RGBA SIGNED_INT32 8
//! arg lines = image 1d_array RGBA SIGNED_INT32 4x2
//! arg plane = image 2d RGBA SIGNED_INT32 4x2
//! arg planes = image 2d_array RGBA SIGNED_INT32 2x2x2
//! arg body = image 3d RGBA SIGNED_INT32 2x2x2
//! launch
//! expect line = range:0:1
//! expect texels = range:0:1
//! expect lines = range:0:1
//! expect plane = range:0:1
//! expect planes = range:0:1
//! expect body = range:0:1
//! kernel change_i
//! global 8
//! arg line = image 1d RGBA SIGNED_INT32 8 int4:range:0:1:8
//! arg texels = image 1d_buffer RGBA SIGNED_INT32 8 int4:range:0:1:8
//! arg lines = image 1d_array RGBA SIGNED_INT32 4x2 int4:range:0:1:8
//! arg plane = image 2d RGBA SIGNED_INT32 4x2 int4:range:0:1:8
//! arg planes = image 2d_array RGBA SIGNED_INT32 2x2x2 int4:range:0:1:8
//! arg body = image 3d RGBA SIGNED_INT32 2x2x2 int4:range:0:1:8
//! launch
//! expect line = range:100:1
//! expect texels = range:100:1
//! expect lines = range:100:1
//! expect plane = range:100:1
//! expect planes = range:100:1
//! expect body = range:100:1
//! kernel write_ui
//! global 8
//! arg line = image 1d RGBA UNSIGNED_INT32 8
//! arg texels = image 1d_buffer RGBA UNSIGNED_INT32 8
//! arg lines = image 1d_array RGBA UNSIGNED_INT32 4x2
//! arg plane = image 2d RGBA UNSIGNED_INT32 4x2
//! arg planes = image 2d_array RGBA UNSIGNED_INT32 2x2x2
//! arg body = image 3d RGBA UNSIGNED_INT32 2x2x2
//! launch
//! expect line = range:0:1
//! expect texels = range:0:1
//! expect lines = range:0:1
//! expect plane = range:0:1
//! expect planes = range:0:1
//! expect body = range:0:1
//! kernel change_ui
//! global 8
//! arg line = image 1d RGBA UNSIGNED_INT32 8 uint4:range:0:1:8
//! arg texels = image 1d_buffer RGBA UNSIGNED_INT32 8 uint4:range:0:1:8
//! arg lines = image 1d_array RGBA UNSIGNED_INT32 4x2 uint4:range:0:1:8
//! arg plane = image 2d RGBA UNSIGNED_INT32 4x2 uint4:range:0:1:8
//! arg planes = image 2d_array RGBA UNSIGNED_INT32 2x2x2 uint4:range:0:1:8
//! arg body = image 3d RGBA UNSIGNED_INT32 2x2x2 uint4:range:0:1:8
//! launch
//! expect line = range:100:1
//! expect texels = range:100:1
//! expect lines = range:100:1
//! expect plane = range:100:1
//! expect planes = range:100:1
//! expect body = range:100:1
//! kernel write_depth
//! global 8
//! arg plane = image 2d DEPTH FLOAT 4x2
//! arg planes = image 2d_array DEPTH FLOAT 2x2x2
//! launch
//! expect plane = range:0:0.125
//! expect planes = range:0:0.125
//! kernel change_depth
//! global 8
//! arg plane = image 2d DEPTH FLOAT 4x2 float:range:0:0.125:8
//! arg planes = image 2d_array DEPTH FLOAT 2x2x2 float:range:0:0.125:8
//! launch
//! expect plane = range:0.0625:0.125
//! expect planes = range:0.0625:0.125
#define KINDS(what, suffix, type)                                \
  what(suffix, type, line, i)                                    \
  what(suffix, type, texels, i)                                  \
  what(suffix, type, lines, (int2)(i % 4, i / 4))                \
  what(suffix, type, plane, (int2)(i % 4, i / 4))                \
  what(suffix, type, planes, (int4)(i % 2, i / 2 % 2, i / 4, 0)) \
  what(suffix, type, body, (int4)(i % 2, i / 2 % 2, i / 4, 0))
#define WRITE(suffix, type, image, at) write_image##suffix(image, at, (type)(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3));
#define CHANGE(suffix, type, image, at) write_image##suffix(image, at, read_image##suffix(image, at) + (type)(100));
#define IMAGES(access)                                                                 \
  access image1d_t line, access image1d_buffer_t texels, access image1d_array_t lines, \
  access image2d_t plane, access image2d_array_t planes, access image3d_t body
#define KERNELS(suffix, type)                       \
  kernel void write_##suffix(IMAGES(write_only)) {  \
    const int i = get_global_id(0);                 \
    KINDS(WRITE, suffix, type)                      \
  }                                                 \
  kernel void change_##suffix(IMAGES(read_write)) { \
    const int i = get_global_id(0);                 \
    KINDS(CHANGE, suffix, type)                     \
  }
KERNELS(f, float4)
KERNELS(i, int4)
KERNELS(ui, uint4)
kernel void write_depth(write_only image2d_depth_t plane, write_only image2d_array_depth_t planes) {
  const int i = get_global_id(0);
  write_imagef(plane, (int2)(i % 4, i / 4), i * 0.125f);
  write_imagef(planes, (int4)(i % 2, i / 2 % 2, i / 4, 0), i * 0.125f);
}
kernel void change_depth(read_write image2d_depth_t plane, read_write image2d_array_depth_t planes) {
  const int i = get_global_id(0);
  write_imagef(plane, (int2)(i % 4, i / 4), read_imagef(plane, (int2)(i % 4, i / 4)) + 0.0625f);
  const int4 at = (int4)(i % 2, i / 2 % 2, i / 4, 0);
  write_imagef(planes, at, read_imagef(planes, at) + 0.0625f);
}
