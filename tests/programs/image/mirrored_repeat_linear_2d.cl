// 2D, mirrored_repeat linear normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 2d R FLOAT 4x2 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler mirrored_repeat linear normalized
//! arg out = float:zero:70
//! arg start = -2.0
//! arg step = 0.0625
//! expect out[0..11] = 17 17 17 19.25 21.5 23.75 26 28.75 31.5 32.375 33 33.875
//! expect out[12..23] = 34.5 34.875 35 32.5 30 27.5 25 20.625 16.5 12.625 9 6.125
//! expect out[24..35] = 3.5 2.75 2 1.75 1.5 1.25 1 1 1 1 1 1.25
//! expect out[36..47] = 1.5 1.75 2 2.75 3.5 6.125 9 12.625 16.5 20.625 25 27.5
//! expect out[48..59] = 30 32.5 35 34.875 34.5 33.875 33 32.375 31.5 28.75 26 23.75
//! expect out[60..69] = 21.5 19.25 17 17 17 17 17 19.25 21.5 23.75
//! expect no faults
//! # vary: local
kernel void test(read_only image2d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float2)(x, x * 0.5f)).x;
}
