// vec_step of every type, of values and of types themselves: three components count as four.
//! global 1
//! arg of_types = int:zero:66
//! arg of_values = int:zero:66
//! expect of_types = 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16
//! expect of_values = 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16 1 2 4 4 8 16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define ONE(type)                    \
  {                                  \
    type value = (type)(0);          \
    of_types[at] = vec_step(type);   \
    of_values[at] = vec_step(value); \
    ++at;                            \
  }
#define ALL(type) ONE(type) ONE(type##2) ONE(type##3) ONE(type##4) ONE(type##8) ONE(type##16)
kernel void test(global int* of_types, global int* of_values) {
  int at = 0;
  ALL(char) ALL(uchar) ALL(short) ALL(ushort) ALL(int) ALL(uint) ALL(long) ALL(ulong) ALL(half) ALL(float) ALL(double)
}
