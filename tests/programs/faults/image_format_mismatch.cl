// Floats of an integer format, integers of a normalized one: zeros, and writes that are dropped.
//! global 1
//! arg a = image 2d RGBA SIGNED_INT8 1x1 char4:fill:(7,7,7,7)
//! arg b = image 2d RGBA UNORM_INT8 1x1 uchar4:fill:(7,7,7,7)
//! arg c = image 2d RGBA UNORM_INT8 1x1 uchar4:fill:(7,7,7,7)
//! arg f = float4:fill:5:1
//! arg s = int4:fill:5:1
//! expect f = (0,0,0,0)
//! expect s = (0,0,0,0)
//! expect c = (7,7,7,7)
//! expect fault TSP-R0072 on a
//! expect fault TSP-R0072 on b
//! expect fault TSP-R0072 on c
kernel void test(read_only image2d_t a, read_only image2d_t b, write_only image2d_t c, global float4* f,
                 global int4* s) {
  f[0] = read_imagef(a, (int2)(0, 0));
  s[0] = read_imagei(b, (int2)(0, 0));
  write_imageui(c, (int2)(0, 0), (uint4)(1));
}
