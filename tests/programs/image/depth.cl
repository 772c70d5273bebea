// Depth images: scalars are sampled, read and written.
//! global 4  # vary: local
//! options -cl-std=CL2.0
//! arg plane = image 2d DEPTH FLOAT 2x2 float:data:0,0.25,0.5,1
//! arg planes = image 2d_array DEPTH UNORM_INT16 2x1x2 ushort:data:0,65535,13107,26214
//! arg target = image 2d DEPTH FLOAT 4x1
//! arg out = float4:zero:4
//! expect out[0..3] = (0,0.4375,0,0) (0.25,0.4375,1,1) (0.5,0.4375,0,0.2) (1,0.4375,1,0.4)
//! expect target = 0 0.5 1 1.5
//! expect no faults
kernel void test(read_only image2d_depth_t plane, read_only image2d_array_depth_t planes,
                 write_only image2d_depth_t target, global float4* out) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
  const int i = get_global_id(0);
  out[i] = (float4)(read_imagef(plane, (int2)(i & 1, i >> 1)), read_imagef(plane, linear, (float2)(1, 1)),
                    read_imagef(planes, nearest, (float4)(i & 1, 0, 0, 0)),
                    read_imagef(planes, (int4)(i & 1, 0, i >> 1, 0)));
  write_imagef(target, (int2)(i, 0), i * 0.5f);
}
