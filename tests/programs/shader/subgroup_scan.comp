// Atomics on shared memory and buffers, and a scan of each sub-group of 32.
//! groups 2
//! subgroup-size 32
//! arg v = int:data:3,10,6,2,9,5,1,8,4,0,7,3,10,6,2,9,5,1,8,4,0,7,3,10,6,2,9,5,1,8,4,0,7,3,10,6,2,9,5,1,8,4,0,7,3,10,6,2,9,5,1,8,4,0,7,3,10,6,2,9,5,1,8,4
//! arg Out = int:fill:0:73:raw
//! expect Out = 323 11 12 12 6 6 6 6 5 3 13 19 21 30 35 36 44 48 48 55 58 68 74 76 85 90 91 99 103 103 110 113 123 129 131 140 145 146 154 158 158 7 10 20 26 28 37 42 43 51 55 55 62 65 75 81 83 92 97 98 106 110 110 117 120 130 136 138 147 152 153 161 165
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer In { int v[]; };
layout(std430, binding = 1) buffer Out { int sum; uint hist[8]; int scan[]; };
shared uint bins[8];
void main() {
  uint l = gl_LocalInvocationIndex;
  if (l < 8) bins[l] = 0;
  barrier();
  int x = v[gl_GlobalInvocationID.x];
  atomicAdd(bins[x & 7], 1u);
  atomicAdd(sum, x);
  scan[gl_GlobalInvocationID.x] = subgroupInclusiveAdd(x);
  barrier();
  if (l < 8) atomicAdd(hist[l], bins[l]);
}
