// 3D, clamp_to_edge linear unnormalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 3d R FLOAT 4x2x2 float:data:1,2,5,10,17,26,37,50,65,82,101,122,145,170,197,226
//! arg how = sampler clamp_to_edge linear unnormalized
//! arg out = float:zero:70
//! arg start = -8.0
//! arg step = 0.25
//! expect out[0..11] = 1 1 1 1 1 1 1 1 1 1 1 1
//! expect out[12..23] = 1 1 1 1 1 1 1 1 1 1 1 1
//! expect out[24..35] = 1 1 1 1 1 1 1 1 1 1 1 1.25
//! expect out[36..47] = 1.5 4.5 8 12.5 17.5 31.25 47 65.25 85.5 100.5 116 127
//! expect out[48..59] = 138 149 160 171 182 193 204 215 226 226 226 226
//! expect out[60..69] = 226 226 226 226 226 226 226 226 226 226
//! expect no faults
//! # vary: local
kernel void test(read_only image3d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float4)(x, x * 0.5f, x * 0.25f, 0)).x;
}
