// 1D, clamp_to_edge linear unnormalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 1d R FLOAT 8 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler clamp_to_edge linear unnormalized
//! arg out = float:zero:70
//! arg start = -8.0
//! arg step = 0.25
//! expect out[0..11] = 1 1 1 1 1 1 1 1 1 1 1 1
//! expect out[12..23] = 1 1 1 1 1 1 1 1 1 1 1 1
//! expect out[24..35] = 1 1 1 1 1 1 1 1 1 1 1 1.25
//! expect out[36..47] = 1.5 1.75 2 2.75 3.5 4.25 5 6.25 7.5 8.75 10 11.75
//! expect out[48..59] = 13.5 15.25 17 19.25 21.5 23.75 26 28.75 31.5 34.25 37 40.25
//! expect out[60..69] = 43.5 46.75 50 50 50 50 50 50 50 50
//! expect no faults
//! # vary: local
kernel void test(read_only image1d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, x).x;
}
