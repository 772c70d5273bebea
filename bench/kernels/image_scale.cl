// A picture of another scale, and a copy: each work-item makes one texel.
constant sampler_t kLinear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t kNearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_bilinear(read_only image2d_t from, write_only image2d_t to, float scale) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 place = (convert_float2(at) + 0.5f) * scale;
  write_imagef(to, at, read_imagef(from, kLinear, place));
}

kernel void image_copy(read_only image2d_t from, write_only image2d_t to) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, read_imagef(from, kNearest, at));
}
