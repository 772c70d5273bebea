// Every kind of image is read with a sampler, by integers and by floats, and without one, as floats and as integers of either sign. Of
// depth images a read gives a scalar. Work-item i reads the texel that is i-th in memory.
//! options -cl-std=CL2.0
//! kernel read_f
//! global 8
//! arg line = image 1d RGBA FLOAT 8 float4:range:0:1:8
//! arg texels = image 1d_buffer RGBA FLOAT 8 float4:range:0:1:8
//! arg lines = image 1d_array RGBA FLOAT 4x2 float4:range:0:1:8
//! arg plane = image 2d RGBA FLOAT 4x2 float4:range:0:1:8
//! arg planes = image 2d_array RGBA FLOAT 2x2x2 float4:range:0:1:8
//! arg body = image 3d RGBA FLOAT 2x2x2 float4:range:0:1:8
//! arg out = float4:zero:128
//! launch
//! expect out[0..7] = range:0:1
//! expect out[8..15] = range:0:1
//! expect out[16..23] = range:0:1
//! expect out[24..31] = range:0:1
//! expect out[32..39] = range:0:1
//! expect out[40..47] = range:0:1
//! expect out[48..55] = range:0:1
//! expect out[56..63] = range:0:1
//! expect out[64..71] = range:0:1
//! expect out[72..79] = range:0:1
//! expect out[80..87] = range:0:1
//! expect out[88..95] = range:0:1
//! expect out[96..103] = range:0:1
//! expect out[104..111] = range:0:1
//! expect out[112..119] = range:0:1
//! expect out[120..127] = range:0:1
//! kernel read_i
//! global 8
//! arg line = image 1d RGBA SIGNED_INT32 8 int4:range:0:1:8
//! arg texels = image 1d_buffer RGBA SIGNED_INT32 8 int4:range:0:1:8
//! arg lines = image 1d_array RGBA SIGNED_INT32 4x2 int4:range:0:1:8
//! arg plane = image 2d RGBA SIGNED_INT32 4x2 int4:range:0:1:8
//! arg planes = image 2d_array RGBA SIGNED_INT32 2x2x2 int4:range:0:1:8
//! arg body = image 3d RGBA SIGNED_INT32 2x2x2 int4:range:0:1:8
//! arg out = int4:zero:128
//! launch
//! expect out[0..7] = range:0:1
//! expect out[8..15] = range:0:1
//! expect out[16..23] = range:0:1
//! expect out[24..31] = range:0:1
//! expect out[32..39] = range:0:1
//! expect out[40..47] = range:0:1
//! expect out[48..55] = range:0:1
//! expect out[56..63] = range:0:1
//! expect out[64..71] = range:0:1
//! expect out[72..79] = range:0:1
//! expect out[80..87] = range:0:1
//! expect out[88..95] = range:0:1
//! expect out[96..103] = range:0:1
//! expect out[104..111] = range:0:1
//! expect out[112..119] = range:0:1
//! expect out[120..127] = range:0:1
//! kernel read_ui
//! global 8
//! arg line = image 1d RGBA UNSIGNED_INT32 8 uint4:range:0:1:8
//! arg texels = image 1d_buffer RGBA UNSIGNED_INT32 8 uint4:range:0:1:8
//! arg lines = image 1d_array RGBA UNSIGNED_INT32 4x2 uint4:range:0:1:8
//! arg plane = image 2d RGBA UNSIGNED_INT32 4x2 uint4:range:0:1:8
//! arg planes = image 2d_array RGBA UNSIGNED_INT32 2x2x2 uint4:range:0:1:8
//! arg body = image 3d RGBA UNSIGNED_INT32 2x2x2 uint4:range:0:1:8
//! arg out = uint4:zero:128
//! launch
//! expect out[0..7] = range:0:1
//! expect out[8..15] = range:0:1
//! expect out[16..23] = range:0:1
//! expect out[24..31] = range:0:1
//! expect out[32..39] = range:0:1
//! expect out[40..47] = range:0:1
//! expect out[48..55] = range:0:1
//! expect out[56..63] = range:0:1
//! expect out[64..71] = range:0:1
//! expect out[72..79] = range:0:1
//! expect out[80..87] = range:0:1
//! expect out[88..95] = range:0:1
//! expect out[96..103] = range:0:1
//! expect out[104..111] = range:0:1
//! expect out[112..119] = range:0:1
//! expect out[120..127] = range:0:1
//! kernel read_depth
//! global 8
//! arg plane = image 2d DEPTH FLOAT 4x2 float:range:0:0.125:8
//! arg planes = image 2d_array DEPTH FLOAT 2x2x2 float:range:0:0.125:8
//! arg out = float:zero:48
//! expect no faults
//! expect out[0..7] = range:0:0.125
//! expect out[8..15] = range:0:0.125
//! expect out[16..23] = range:0:0.125
//! expect out[24..31] = range:0:0.125
//! expect out[32..39] = range:0:0.125
//! expect out[40..47] = range:0:0.125
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#define PUT(value) { out[at] = (value); at += 8; }
#define WITHOUT(function, image, whole) PUT(function(image, whole))
#define ALL(function, image, whole, exact) \
  PUT(function(image, nearest, whole)) PUT(function(image, nearest, exact)) WITHOUT(function, image, whole)
#define KINDS(function, all, without)                                                                           \
  all(function, line, i, i + 0.5f)                                                                              \
  without(function, texels, i)                                                                                  \
  all(function, lines, (int2)(i % 4, i / 4), (float2)(i % 4 + 0.5f, i / 4))                                     \
  all(function, plane, (int2)(i % 4, i / 4), (float2)(i % 4 + 0.5f, i / 4 + 0.5f))                              \
  all(function, planes, (int4)(i % 2, i / 2 % 2, i / 4, 0), (float4)(i % 2 + 0.5f, i / 2 % 2 + 0.5f, i / 4, 0)) \
  all(function, body, (int4)(i % 2, i / 2 % 2, i / 4, 0), (float4)(i % 2 + 0.5f, i / 2 % 2 + 0.5f, i / 4 + 0.5f, 0))
#define READ(suffix, type)                                                                                  \
  kernel void read_##suffix(read_only image1d_t line, read_only image1d_buffer_t texels,                    \
                            read_only image1d_array_t lines, read_only image2d_t plane,                     \
                            read_only image2d_array_t planes, read_only image3d_t body, global type* out) { \
    const int i = get_global_id(0);                                                                         \
    int at = i;                                                                                             \
    KINDS(read_image##suffix, ALL, WITHOUT)                                                                 \
  }
READ(f, float4)
READ(i, int4)
READ(ui, uint4)
kernel void read_depth(read_only image2d_depth_t plane, read_only image2d_array_depth_t planes, global float* out) {
  const int i = get_global_id(0);
  int at = i;
  ALL(read_imagef, plane, (int2)(i % 4, i / 4), (float2)(i % 4 + 0.5f, i / 4 + 0.5f))
  ALL(read_imagef, planes, (int4)(i % 2, i / 2 % 2, i / 4, 0), (float4)(i % 2 + 0.5f, i / 2 % 2 + 0.5f, i / 4, 0))
}
