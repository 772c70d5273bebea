// 2D, none nearest normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 2d R FLOAT 4x2 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler none nearest normalized
//! arg out = float:zero:70
//! arg start = 0.25
//! arg step = 0.00390625
//! expect out[0..11] = 26 26 26 26 26 26 26 26 26 26 26 26
//! expect out[12..23] = 26 26 26 26 26 26 26 26 26 26 26 26
//! expect out[24..35] = 26 26 26 26 26 26 26 26 26 26 26 26
//! expect out[36..47] = 26 26 26 26 26 26 26 26 26 26 26 26
//! expect out[48..59] = 26 26 26 26 26 26 26 26 26 26 26 26
//! expect out[60..69] = 26 26 26 26 37 37 37 37 37 37
//! expect no faults
//! # vary: local
kernel void test(read_only image2d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float2)(x, 0.5f)).x;
}
