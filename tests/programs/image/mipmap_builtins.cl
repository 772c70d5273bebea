// The built-in functions of cl_khr_mipmap_image and cl_khr_mipmap_image_writes: levels by number, by level of detail and by
// gradients. A texel's number is 100 times its level, 10 times its layer, and where it lies there.
//! global 3  # vary: local
//! options -cl-std=CL2.0
//! arg planes = image 2d_array R FLOAT 4x2x2 levels 3 float:data:0,1,2,3,4,5,6,7,10,11,12,13,14,15,16,17,100,101,110,111,200,210
//! arg solid = image 3d R UNSIGNED_INT32 2x2x2 levels 2 uint:data:0,1,2,3,4,5,6,7,100
//! arg lines = image 1d_array R SIGNED_INT32 2x2 levels 2 int:data:0,1,10,11,100,110
//! arg planes_out = image 2d_array R FLOAT 4x2x2 levels 3
//! arg solid_out = image 3d R UNSIGNED_INT32 2x2x2 levels 2
//! arg lines_out = image 1d_array R SIGNED_INT32 2x2 levels 2
//! arg out = float4:zero:3
//! arg levels = int4:zero:1
//! expect out = (13,3,7,11) (111,101,100,110) (210,200,100,110)
//! expect levels = (3,2,2,1)
//! expect planes_out = 0 0 0 0 0 0 0 0 13 0 0 0 0 0 0 0 0 0 111 0 0 210
//! expect solid_out = 7 0 0 0 0 0 0 0 100
//! expect lines_out = 0 0 11 0 0 110
//! expect no faults
kernel void test(read_only image2d_array_t planes, read_only image3d_t solid, read_only image1d_array_t lines,
                 write_only image2d_array_t planes_out, write_only image3d_t solid_out,
                 write_only image1d_array_t lines_out, global float4* out, global int4* levels) {
  const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const int i = get_global_id(0);
  const float step = 1 << i;  // from a work-item to the next, in texels of level 0
  const float by_number = read_imagef(planes, s, (float4)(0.75f, 0.25f, 1, 0), (float)i).x;
  const float by_gradients =
      read_imagef(planes, s, (float4)(0.75f, 0.25f, 0, 0), (float2)(step / 4, 0), (float2)(0, step / 4)).x;
  const uint deep = read_imageui(solid, s, (float4)(0.75f), (float4)(0), (float4)(0, 0, step / 2, 0)).x;
  const int layer = read_imagei(lines, s, (float2)(0.75f, 1), (float)i).x;
  out[i] = (float4)(by_number, by_gradients, deep, layer);
  write_imagef(planes_out, (int4)(0, 0, 1, 0), i, (float4)(by_number));
  if (i < 2) {
    write_imageui(solid_out, (int4)(0), i, (uint4)(deep));
    write_imagei(lines_out, (int2)(0, 1), i, (int4)(layer));
  }
  if (i == 0)
    levels[0] = (int4)(get_image_num_mip_levels(planes), get_image_num_mip_levels(solid),
                       get_image_num_mip_levels(lines_out), 1);
}
