// Two arguments that are parts of one buffer: what they have in common is the same memory.
//! options -cl-std=CL1.2
//! global 64
//! local 32
//! check race
//! buffer both = uint:zero:192
//! arg first = buffer both offset 0 size 512
//! arg second = buffer both offset 256 size 512
//! arg apart = uint:zero:64
//! expect fault TSP-R0100 on first at 0 line 15
kernel void test(global uint* first, global uint* second, global uint* apart) {
  const size_t i = get_global_id(0);
  second[64 + i] = 1;
  second[i] = 1;
  apart[i] = first[i] + first[64 + (i ^ 1)];
}
