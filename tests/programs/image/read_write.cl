// A read-write image: behind a fence for images, each work-item sees what it wrote before.
//! global 70  # vary: local
//! options -cl-std=CL2.0
//! arg image = image 2d RGBA UNSIGNED_INT8 10x7 uchar4:fill:(9,9,9,9)
//! arg out = uint4:zero:70
//! expect image[0] = (0,1,2,18)
//! expect image[37] = (37,1,2,18)
//! expect image[69] = (69,1,2,18)
//! expect out[0] = (0,1,2,9)
//! expect out[69] = (69,1,2,9)
//! expect no faults
kernel void test(read_write image2d_t image, global uint4* out) {
  const int i = get_global_id(0);
  const int2 at = (int2)(i % 10, i / 10);
  const uint old = read_imageui(image, at).w;
  write_imageui(image, at, (uint4)(i, 1, 2, old));
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  const uint4 seen = read_imageui(image, at);
  out[i] = seen;
  write_imageui(image, at, seen + (uint4)(0, 0, 0, old));
}
