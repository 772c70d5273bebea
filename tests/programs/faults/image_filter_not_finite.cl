// A linear filter that weighs an infinity or a NaN; with the nearest filter, and where all texels are finite, nothing is wrong.
//! check ub
//! global 4
//! arg image = image 2d R FLOAT 4x1 float:data:1,3,inf,nan
//! arg smooth = sampler clamp_to_edge linear
//! arg sharp = sampler clamp_to_edge nearest
//! arg out = float:zero:8
//! expect out[0] = 1
//! expect out[4..7] = 1 3 inf nan
//! expect fault TSP-R0110 on image at 1 line 14
//! expect no faults
kernel void test(read_only image2d_t image, sampler_t smooth, sampler_t sharp, global float* out) {
  const int i = get_global_id(0);
  out[i] = read_imagef(image, smooth, (float2)(i + (i == 0 ? 0.25f : 0.75f), 0.5f)).x;
  out[i + 4] = read_imagef(image, sharp, (float2)(i + 0.5f, 0.5f)).x;
}
