// Layers of arrays: rounded to the nearest, halfway the even one, and clamped; of integers clamped.
//! global 8  # vary: local
//! arg lines = image 1d_array R FLOAT 2x3 float:data:0,1,10,11,20,21
//! arg planes = image 2d_array R FLOAT 2x2x3 float:data:0,1,2,3,10,11,12,13,20,21,22,23
//! arg layer = float:data:-1,0.5,0.75,1.5,2,2.5,7,1
//! arg out = float4:zero:8
//! expect out[0..7] = (1,0.5,3,3) (1,0.5,3,3) (11,10.5,13,3) (21,20.5,23,13) (21,20.5,23,23) (21,20.5,23,23) (21,20.5,23,23) (11,10.5,13,13)
//! expect no faults
kernel void test(read_only image1d_array_t lines, read_only image2d_array_t planes, global const float* layer,
                 global float4* out) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
  const uint i = get_global_id(0);
  const float l = layer[i];
  out[i] = (float4)(read_imagef(lines, nearest, (float2)(1.5f, l)).x,
                    read_imagef(lines, linear, (float2)(1.0f, l)).x,
                    read_imagef(planes, nearest, (float4)(1.5f, 1.5f, l, 0)).x,
                    read_imagef(planes, nearest, (int4)(1, 1, (int)l, 0)).x);
}
