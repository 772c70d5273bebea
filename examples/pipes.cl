// A producer and a consumer: numbers that may be prime go from one kernel to the other through a pipe.

// Leaves out what 2, 3 or 5 divides. A work-group reserves room for all that it has to say, so that what it says stays together and
// in order.
kernel void sift(write_only pipe uint candidates, local uint* before) {
  const uint number = get_global_id(0);
  const size_t i = get_local_id(0);
  const bool is_left = number % 2 != 0 && number % 3 != 0 && number % 5 != 0;
  before[i] = is_left;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint place = 0, count = 0;
  for (size_t k = 0; k < get_local_size(0); ++k) {
    if (k < i) place += before[k];
    count += before[k];
  }
  const reserve_id_t room = work_group_reserve_write_pipe(candidates, count);
  if (!is_valid_reserve_id(room)) return;
  if (is_left) write_pipe(candidates, room, place, &number);
  work_group_commit_write_pipe(candidates, room);
}

// Takes a candidate each, and hands on what is prime.
kernel void test(read_only pipe uint candidates, write_only pipe uint primes) {
  uint number;
  if (read_pipe(candidates, &number) != 0) return;
  for (uint k = 7; k * k <= number; ++k)
    if (number % k == 0) return;
  if (number > 1) write_pipe(primes, &number);
}
