// Blocks of sub-groups are accesses of their work-items: two sub-groups store to the same bytes of a row, or beside each other.
// What would be stored beside the image is nothing.
//! global 32
//! local 32
//! options -cl-std=CL3.0
//! check race
//! arg same = image 2d R UNSIGNED_INT8 32x1
//! arg beside = image 2d R UNSIGNED_INT8 64x1
//! arg edge = image 2d RGBA UNSIGNED_INT8 4x1
//! expect beside[0] = 0
//! expect beside[32] = 16
//! expect edge = (7,0,0,0) (9,0,0,0) (0,0,0,0) (9,0,0,0)
//! expect fault TSP-R0100 on same line 22
#define DECLARED __attribute__((overloadable, convergent))
void DECLARED intel_sub_group_block_write_us(write_only image2d_t, int2, ushort);
void DECLARED intel_sub_group_block_write_ul(write_only image2d_t, int2, ulong);

__attribute__((intel_reqd_sub_group_size(16)))
kernel void test(write_only image2d_t same, write_only image2d_t beside, write_only image2d_t edge) {
  const ushort value = get_global_id(0);
  const int begin = value / 16 * 32;
  intel_sub_group_block_write_us(same, (int2)(0, 0), (ushort)(value << 8));
  intel_sub_group_block_write_us(beside, (int2)(begin, 0), value);
  // The first work-item's lower half lies in front of the row.
  intel_sub_group_block_write_ul(edge, (int2)(-4, 0), value % 16 == 0 ? 7ul << 32 | value : 9);
}
