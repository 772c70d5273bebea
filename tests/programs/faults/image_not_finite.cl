// A NaN and an infinity as coordinates: as 0, and beyond the edge.
//! global 3
//! arg image = image 2d R FLOAT 3x1 float:data:3,5,7
//! arg how = sampler clamp_to_edge nearest
//! arg at = float:data:nan,inf,1
//! arg out = float:zero:3
//! expect out = 3 7 5
//! expect fault TSP-R0073 on image at 0
kernel void test(read_only image2d_t image, sampler_t how, global const float* at, global float* out) {
  const int i = get_global_id(0);
  out[i] = read_imagef(image, how, (float2)(at[i], 0.5f)).x;
}
