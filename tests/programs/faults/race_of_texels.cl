// Texels race as memory does: two work-items store to one, or one loads what another one stores, with a barrier between that
// is for other memory, or in another work-group. What is stored twice alike is no race.
//! global 8
//! local 4
//! options -cl-std=CL2.0
//! check race
//! arg twice = image 2d RGBA FLOAT 4x2
//! arg unfenced = image 2d R UNSIGNED_INT8 4x4
//! arg apart = image 1d_array RG UNSIGNED_INT32 4x2
//! arg alike = image 3d R UNORM_INT8 2x2x2
//! arg out = uint:zero:16
//! expect fault TSP-R0100 on twice line 22
//! expect fault TSP-R0100 on unfenced line 25
//! expect fault TSP-R0100 on apart line 27
//! expect fault TSP-R0100 on apart line 28
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
kernel void test(write_only image2d_t twice, read_write image2d_t unfenced, read_write image1d_array_t apart,
                 write_only image3d_t alike, global uint* out) {
  const int i = get_global_id(0), l = get_local_id(0), group = get_group_id(0);
  const int2 own = (int2)(l, group);
  write_imagef(alike, (int4)(1, 1, 1, 0), (float4)(1));
  write_imagef(twice, (int2)(i / 2, 1), (float4)(i));
  write_imageui(unfenced, own, (uint4)(i));
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  out[i] = read_imageui(unfenced, (int2)(l ^ 1, group)).x;
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  write_imageui(apart, own, (uint4)(i));
  out[i + 8] = read_imageui(apart, (int2)(l, group ^ 1)).x;
}
