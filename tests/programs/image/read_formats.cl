// Reads without a sampler: floats of normalized formats in several orders, integers as they are.
//! global 70  # vary: local
//! arg rgba = image 2d RGBA UNORM_INT8 2x1 uchar4:data:(0,51,102,255),(255,0,153,204)
//! arg bgra = image 2d BGRA UNORM_INT8 2x1 uchar4:data:(0,51,102,255),(255,0,153,204)
//! arg snorm = image 2d RG SNORM_INT8 2x1 char2:data:(-128,127),(-127,0)
//! arg half_rg = image 2d RG HALF_FLOAT 2x1 half2:data:(0.5,-2),(1,65504)
//! arg signed16 = image 2d RGBA SIGNED_INT16 2x1 short4:data:(-32768,32767,-1,7),(1,2,3,4)
//! arg unsigned32 = image 2d R UNSIGNED_INT32 2x1 uint:data:4294967295,5
//! arg f = float4:zero:280
//! arg s = int4:zero:70
//! arg u = uint4:zero:70
//! expect f[0..7] = (0,0.2,0.4,1) (0.4,0.2,0,1) (-1,1,0,1) (0.5,-2,0,1) (1,0,0.6,0.8) (0.6,0,1,0.8) (-1,0,0,1) (1,65504,0,1)
//! expect f[276] = (1,0,0.6,0.8)
//! expect s[0] = (-32768,32767,-1,7)
//! expect s[69] = (1,2,3,4)
//! expect u[0] = (4294967295,0,0,1)
//! expect u[69] = (5,0,0,1)
//! expect no faults
kernel void test(read_only image2d_t rgba, read_only image2d_t bgra, read_only image2d_t snorm,
                 read_only image2d_t half_rg, read_only image2d_t signed16,
                 read_only image2d_t unsigned32, global float4* f, global int4* s, global uint4* u) {
  const uint i = get_global_id(0);
  const int2 at = (int2)(i & 1, 0);
  f[4 * i] = read_imagef(rgba, at);
  f[4 * i + 1] = read_imagef(bgra, at);
  f[4 * i + 2] = read_imagef(snorm, at);
  f[4 * i + 3] = read_imagef(half_rg, at);
  s[i] = read_imagei(signed16, at);
  u[i] = read_imageui(unsigned32, at);
}
