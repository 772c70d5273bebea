// 2D, clamp linear normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 2d R FLOAT 4x2 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler clamp linear normalized
//! arg out = float:zero:70
//! arg start = -2.0
//! arg step = 0.0625
//! expect out[0..11] = 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[12..23] = 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[24..35] = 0 0 0 0 0 0 0 0.109375 0.25 0.421875 0.625 0.859375
//! expect out[36..47] = 1.125 1.421875 1.75 2.578125 3.5 6.125 9 12.625 16.5 20.625 25 20.625
//! expect out[48..59] = 15 8.125 0 0 0 0 0 0 0 0 0 0
//! expect out[60..69] = 0 0 0 0 0 0 0 0 0 0
//! expect no faults
//! # vary: local
kernel void test(read_only image2d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float2)(x, x * 0.5f)).x;
}
