// base64.cl in GLSL.
#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Plain { uint8_t plain[]; };
layout(std430, binding = 1) writeonly buffer Encoded { uint8_t encoded[]; };
layout(push_constant) uniform Values { uint triples; };

// "A" to "Z", "a" to "z", "0" to "9", "+", "/"
const uint ALPHABET[64] = {
    65,  66,  67,  68,  69,  70,  71,  72,  73,  74,  75,  76,  77,  78,  79,  80,
    81,  82,  83,  84,  85,  86,  87,  88,  89,  90,  97,  98,  99,  100, 101, 102,
    103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118,
    119, 120, 121, 122, 48,  49,  50,  51,  52,  53,  54,  55,  56,  57,  43,  47};

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= triples) return;
  uint bits =
      (uint(plain[3 * i]) << 16) | (uint(plain[3 * i + 1]) << 8) | uint(plain[3 * i + 2]);
  encoded[4 * i] = uint8_t(ALPHABET[bits >> 18]);
  encoded[4 * i + 1] = uint8_t(ALPHABET[(bits >> 12) & 63]);
  encoded[4 * i + 2] = uint8_t(ALPHABET[(bits >> 6) & 63]);
  encoded[4 * i + 3] = uint8_t(ALPHABET[bits & 63]);
}
