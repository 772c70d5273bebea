// Integer coordinates with a linear sampler, and repeat without normalized coordinates.
//! global 1
//! arg image = image 2d R FLOAT 2x1 float:data:3,5
//! arg linear = sampler clamp_to_edge linear
//! arg repeating = sampler repeat nearest
//! arg out = float:zero:2
//! expect out = 5 3
//! expect fault TSP-R0074 on image
//! expect fault TSP-R0074 on image
kernel void test(read_only image2d_t image, sampler_t linear, sampler_t repeating, global float* out) {
  out[0] = read_imagef(image, linear, (int2)(1, 0)).x;
  out[1] = read_imagef(image, repeating, (float2)(2.5f, 0.5f)).x;
}
