// Components of a texel that nothing wrote, and for which the image has channels; uninit_texel_apart.cl has images without them.
//! options -cl-std=CL1.2
//! kernel test
//! check uninit
//! global 4
//! arg one = image 2d RG FLOAT 4x1 float:zero:8
//! arg two = image 2d RGBA FLOAT 4x1 float:zero:16
//! arg last = image 2d R FLOAT 4x1 float:zero:4
//! arg third = image 2d RGB UNORM_SHORT_565 4x1 ushort:zero:4
//! expect fault TSP-R0101 line 18:3
//! expect fault TSP-R0101 line 19:3
//! expect fault TSP-R0101 line 21:3
//! expect fault TSP-R0101 line 24:3
kernel void test(write_only image2d_t one, write_only image2d_t two, write_only image2d_t last, write_only image2d_t third) {
  const int2 at = (int2)(get_global_id(0), 0);
  float4 texel;
  texel.x = 1;
  write_imagef(third, at, texel);
  write_imagef(one, at, texel);
  texel.y = 2;
  write_imagef(two, at, texel);
  float4 end;
  end.w = 1;
  write_imagef(last, at, end);
}
