// A kernel takes images of OpenCL's formats alone, and none that only shaders have.
//! kernel k
//! global 1
//! arg i = image 2d ABGR UNORM_INT_2_101010 1x1
//! arg o = float4:zero:1
//! expect refused TSP-C0003
kernel void k(read_only image2d_t i, global float4* o) {
  *o = read_imagef(i, (int2)(0, 0));
}
