// The memory of an image is a buffer of the kernel, too: one such is written as a buffer and read as an image, one the other way
// round, with a barrier between. One that is only read both ways is in order, and one that the kernel has as an image alone.
//! check ub
//! global 4
//! local 4
//! options -cl-std=CL2.0
//! buffer one = image 2d R UNSIGNED_INT32 4x1 uint:data:1,2,3,4
//! buffer two = image 2d R UNSIGNED_INT32 4x1 uint:data:1,2,3,4
//! buffer three = image 2d R UNSIGNED_INT32 4x1 uint:data:1,2,3,4
//! arg read = buffer one
//! arg written = buffer two
//! arg shared = buffer three
//! arg one = buffer one
//! arg two = buffer two
//! arg three = buffer three
//! arg alone = image 2d R UNSIGNED_INT32 4x1
//! arg out = uint:zero:12
//! expect out = 13 12 11 10 23 22 21 20 2 4 6 8
//! expect alone = 30 31 32 33
//! expect fault TSP-R0035 on one at 0 line 30
//! expect fault TSP-R0035 on two at 0 line 31
//! expect no faults
kernel void test(read_only image2d_t read, write_only image2d_t written, read_only image2d_t shared, global uint* one,
                 global uint* two, global uint* three, write_only image2d_t alone, global uint* out) {
  const int i = get_global_id(0);
  one[i] = 10 + i;
  write_imageui(written, (int2)(i, 0), (uint4)(20 + i));
  write_imageui(alone, (int2)(i, 0), (uint4)(30 + i));
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);
  out[i] = read_imageui(read, (int2)(3 - i, 0)).x;
  out[i + 4] = two[3 - i];
  out[i + 8] = read_imageui(shared, (int2)(i, 0)).x + three[i];
}
