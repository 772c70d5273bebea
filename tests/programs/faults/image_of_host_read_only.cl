// The host made one image read-only and another one write-only.
//! global 1
//! arg a = image 2d R FLOAT 1x1 float:data:3 writeonly
//! arg b = image 2d R FLOAT 1x1 float:data:4 readonly
//! arg out = float:fill:9:1
//! expect out = 0
//! expect b = 4
//! expect fault TSP-R0075 on a
//! expect fault TSP-R0075 on b
kernel void test(read_only image2d_t a, write_only image2d_t b, global float* out) {
  out[0] = read_imagef(a, (int2)(0, 0)).x;
  write_imagef(b, (int2)(0, 0), (float4)(1));
}
