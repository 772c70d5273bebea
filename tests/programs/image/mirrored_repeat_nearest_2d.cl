// 2D, mirrored_repeat nearest normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 2d R FLOAT 4x2 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler mirrored_repeat nearest normalized
//! arg out = float:zero:70
//! arg start = -2.0
//! arg step = 0.0625
//! expect out[0..11] = 17 17 17 17 26 26 26 26 37 37 37 37
//! expect out[12..23] = 50 50 50 50 50 10 10 10 10 5 5 5
//! expect out[24..35] = 5 2 2 2 2 1 1 1 1 1 1 1
//! expect out[36..47] = 2 2 2 2 5 5 5 5 10 10 10 10
//! expect out[48..59] = 50 50 50 50 50 37 37 37 37 26 26 26
//! expect out[60..69] = 26 17 17 17 17 17 17 17 26 26
//! expect no faults
//! # vary: local
kernel void test(read_only image2d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float2)(x, x * 0.5f)).x;
}
