// Writes: normalized values are rounded to nearest even and saturated, integers are saturated.
//! global 6  # vary: local
//! arg rgba = image 2d RGBA UNORM_INT8 6x1
//! arg bgra = image 2d BGRA UNORM_INT8 6x1
//! arg snorm16 = image 2d R SNORM_INT16 6x1
//! arg s8 = image 2d RGBA SIGNED_INT8 6x1
//! arg u16 = image 2d RG UNSIGNED_INT16 6x1
//! arg f16 = image 2d R HALF_FLOAT 6x1
//! arg f32 = image 2d RGBA FLOAT 6x1
//! arg in = float:data:0,1,2,-1,0.5,0.2
//! expect rgba[0..5] = (0,255,128,51) (255,0,128,51) (255,0,128,51) (0,255,128,51) (128,128,128,51) (51,204,128,51)
//! expect bgra[5] = (128,204,51,51)
//! expect snorm16 = 0 32767 32767 -32767 16384 6553
//! expect s8[1..2] = (100,-100,127,-128) (127,-128,127,-128)
//! expect u16[2] = (200,65535)
//! expect u16[0] = (0,65535)
//! expect f16 = 0 1 2 -1 0.5 0.2
//! expect f32[3] = (-1,2,0.5,0.2)
//! expect no faults
kernel void test(write_only image2d_t rgba, write_only image2d_t bgra, write_only image2d_t snorm16,
                 write_only image2d_t s8, write_only image2d_t u16, write_only image2d_t f16,
                 write_only image2d_t f32, global const float* in) {
  const int i = get_global_id(0);
  const int2 at = (int2)(i, 0);
  const float x = in[i];
  const float4 texel = (float4)(x, 1 - x, 0.5f, 0.2f);
  write_imagef(rgba, at, texel);
  write_imagef(bgra, at, texel);
  write_imagef(snorm16, at, texel);
  write_imagef(f16, at, texel);
  write_imagef(f32, at, texel);
  write_imagei(s8, at, (int4)(100 * i, -100 * i, 1000, -1000));
  write_imageui(u16, at, (uint4)(100 * i, 70000, 0, 0));
}
