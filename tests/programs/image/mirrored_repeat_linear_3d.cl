// 3D, mirrored_repeat linear normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 3d R FLOAT 4x2x2 float:data:1,2,5,10,17,26,37,50,65,82,101,122,145,170,197,226
//! arg how = sampler mirrored_repeat linear normalized
//! arg out = float:zero:70
//! arg start = -2.0
//! arg step = 0.0625
//! expect out[0..11] = 81 77 73 72.875 72.5 71.875 71 70.375 69.5 65.625 61.5 57.625
//! expect out[12..23] = 53.5 49.125 44.5 37.125 30 27.5 25 20.625 16.5 12.625 9 6.125
//! expect out[24..35] = 3.5 2.75 2 1.75 1.5 1.25 1 1 1 1 1 1.25
//! expect out[36..47] = 1.5 1.75 2 2.75 3.5 6.125 9 12.625 16.5 20.625 25 27.5
//! expect out[48..59] = 30 37.125 44.5 49.125 53.5 57.625 61.5 65.625 69.5 70.375 71 71.875
//! expect out[60..69] = 72.5 72.875 73 77 81 85 89 97.625 106.5 115.625
//! expect no faults
//! # vary: local
kernel void test(read_only image3d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float4)(x, x * 0.5f, x * 0.25f, 0)).x;
}
