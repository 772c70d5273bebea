// --check=race: before OpenCL C 2.0 a barrier for global memory is one for images, too.
//! global 64
//! local 32
//! options -cl-std=CL1.2
//! check race
//! arg image = image 2d R SIGNED_INT32 64x1
//! expect image[0..3] = 101 100 103 102
//! expect no faults
kernel void test(write_only image2d_t image) {
  const int i = get_global_id(0);
  write_imagei(image, (int2)(i, 0), (int4)(i));
  barrier(CLK_GLOBAL_MEM_FENCE);
  write_imagei(image, (int2)(i ^ 1, 0), (int4)(100 + i));
}
