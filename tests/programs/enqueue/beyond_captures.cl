// What a block captured is memory of its own, and findings say whose it is. It can be read and not be written.
//! global 1
//! options -cl-std=CL2.0
//! arg block = int:zero:4
//! arg index = 4
//! expect block = 0 11 12 0
//! expect fault TSP-R0020 on "captures of __test_block_invoke_kernel" line 18
//! expect fault TSP-R0021 on block line 20
//! expect no faults
typedef struct {
  int first, second, third;
} Three;
kernel void test(global int* block, int index) {
  Three three = {10, 11, 12};
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    block[1] = three.second;
    block[2] = three.third;
    block[0] = (&three.first)[index * 100];
    const int last = three.first;
    block[last] = last;
  });
}
