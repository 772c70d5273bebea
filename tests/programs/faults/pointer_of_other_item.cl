// Pointers to private variables: to the work-item's own through memory, and to its neighbour's.
//! global 70
//! local 10
//! arg slots = ulong:zero:70
//! arg own = int:fill:9:70
//! arg other = int:fill:9:70
//! expect fault TSP-R0005 on x at 0 line 16
//! expect own = int:range:100:1:70
//! expect other = int:zero:70
kernel void test(global ulong* slots, global int* own, global int* other) {
  size_t n = get_global_id(0);
  int x[4] = {100 + (int)n, 1, 2, 3};
  slots[n] = (ulong)&x[get_local_id(0) % 4 * 0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  own[n] = *(int*)slots[n];
  other[n] = *(int*)slots[n % 10 == 9 ? n - 9 : n + 1];
}
