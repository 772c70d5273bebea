// A reservation is nothing to a kernel that is enqueued: its parent's are another kernel's, whether the parent committed them or left them open.
//! global 1
//! options -cl-std=CL2.0
//! arg p = pipe int 8
//! arg rc = int:zero:2
//! expect rc = -1 -1
//! expect p = 5 0 0
//! expect fault TSP-R0086 line 20
//! expect fault TSP-R0087 line 18
//! expect fault TSP-R0083 line 23
//! expect fault TSP-R0083 line 24
//! expect fault TSP-R0083 line 25
kernel void test(write_only pipe int p, global int* rc) {
  const int value = 5;
  const reserve_id_t done = reserve_write_pipe(p, 2);
  write_pipe(p, done, 0, &value);

  const reserve_id_t left = reserve_write_pipe(p, 1);

  commit_write_pipe(p, done);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    const int other = 6;
    rc[0] = write_pipe(p, done, 0, &other);
    rc[1] = write_pipe(p, left, 0, &other);
    commit_write_pipe(p, left);
  });
}
