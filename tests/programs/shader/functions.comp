// GLSL.std.450: functions whose results have no room for rounding.
//! global 1
//! arg f = float:fill:99:39
//! arg u = uint:fill:99:19
//! arg P = struct {x=-2.5, y=0.75}
//! expect f = -2 -2 2.5 -1 -3 -2 0.5 4 3 3 0.25 -2.5 0.75 0 -1.6875 1 0.5 6 -0.875 2 -0.75 -1 0 2.5 5 -2.5 -1 0.5 0 6 -0.5 -2 -0.625 2 0.75 -1 1 0 -1
//! expect u = 2166382465 4282433280 2684444671 4294950911 973127936 4 4294967295 2 4294967295 11 8 3221225472 4294967295 2 2 4 4294967294 188 3840
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer F { float f[]; };
layout(std430, binding = 1) buffer U { uint u[]; };
layout(push_constant) uniform P { float x, y; };
void main() {
  f[0] = roundEven(x);
  f[1] = trunc(x);
  f[2] = abs(x);
  f[3] = sign(x);
  f[4] = floor(x);
  f[5] = ceil(x);
  f[6] = fract(x);
  f[7] = exp2(y + y + 0.5);
  f[8] = log2(y + 7.25);
  f[9] = sqrt(y * 4.0 + 6.0);
  f[10] = inversesqrt(y * 4.0 + 13.0);
  f[11] = min(x, y);
  f[12] = max(x, y);
  f[13] = clamp(x, 0.0, y);
  f[14] = mix(x, y, 0.25);
  f[15] = step(x, y);
  f[16] = smoothstep(0.0, 1.5, y);
  f[17] = ldexp(y, 3);
  f[18] = fma(x, y, 1.0);
  f[19] = faceforward(vec2(1, 2), vec2(x, y), vec2(1, 0)).y;
  f[20] = reflect(vec2(x, y), vec2(0, 1)).y;
  f[21] = refract(vec2(0, -1), vec2(0, 1), 0.5).y;
  f[22] = refract(vec2(0.96, -0.28), vec2(0, 1), 2.0).x;
  f[23] = distance(vec3(x, 0, 0), vec3(0));
  f[24] = length(vec2(3, 4));
  f[25] = cross(vec3(x, y, 0), vec3(0, 1, 2)).z;
  f[26] = normalize(vec2(0, x)).y;
  f[27] = mod(x, y);
  f[28] = degrees(0.0);
  f[29] = dot(vec3(x, y, 1), vec3(2, 4, 8));
  u[0] = packSnorm4x8(vec4(x, y, 0.25, -2));
  u[1] = packUnorm4x8(vec4(x, y, 0.25, 2));
  u[2] = packSnorm2x16(vec2(y, -y));
  u[3] = packUnorm2x16(vec2(y, 1));
  u[4] = packHalf2x16(vec2(x, y));
  u[5] = uint(findLSB(uint(y * 64.0)));
  u[6] = uint(findLSB(uint(x * x) - 6u));
  u[7] = uint(findMSB(int(x) * 3));
  u[8] = uint(findMSB(int(y)));
  u[9] = uint(findMSB(uint(y * 4000.0)));
  u[10] = uint(bitCount(int(y * 340.0)));
  u[11] = bitfieldReverse(uint(y * 4.0));
  u[12] = uint(sign(int(x)));
  u[13] = uint(abs(int(x)));
  u[14] = uint(clamp(int(x), -1, 5) + 3);
  u[15] = min(uint(y * 8.0), 4u);
  u[16] = uint(max(int(x), -7));
  u[17] = bitfieldExtract(0xabcdu, 4, 8);
  u[18] = bitfieldInsert(0u, 0xffu, 8, 4);
  float whole;
  f[30] = modf(x, whole);
  f[31] = whole;
  int e;
  f[32] = frexp(x, e);
  f[33] = float(e);
  f[34] = unpackHalf2x16(u[4]).y;
  f[35] = unpackSnorm4x8(u[0]).w;
  f[36] = unpackUnorm2x16(u[3]).y;
  f[37] = unpackUnorm4x8(u[1]).x;
  f[38] = unpackSnorm2x16(0x7fff8000u).x;
}
