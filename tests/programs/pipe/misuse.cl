// What is wrong with reservations is found, at its line; nothing is written then.
//! global 1
//! options -cl-std=CL2.0
//! arg p = pipe int 8
//! arg q = pipe int 8
//! arg rc = int:zero:5
//! expect rc = -1 -1 -1 -1 0
//! expect p = 0 7
//! expect q = 0 0
//! expect fault TSP-R0082 line 21
//! expect fault TSP-R0083 line 23
//! expect fault TSP-R0085 line 24
//! expect fault TSP-R0086 line 26
//! expect fault TSP-R0084 line 27
//! expect fault TSP-R0087 line 28
kernel void test(write_only pipe int p, write_only pipe int q, global int* rc) {
  const int value = 7;
  const reserve_id_t none = reserve_write_pipe(p, 9);

  // Reserving failed: there is no room for nine.
  rc[0] = write_pipe(p, none, 0, &value);
  const reserve_id_t id = reserve_write_pipe(p, 2);
  rc[1] = write_pipe(q, id, 0, &value);
  rc[2] = write_pipe(p, id, 2, &value);
  rc[4] = write_pipe(p, id, 1, &value);
  commit_write_pipe(p, id);
  rc[3] = write_pipe(p, id, 0, &value);
  reserve_write_pipe(q, 2);
}
