// 1D, none linear unnormalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 1d R FLOAT 8 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler none linear unnormalized
//! arg out = float:zero:70
//! arg start = 0.5
//! arg step = 0.03125
//! expect out[0..11] = 1 1.03125 1.0625 1.09375 1.125 1.15625 1.1875 1.21875 1.25 1.28125 1.3125 1.34375
//! expect out[12..23] = 1.375 1.40625 1.4375 1.46875 1.5 1.53125 1.5625 1.59375 1.625 1.65625 1.6875 1.71875
//! expect out[24..35] = 1.75 1.78125 1.8125 1.84375 1.875 1.90625 1.9375 1.96875 2 2.09375 2.1875 2.28125
//! expect out[36..47] = 2.375 2.46875 2.5625 2.65625 2.75 2.84375 2.9375 3.03125 3.125 3.21875 3.3125 3.40625
//! expect out[48..59] = 3.5 3.59375 3.6875 3.78125 3.875 3.96875 4.0625 4.15625 4.25 4.34375 4.4375 4.53125
//! expect out[60..69] = 4.625 4.71875 4.8125 4.90625 5 5.15625 5.3125 5.46875 5.625 5.78125
//! expect no faults
//! # vary: local
kernel void test(read_only image1d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, x).x;
}
