// 2D, none linear normalized: coordinates on both sides of the image, multiples of a power of two.
//! kernel test
//! global 70
//! arg image = image 2d R FLOAT 4x2 float:data:1,2,5,10,17,26,37,50
//! arg how = sampler none linear normalized
//! arg out = float:zero:70
//! arg start = 0.25
//! arg step = 0.00390625
//! expect out[0..11] = 11.5 11.578125 11.65625 11.734375 11.8125 11.890625 11.96875 12.046875 12.125 12.203125 12.28125 12.359375
//! expect out[12..23] = 12.4375 12.515625 12.59375 12.671875 12.75 12.828125 12.90625 12.984375 13.0625 13.140625 13.21875 13.296875
//! expect out[24..35] = 13.375 13.453125 13.53125 13.609375 13.6875 13.765625 13.84375 13.921875 14 14.109375 14.21875 14.328125
//! expect out[36..47] = 14.4375 14.546875 14.65625 14.765625 14.875 14.984375 15.09375 15.203125 15.3125 15.421875 15.53125 15.640625
//! expect out[48..59] = 15.75 15.859375 15.96875 16.078125 16.1875 16.296875 16.40625 16.515625 16.625 16.734375 16.84375 16.953125
//! expect out[60..69] = 17.0625 17.171875 17.28125 17.390625 17.5 17.609375 17.71875 17.828125 17.9375 18.046875
//! expect no faults
//! # vary: local
kernel void test(read_only image2d_t image, sampler_t how, global float* out, float start, float step) {
  const uint i = get_global_id(0);
  const float x = start + step * i;
  out[i] = read_imagef(image, how, (float2)(x, 0.5f)).x;
}
