// 3D, clamp nearest unnormalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 3d R FLOAT 4x2x2 float:data:1,2,5,10,17,26,37,50,65,82,101,122,145,170,197,226
//! arg how = sampler clamp nearest unnormalized
//! arg out = float:zero:70
//! arg start = -8.0
//! arg step = 0.25
//! expect out[0..11] = 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[12..23] = 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[24..35] = 0 0 0 0 0 0 0 0 1 1 1 1
//! expect out[36..47] = 2 2 2 2 37 37 37 37 50 50 50 50
//! expect out[48..59] = 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[60..69] = 0 0 0 0 0 0 0 0 0 0
//! expect no faults
//! # vary: local
kernel void test(read_only image3d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float4)(x, x * 0.5f, x * 0.25f, 0)).x;
}
