// rgb_to_gray.cl in GLSL.
#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Rgb { uint8_t rgb[]; };
layout(std430, binding = 1) writeonly buffer Gray { uint8_t gray[]; };
layout(push_constant) uniform Values { uint n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  uvec3 pixel = uvec3(uint(rgb[3 * i]), uint(rgb[3 * i + 1]), uint(rgb[3 * i + 2]));
  uint luma = 77 * pixel.x + 150 * pixel.y + 29 * pixel.z + 128;
  gray[i] = uint8_t(luma >> 8);
}
