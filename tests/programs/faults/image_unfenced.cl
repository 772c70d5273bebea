// --check=sync: a texel of a read-write image is read after the work-item wrote it; with a fence, or by another work-item
// behind a barrier, nothing is wrong. What is read is the new texel all the same.
//! global 4
//! local 2
//! options -cl-std=CL2.0
//! check sync
//! arg image = image 2d R UNSIGNED_INT32 4x1
//! arg fenced = image 2d R UNSIGNED_INT32 4x1
//! arg out = uint:zero:12
//! expect out = 1 2 3 4 1 2 3 4 2 1 4 3
//! expect fault TSP-R0078 on image
kernel void test(read_write image2d_t image, read_write image2d_t fenced, global uint* out) {
  const int i = get_global_id(0);
  const int2 at = (int2)(i, 0);
  write_imageui(image, at, (uint4)(i + 1));
  out[i] = read_imageui(image, at).x;
  write_imageui(fenced, at, (uint4)(i + 1));
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  out[i + 4] = read_imageui(fenced, at).x;
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  out[i + 8] = read_imageui(fenced, (int2)(i ^ 1, 0)).x;
}
