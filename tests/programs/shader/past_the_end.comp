// Faults: a load and a store past the end of a buffer.
//! groups 2
//! arg y = float:fill:1:120
//! arg x = float:range:0:1:128
//! expect y[0..119] = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120
//! expect fault TSP-R0020 on y at 120
//! expect fault TSP-R0021 on y at 120
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  y[i] += x[i];
}
