// --check=race: texels that others load behind a barrier for images, of a work-group or a sub-group; neighbours in one word;
// what is stored twice alike; images that are only read. None is a race.
//! global 70
//! local 35
//! options -cl-std=CL2.0
//! check race
//! arg bytes = image 2d R UNSIGNED_INT8 70x1
//! arg words = image 2d RGBA SIGNED_INT32 70x2
//! arg alike = image 1d R UNORM_INT16 3
//! arg given = image 2d R FLOAT 2x1 float:data:0.25,0.5
//! arg out = int:zero:210
//! expect out[0..4] = 4 3 2 1 0
//! expect out[35..39] = 4 3 2 1 0
//! expect out[70..73] = 1 0 3 2
//! expect out[140..143] = 1 2 1 2
//! expect no faults
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void test(read_write image2d_t bytes, read_write image2d_t words, write_only image1d_t alike,
                 read_only image2d_t given, global int* out) {
  const int i = get_global_id(0), l = get_local_id(0), begin = i - l;
  const int partner = l == 34 ? l : l ^ 1;
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  write_imageui(bytes, (int2)(i, 0), (uint4)(l % 5));
  write_imagei(words, (int2)(i, 1), (int4)(l));
  sub_group_barrier(CLK_IMAGE_MEM_FENCE);
  out[i + 70] = l < 32 ? read_imagei(words, (int2)(begin + partner, 1)).w : 0;
  work_group_barrier(CLK_IMAGE_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  out[i] = read_imageui(bytes, (int2)(begin + 34 - l, 0)).x;
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  write_imagei(words, (int2)(begin + partner, 1), (int4)(i));
  write_imagef(alike, 1, (float4)(0.5f));
  out[i + 140] = (int)(4 * read_imagef(given, nearest, (int2)(i & 1, 0)).x);
}
