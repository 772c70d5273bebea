// 2D, repeat linear normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 2d R FLOAT 4x2 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler repeat linear normalized
//! arg out = float:zero:70
//! arg start = -2.0
//! arg step = 0.0625
//! expect out[0..11] = 19.5 12.875 7 6.875 6.5 5.875 5 4.375 3.5 6.125 9 12.625
//! expect out[12..23] = 16.5 20.625 25 22.625 19.5 15.625 11 13.625 16.5 19.625 23 27.125
//! expect out[24..35] = 31.5 32.375 33 33.875 34.5 34.875 35 26.875 19.5 12.875 7 6.875
//! expect out[36..47] = 6.5 5.875 5 4.375 3.5 6.125 9 12.625 16.5 20.625 25 22.625
//! expect out[48..59] = 19.5 15.625 11 13.625 16.5 19.625 23 27.125 31.5 32.375 33 33.875
//! expect out[60..69] = 34.5 34.875 35 26.875 19.5 12.875 7 6.875 6.5 5.875
//! expect no faults
//! # vary: local
kernel void test(read_only image2d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float2)(x, x * 0.5f)).x;
}
