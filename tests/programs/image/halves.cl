// Texels as halves: of a half format as they are, of others rounded once to nearest even; written in each way.
//! global 3
//! arg halves = image 2d RGBA HALF_FLOAT 3x1 half4:data:(0.5,-2,65504,0),(1,2,3,4),(-0.0,0.25,8,16)
//! arg bytes = image 2d RGBA UNORM_INT8 3x1 uchar4:data:(0,1,254,255),(127,128,51,85),(2,3,4,5)
//! arg floats = image 2d RGBA FLOAT 3x1 float4:data:(1.00048828125,1.0,70000,-1e-9),(0.1,0.2,0.3,0.4),(2049,2051,-65520,0)
//! arg to_half = image 2d RGBA HALF_FLOAT 3x1
//! arg to_byte = image 2d RGBA UNORM_INT8 3x1
//! arg to_float = image 2d RGBA FLOAT 3x1
//! arg out = half4:zero:9
//! expect out[0..3] = (0.5,-2,65504,0) (1,2,3,4) (-0,0.25,8,16) (0,0.0039215087890625,0.99609375,1)
//! expect out[4] = (0.498046875,0.501953125,0.199951171875,0.333251953125)
//! expect out[5..6] = (0.007843017578125,0.0117645263671875,0.01568603515625,0.0196075439453125) (1,1,inf,-0)
//! expect out[7..8] = (0.0999755859375,0.199951171875,0.300048828125,0.39990234375) (2048,2052,-inf,0)
//! expect to_half[0..2] = (1,1,inf,-0) (0.0999755859375,0.199951171875,0.300048828125,0.39990234375) (2048,2052,-inf,0)
//! expect to_byte[0..2] = (0,1,254,255) (127,128,51,85) (2,3,4,5)
//! expect to_float[0..2] = (0.5,-2,65504,0) (1,2,3,4) (-0,0.25,8,16)
//! expect no faults
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
constant sampler_t how = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void test(read_only image2d_t halves, read_only image2d_t bytes, read_only image2d_t floats,
                 write_only image2d_t to_half, write_only image2d_t to_byte, write_only image2d_t to_float,
                 global half4* out) {
  const int i = get_global_id(0);
  const int2 at = (int2)(i, 0);
  out[i] = read_imageh(halves, at);
  out[i + 3] = read_imageh(bytes, how, at);
  out[i + 6] = read_imageh(floats, how, (float2)(i + 0.5f, 0.5f));
  write_imageh(to_half, at, out[i + 6]);
  write_imageh(to_byte, at, out[i + 3]);
  write_imageh(to_float, at, out[i]);
}
