// Kernels with image parameters are not supported.
//! kernel test
//! global 4
//! arg out = float4:zero:4
//! arg i = null
//! expect refused TSP-U0003
kernel void test(read_only image2d_t i, global float4* out) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  out[get_global_id(0)] = read_imagef(i, s, (int2)(0, 0));
}
