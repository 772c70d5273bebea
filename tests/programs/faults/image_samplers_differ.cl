// One image is read with normalized coordinates and with others; another one with two samplers that agree.
//! check ub
//! global 2
//! arg image = image 2d R FLOAT 4x1 float:data:1,3,5,7
//! arg other = image 2d R FLOAT 4x1 float:data:2,4,6,8
//! arg out = float:zero:8
//! expect out = 1 3 3 7 2 4 2 6
//! expect fault TSP-R0079 on image at 0 line 17
//! expect no faults
constant sampler_t by_texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t at_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t by_part = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void test(read_only image2d_t image, read_only image2d_t other, global float* out) {
  const int i = get_global_id(0);
  out[i] = read_imagef(image, by_texel, (float2)(i + 0.5f, 0.5f)).x;
  out[i + 2] = read_imagef(image, by_part, (float2)(0.375f + 0.5f * i, 0.5f)).x;
  out[i + 4] = read_imagef(other, by_texel, (float2)(i + 0.5f, 0.5f)).x;
  out[i + 6] = read_imagef(other, at_edge, (float2)(2 * i + 0.5f, 0.5f)).x;
}
