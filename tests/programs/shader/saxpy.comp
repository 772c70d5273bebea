// Buffers, push constants and shared memory behind a barrier: each group turns its part of x round.
//! groups 2
//! arg y = float:fill:1:128
//! arg x = float:range:0:1:128
//! arg P = struct {a=2, n=100}
//! expect y = 127 125 123 121 119 117 115 113 111 109 107 105 103 101 99 97 95 93 91 89 87 85 83 81 79 77 75 73 71 69 67 65 63 61 59 57 55 53 51 49 47 45 43 41 39 37 35 33 31 29 27 25 23 21 19 17 15 13 11 9 7 5 3 1 255 253 251 249 247 245 243 241 239 237 235 233 231 229 227 225 223 221 219 217 215 213 211 209 207 205 203 201 199 197 195 193 191 189 187 185 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
layout(push_constant) uniform P { float a; uint n; };
shared float tile[64];
void main() {
  uint i = gl_GlobalInvocationID.x;
  tile[gl_LocalInvocationID.x] = x[i];
  barrier();
  if (i < n) y[i] = a * tile[63u - gl_LocalInvocationID.x] + y[i];
}
