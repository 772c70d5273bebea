// 3D, none linear unnormalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 3d R FLOAT 4x2x2 float:data:1,2,5,10,17,26,37,50,65,82,101,122,145,170,197,226
//! arg how = sampler none linear unnormalized
//! arg out = float:zero:70
//! arg start = 0.5
//! arg step = 0.03125
//! expect out[0..11] = 57 57.40625 57.8125 58.21875 58.625 59.03125 59.4375 59.84375 60.25 60.65625 61.0625 61.46875
//! expect out[12..23] = 61.875 62.28125 62.6875 63.09375 63.5 63.90625 64.3125 64.71875 65.125 65.53125 65.9375 66.34375
//! expect out[24..35] = 66.75 67.15625 67.5625 67.96875 68.375 68.78125 69.1875 69.59375 70 70.46875 70.9375 71.40625
//! expect out[36..47] = 71.875 72.34375 72.8125 73.28125 73.75 74.21875 74.6875 75.15625 75.625 76.09375 76.5625 77.03125
//! expect out[48..59] = 77.5 77.96875 78.4375 78.90625 79.375 79.84375 80.3125 80.78125 81.25 81.71875 82.1875 82.65625
//! expect out[60..69] = 83.125 83.59375 84.0625 84.53125 85 85.53125 86.0625 86.59375 87.125 87.65625
//! expect no faults
//! # vary: local
kernel void test(read_only image3d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float4)(x, 1.0f, 1.0f, 0)).x;
}
