// Of a texel that is written those components matter for which the image's format has channels: no others were written.
//! options -cl-std=CL1.2
//! kernel test
//! check uninit
//! global 4
//! arg one = image 2d R FLOAT 4x1 float:zero:4
//! arg two = image 2d RG FLOAT 4x1 float:zero:8
//! arg last = image 2d A UNORM_INT8 4x1 uchar:zero:4
//! arg third = image 2d INTENSITY FLOAT 4x1 float:zero:4
//! expect no faults
//! expect one = 1 1 1 1
//! expect two = 1 2 1 2 1 2 1 2
//! expect last = 255 255 255 255
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
