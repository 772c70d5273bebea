// 1D, repeat linear normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 1d R FLOAT 8 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler repeat linear normalized
//! arg out = float:zero:70
//! arg start = -2.0
//! arg step = 0.0625
//! expect out[0..11] = 25.5 1 1.5 2 3.5 5 7.5 10 13.5 17 21.5 26
//! expect out[12..23] = 31.5 37 43.5 50 25.5 1 1.5 2 3.5 5 7.5 10
//! expect out[24..35] = 13.5 17 21.5 26 31.5 37 43.5 50 25.5 1 1.5 2
//! expect out[36..47] = 3.5 5 7.5 10 13.5 17 21.5 26 31.5 37 43.5 50
//! expect out[48..59] = 25.5 1 1.5 2 3.5 5 7.5 10 13.5 17 21.5 26
//! expect out[60..69] = 31.5 37 43.5 50 25.5 1 1.5 2 3.5 5
//! expect no faults
//! # vary: local
kernel void test(read_only image1d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, x).x;
}
