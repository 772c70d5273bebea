// Matrices: by columns with a stride, by rows, products, transpose, outer product, determinant and inverse.
//! groups 4
//! arg m = float:range:1:1:48:raw
//! arg r = float:range:1:1:12:raw
//! arg o = float:fill:0:16:raw
//! arg Rest = float:fill:0:22:raw
//! expect m = 1 2 3 4 5 6 0 8 9 10 11 12 13 14 15 16 17 18 10 20 21 22 23 24 25 26 27 28 29 30 20 32 33 34 35 36 37 38 39 40 41 42 30 44 45 46 47 48
//! expect o = 19 51 83 0 91 123 155 0 163 195 227 0 235 267 299 0
//! expect Rest = 23 34 31 46 39 58 0 0 4 8 12 0 5 10 15 0 -1 0.5 0.75 -0.25 -2 18
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer M { mat3 m[]; };
layout(row_major, std140, binding = 1) uniform U { mat4x3 r; };
layout(std430, binding = 2) buffer Out { vec3 o[]; };
layout(std430, binding = 3) buffer Rest { mat3x2 product; mat2x3 outer; mat2 inverted; float determinants[2]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = transpose(m[i]) * vec3(1, 2, 3) + r * vec4(1, 0, 0, 1);
  if (i == 3) {
    mat2 a = mat2(1, 2, 3, 4);
    product = a * mat3x2(5, 6, 7, 8, 9, 10);
    outer = outerProduct(vec3(1, 2, 3), vec2(4, 5));
    inverted = inverse(a * 2.0);
    determinants = float[](determinant(a), determinant(mat3(2, 0, 1, 1, 3, 2, 1, 1, 4)));
  }
  m[i][1][2] = float(i * 10);
}
