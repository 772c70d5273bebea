// A Gaussian blur: a pass along the rows, and one along the columns of what it gave.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void gaussian(read_only image2d_t source, write_only image2d_t target, int2 step, float sigma) {
  const int2 place = (int2)(get_global_id(0), get_global_id(1));
  const int radius = (int)ceil(3 * sigma);
  float4 sum = 0;
  float weights = 0;
  int i = -radius;
  for (; i <= radius; ++i) {
    const float weight = exp(-0.5f * i * i / (sigma * sigma));
    sum += weight * read_imagef(source, nearest, place + i * step);
    weights += weight;
  }
  write_imagef(target, place, sum / weights);
}
