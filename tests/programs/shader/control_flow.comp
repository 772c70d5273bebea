// Loops, a switch that falls through, functions with inout parameters, private variables of the module, and an early return.
//! groups 5
//! arg o = int:fill:-1:40
//! expect o = 11 1010 7100 1993 5004 8011 16010 3100 18993 6009 14011 9010 9100 16993 17014 4011 12010 20100 19993 7019 7011 15010 15100 9993 23024 10011 111010 18100 17993 18029 106011 5010 26100 12993 13034 21011 21010 -1 -1 -1
#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer O { int o[]; };
int steps = 0;
void next(inout uint n) { n = (n & 1u) == 0u ? n / 2u : 3u * n + 1u; ++steps; }
int chosen(uint i) {
  int result = 0;
  switch (i % 5u) {
    case 0u: result += 1;
    case 1u: result += 10; break;
    case 2u: result += 100; break;
    case 3u: result -= 7; break;
    default: result = int(i);
  }
  return result;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= 37u) return;
  for (uint n = i + 1u; n != 1u;) next(n);
  o[i] = steps * 1000 + chosen(i);
}
