// 3D, clamp linear unnormalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 3d R FLOAT 4x2x2 float:data:1,2,5,10,17,26,37,50,65,82,101,122,145,170,197,226
//! arg how = sampler clamp linear unnormalized
//! arg out = float:zero:70
//! arg start = -8.0
//! arg step = 0.25
//! expect out[0..11] = 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[12..23] = 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[24..35] = 0 0 0 0 0 0 0 0.041015625 0.125 0.263671875 0.46875 0.751953125
//! expect out[36..47] = 1.125 3.65625 7 11.71875 17.5 31.25 47 65.25 85.5 87.9375 87 59.53125
//! expect out[48..59] = 34.5 13.96875 0 0 0 0 0 0 0 0 0 0
//! expect out[60..69] = 0 0 0 0 0 0 0 0 0 0
//! expect no faults
//! # vary: local
kernel void test(read_only image3d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float4)(x, x * 0.5f, x * 0.25f, 0)).x;
}
