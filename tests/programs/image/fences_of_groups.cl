// --check=sync: what a work-item of a group wrote concerns no work-item of another group, wherever that one runs. Each work-item
// reads a texel that the same one of other groups writes, then writes it.
//! global 512
//! local 2
//! options -cl-std=CL2.0
//! check sync
//! arg image = image 2d R UNSIGNED_INT32 2x1
//! arg out = uint:fill:7:512
//! expect out = zero:512
//! expect no faults
kernel void test(read_write image2d_t image, global uint* out) {
  const int2 at = (int2)(get_local_id(0), 0);
  out[get_global_id(0)] = read_imageui(image, at).x == 77;
  write_imageui(image, at, (uint4)(5));
}
