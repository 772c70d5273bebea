// Images and samplers are handed to functions, also through variables that the compiler keeps at -O0.
//! options -O0
//! global 70  # vary: local
//! arg a = image 2d RGBA FLOAT 2x2 float4:range:0:1
//! arg b = image 2d R FLOAT 70x1
//! arg how = sampler clamp_to_edge nearest
//! expect b[0..5] = 0 8 16 24 0 8
//! expect b[69] = 8
//! expect no faults
static float fetch(read_only image2d_t image, sampler_t how, int i) {
  return read_imagef(image, how, (float2)(i & 1, i >> 1)).x + read_imagef(image, (int2)(i & 1, i >> 1)).x;
}
static void put(write_only image2d_t image, int i, float x) { write_imagef(image, (int2)(i, 0), (float4)(x)); }
kernel void test(read_only image2d_t a, write_only image2d_t b, sampler_t how) {
  const int i = get_global_id(0);
  put(b, i, fetch(a, how, i & 3));
}
