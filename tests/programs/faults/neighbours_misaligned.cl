// Neighbours of which the first must be aligned to 8, 12 bytes a work-item: every other first one is
// misaligned, which is found, and read all the same.
//! global 66
//! arg from = int:range:0:1:198
//! arg pairs = int:zero:66
//! arg ones = int:zero:66
//! expect fault TSP-R0023 on from at 1 line 14
//! expect pairs[0..65] = int:range:1000:3003
//! expect ones[0..65] = int:range:2:3
typedef int wide __attribute__((aligned(8)));
kernel void test(global const int* from, global int* pairs, global int* ones) {
  global const char* words = (global const char*)from;
  size_t n = get_global_id(0);
  int first = *(global const wide*)(words + 12 * n);
  int second = *(global const int*)(words + 12 * n + 4);
  int one = *(global const int*)(words + 12 * n + 8);
  pairs[n] = first + 1000 * second;
  ones[n] = one;
}
