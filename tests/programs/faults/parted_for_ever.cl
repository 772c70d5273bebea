// The rest of a group that parted goes round for ever: the limit that ends the launch does not hide it.
//! max-steps 100000
//! kernel break_at_barrier
//! global 8
//! local 4
//! expect fault TSP-R0040
//! expect fault TSP-L0001
//! launch
//! global 300
//! local 150
//! expect fault TSP-R0040
//! expect fault TSP-L0001
//! launch
//! kernel return_before
//! expect fault TSP-R0040
//! expect fault TSP-L0001
//! launch
//! kernel return_in_loop
//! expect fault TSP-R0040
//! expect fault TSP-L0001
//! launch
//! kernel all_go_round
//! expect fault TSP-L0001
kernel void break_at_barrier() {
  const size_t l = get_local_id(0);
  for (;;) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == get_local_size(0) - 2) break;
  }
}

kernel void return_before() {
  if (get_local_id(0) == 2) return;
  for (;;) barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void return_in_loop() {
  for (;;) {
    if (get_local_id(0) == 2) return;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void all_go_round() {
  for (;;) barrier(CLK_LOCAL_MEM_FENCE);
}
