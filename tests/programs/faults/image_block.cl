// Block accesses that are not defined: large texels are zeros, a block beside an image of small ones has its edge, a write
// amid a word is made all the same.
//! global 16
//! local 16
//! arg large = image 2d RGBA FLOAT 4x4
//! arg small = image 2d R UNSIGNED_INT8 32x1 uchar:range:1:1
//! arg to = image 2d RGBA UNORM_INT8 20x1
//! arg out = uint:fill:5:32
//! expect out[0..15] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! expect out[16..31] = 67305985 134678021 202050057 269422093 336794129 404166165 471538201 538910237 538976288 538976288 538976288 538976288 538976288 538976288 538976288 538976288
//! expect to[0..3] = (0,0,0,0) (0,0,1,0) (0,0,2,0) (0,0,3,0)
//! expect fault TSP-R0077 on large
//! expect fault TSP-R0077 on small
//! expect fault TSP-R0077
#define DECLARED __attribute__((overloadable, convergent))
uint DECLARED intel_sub_group_block_read(read_only image2d_t, int2);
void DECLARED intel_sub_group_block_write(write_only image2d_t, int2, uint);

__attribute__((intel_reqd_sub_group_size(16)))
kernel void test(read_only image2d_t large, read_only image2d_t small, write_only image2d_t to,
                 global uint* out) {
  const int i = get_global_id(0);
  out[i] = intel_sub_group_block_read(large, (int2)(0, 0));
  out[i + 16] = intel_sub_group_block_read(small, (int2)(0, 0));
  intel_sub_group_block_write(to, (int2)(2, 0), i);
}
