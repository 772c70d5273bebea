// monte_carlo_pi.cl in GLSL.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Seeds { uint64_t seeds[]; };
layout(std430, binding = 1) writeonly buffer Hits { uint hits[]; };
layout(push_constant) uniform Values { uint samples; uint n; };

void main() {
  uint gid = gl_GlobalInvocationID.x;
  if (gid >= n) return;
  uint64_t state = seeds[gid];
  uint inside = 0;
  for (uint i = 0; i < samples; ++i) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    uint64_t bits = state * 0x2545F4914F6CDD1DUL;
    uint64_t x = bits >> 33;
    uint64_t y = bits & 0x7FFFFFFFUL;
    inside += (x * x + y * y) < (1UL << 62) ? 1u : 0u;
  }
  hits[gid] = inside;
}
