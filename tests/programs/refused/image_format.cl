// An image of a format that OpenCL does not have: orders without alpha have packed types.
//! global 1
//! arg image = image 2d RGB FLOAT 1x1
//! expect refused TSP-C0042
kernel void test(write_only image2d_t image) { write_imagef(image, (int2)(0, 0), (float4)(1)); }
