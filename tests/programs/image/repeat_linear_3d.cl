// 3D, repeat linear normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 3d R FLOAT 4x2x2 float:data:1,2,5,10,17,26,37,50,65,82,101,122,145,170,197,226
//! arg how = sampler repeat linear normalized
//! arg out = float:zero:70
//! arg start = -2.0
//! arg step = 0.0625
//! expect out[0..11] = 79.5 68.125 56.5 59.125 61.5 63.625 65.5 67.625 69.5 81.125 93.5 107.125
//! expect out[12..23] = 121.5 136.625 152.5 146.625 139.5 124.125 108.5 115.125 121.5 127.625 133.5 139.625
//! expect out[24..35] = 145.5 141.625 137.5 133.625 129.5 125.125 120.5 99.125 79.5 61.625 45.5 42.625
//! expect out[36..47] = 39.5 36.125 32.5 29.125 25.5 27.125 28.5 30.125 31.5 32.625 33.5 26.625
//! expect out[48..59] = 19.5 19.125 17.5 24.125 31.5 39.625 48.5 58.625 69.5 75.125 80.5 86.125
//! expect out[60..69] = 91.5 96.625 101.5 90.625 79.5 68.125 56.5 59.125 61.5 63.625
//! expect no faults
//! # vary: local
kernel void test(read_only image3d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float4)(x, x * 0.5f, x * 0.25f, 0)).x;
}
