// Reads with addressing mode none and writes outside of an image: the border color, and nothing.
//! global 4
//! arg in = image 2d R FLOAT 2x2 float:data:1,2,3,4
//! arg target = image 2d R FLOAT 2x2
//! arg out = float4:zero:4
//! expect out[0..3] = (1,1,1,0.5) (2,2,2,1.5) (0,0,0,1) (0,0,0,0)
//! expect target = 1 2 0 0
//! expect fault TSP-R0070 on in at 2
//! expect fault TSP-R0070 on in at 2
//! expect fault TSP-R0070 on in at 2
//! expect fault TSP-R0070 on in
//! expect fault TSP-R0071 on target at 2
kernel void test(read_only image2d_t in, write_only image2d_t target, global float4* out) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_LINEAR;
  const int i = get_global_id(0);
  out[i] = (float4)(read_imagef(in, (int2)(i, 0)).x, read_imagef(in, nearest, (int2)(i, 0)).x,
                    read_imagef(in, nearest, (float2)(i + 0.5f, 0.5f)).x,
                    read_imagef(in, linear, (float2)(i, 0.5f)).x);
  write_imagef(target, (int2)(i, 0), (float4)(i + 1));
}
