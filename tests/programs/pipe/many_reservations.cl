// Reservations that are open, or held up by one that is, take memory, which the launch's limit bounds: reserving fails then, and
// that is told of. Packets go through the pipe all the same.
//! global 1
//! options -cl-std=CL2.0
//! max-memory 4MiB
//! arg p = pipe char 40000
//! arg out = int:zero:4
//! expect out = 1 1 40000 1
//! expect p = fill:5:40000
//! expect fault TSP-L0011 on p line 17
kernel void test(write_only pipe char p, global int* out) {
  const char value = 5;
  const reserve_id_t first = reserve_write_pipe(p, 1);
  write_pipe(p, first, 0, &value);
  int made = 1, written = 0;
  for (; made < 40000; ++made) {
    const reserve_id_t id = reserve_write_pipe(p, 1);
    if (!is_valid_reserve_id(id)) break;
    write_pipe(p, id, 0, &value);
    commit_write_pipe(p, id);
  }
  while (write_pipe(p, &value) == 0) ++written;
  // How many there may be depends on what the threads' memory leaves, but for these two bounds.
  out[0] = made >= 1024;
  out[1] = made <= (4 << 20) / 2 / 56;
  out[2] = made + written;
  commit_write_pipe(p, first);
  out[3] = made < 40000;
}
