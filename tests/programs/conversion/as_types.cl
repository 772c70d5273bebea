// as_ of every type and width: the bytes stay as they are. Of three components the fourth's bytes count for nothing.
//! global 16  # vary: local
//! arg wrong = uint:zero:16
//! expect wrong = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define AS(to, from, size)                                                                        \
  {                                                                                               \
    union { uchar bytes[128]; from value; } before;                                               \
    union { uchar bytes[128]; to value; } after;                                                  \
    for (int i = 0; i < size; ++i) before.bytes[i] = (uchar)(id * 37 + i * 101 + 5);              \
    after.value = as_##to(before.value);                                                          \
    for (int i = 0; i < size; ++i) wrong[id] += after.bytes[i] != (uchar)(id * 37 + i * 101 + 5); \
  }
#define WIDTHS(to, from, size)                                                 \
  AS(to, from, size) AS(to##2, from##2, 2 * size) AS(to##3, from##3, 3 * size) \
  AS(to##4, from##4, 4 * size) AS(to##8, from##8, 8 * size) AS(to##16, from##16, 16 * size)
#define TWO(a, b, size) WIDTHS(a, a, size) WIDTHS(a, b, size) WIDTHS(b, a, size) WIDTHS(b, b, size)
#define THREE(a, b, c, size) \
  TWO(a, b, size) WIDTHS(c, c, size) WIDTHS(a, c, size) WIDTHS(b, c, size) WIDTHS(c, a, size) WIDTHS(c, b, size)

kernel void test(global uint* wrong) {
  const int id = get_global_id(0);
  TWO(char, uchar, 1)
  THREE(short, ushort, half, 2)
  THREE(int, uint, float, 4)
  THREE(long, ulong, double, 8)
  AS(short, char2, 2)
  AS(char2, short, 2)
  AS(int, char4, 4)
  AS(int, short2, 4)
  AS(char4, float, 4)
  AS(short2, uint, 4)
  AS(half2, float, 4)
  AS(long, char8, 8)
  AS(double, short4, 8)
  AS(ulong, float2, 8)
  AS(char8, double, 8)
  AS(ushort4, long, 8)
  AS(uint2, ulong, 8)
  AS(float2, double, 8)
  AS(half4, long, 8)
  AS(uchar16, float4, 16)
  AS(short8, double2, 16)
  AS(int4, long2, 16)
  AS(double2, uchar16, 16)
  AS(float8, ulong4, 32)
  AS(long4, half16, 32)
  AS(double8, uint16, 64)
  AS(float3, int4, 12)
  AS(int4, float3, 12)
  AS(char3, uchar4, 3)
}
