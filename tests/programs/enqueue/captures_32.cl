// A block captures handles of objects among scalars where pointers have 32 bits: each is as large as one.
//! global 1
//! options -cl-std=CL2.0 -target spir-unknown-unknown
//! arg image = image 1d R FLOAT 4 levels 3 float:data:1,2,3,4,10,20,100
//! arg edge = sampler clamp_to_edge
//! arg levels = sampler clamp_to_edge lod_min=0.59375 lod_max=1.40625 mip_linear
//! arg in = pipe int 8 int:data:41,42,43
//! arg q = queue
//! arg out = float:zero:12
//! expect out[0..11] = 9 1 10 100 6.34375 46.5625 41 4 3.5 7 5 0
//! expect in.packets = 2
//! expect no faults
constant sampler_t literal = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST | CLK_NORMALIZED_COORDS_FALSE;
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
kernel void test(read_only image1d_t image, sampler_t edge, sampler_t levels, read_only pipe int in, queue_t q, global float* out) {
  const char first = 9;
  const long wide = 7;
  const double3 vector = (double3)(1.5, 2.5, 3.5);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    out[0] = first;
    out[1] = read_imagef(image, literal, 0.5f, 0.0f).x;
    out[2] = read_imagef(image, edge, 0.5f, 1.0f).x;
    out[3] = read_imagef(image, edge, 0.5f, 2.0f).x;
    out[4] = read_imagef(image, levels, 0.5f, 0.0f).x;
    out[5] = read_imagef(image, levels, 0.5f, 2.0f).x;
    int value = 0;
    read_pipe(in, &value);
    out[6] = value;
    out[7] = get_image_width(image);
    out[8] = vector.z;
    out[9] = wide;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
      out[10] = read_imagef(image, edge, 0.5f, 1.0f).x - 5 * first / 9;
    });
  });
}
