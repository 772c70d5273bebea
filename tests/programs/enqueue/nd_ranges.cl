// All that makes an ND-range: what the enqueued kernel is told of its dimensions, sizes, offset and groups, and which
// work-items it has: the sums of their ids in each dimension.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:126
//! arg rc = int:fill:7:9
//! expect out[0..47] = 1 8 1 1 0 0 0 8 1 1 8 28 0 0 1 8 1 1 0 0 0 4 1 1 8 28 0 0 1 8 1 1 5 0 0 2 1 1 8 68 0 0 2 3 4 1 0 0
//! expect out[52..90] = 12 12 18 0 2 4 6 1 0 0 0 2 3 1 24 36 60 0 2 4 6 1 10 20 0 2 1 1 24 276 540 0 3 2 3 2 0 0 0
//! expect out[94..125] = 12 6 12 6 3 2 4 6 0 0 0 2 2 3 48 24 72 120 3 2 4 6 1 2 3 1 4 2 48 72 168 264
//! expect rc = 0 0 0 0 0 0 0 0 0
//! expect no faults
void tell(global int* out) {
  if (get_global_linear_id() == 0) {
    out[0] = get_work_dim();
    for (int d = 0; d < 3; ++d) {
      out[1 + d] = get_global_size(d);
      out[4 + d] = get_global_offset(d);
      out[7 + d] = get_local_size(d);
    }
  }
  atomic_inc(out + 10);
  for (int d = 0; d < 3; ++d) atomic_add(out + 11 + d, (int)get_global_id(d));
}
#define ENQUEUE(n, range)                                                                   \
  rc[n] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, ^{ tell(out + 14 * n); });
kernel void test(global int* out, global int* rc) {
  const size_t o2[] = {10, 20}, small[] = {3, 4}, g2[] = {4, 6}, l2[] = {2, 3}, flat[] = {2, 1};
  const size_t o3[] = {1, 2, 3}, cube[] = {2, 3, 2}, g3[] = {2, 4, 6}, l3[] = {2, 2, 3}, k3[] = {1, 4, 2};
  ENQUEUE(0, ndrange_1D(8))
  ENQUEUE(1, ndrange_1D(8, 4))
  ENQUEUE(2, ndrange_1D(5, 8, 2))
  ENQUEUE(3, ndrange_2D(small))
  ENQUEUE(4, ndrange_2D(g2, l2))
  ENQUEUE(5, ndrange_2D(o2, g2, flat))
  ENQUEUE(6, ndrange_3D(cube))
  ENQUEUE(7, ndrange_3D(g3, l3))
  ENQUEUE(8, ndrange_3D(o3, g3, k3))
}
