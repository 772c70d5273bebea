// string_match.cl in GLSL.
#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Text { uint8_t text[]; };
layout(std430, binding = 1) readonly buffer Patterns { uint8_t patterns[]; };
layout(std430, binding = 2) readonly buffer Starts { uint starts[]; };
layout(std430, binding = 3) buffer Matches { uint matches[]; };
layout(push_constant) uniform Values { uint text_size; uint pattern_count; };

void main() {
  uint position = gl_GlobalInvocationID.x;
  if (position >= text_size) return;
  for (uint p = 0; p < pattern_count; ++p) {
    uint begin = starts[p];
    uint size = starts[p + 1] - begin;
    if (position + size > text_size) continue;
    uint i = 0;
    while (i < size && uint(text[position + i]) == uint(patterns[begin + i])) ++i;
    if (i == size) atomicAdd(matches[p], 1);
  }
}
