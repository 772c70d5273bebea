// Every kind of instruction of the whole work-group, of which one work-item in eight takes no part: it goes past it.
//! options -cl-std=CL2.0
//! kernel vote_all
//! global 80
//! local 40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 83
//! launch
//! kernel vote_any
//! global 80
//! local 40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 89
//! launch
//! kernel broadcast
//! global 80
//! local 40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 95
//! launch
//! kernel reduce
//! global 80
//! local 40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 101
//! launch
//! kernel inclusive_scan
//! global 80
//! local 40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 107
//! launch
//! kernel exclusive_scan
//! global 80
//! local 40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 113
//! launch
//! kernel copy
//! global 80
//! local 40
//! arg in = uint:range:0:1:40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 121
//! launch
//! kernel wait
//! global 80
//! local 40
//! arg in = uint:range:0:1:40
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 130
//! launch
//! kernel reserve_write
//! global 80
//! local 40
//! arg out = pipe uint 80
//! expect fault TSP-R0040 at 0 line 137
//! launch
//! kernel commit_write
//! global 80
//! local 40
//! arg out = pipe uint 80
//! expect fault TSP-R0040 at 0 line 148
//! expect fault TSP-R0084 at 1 line 148
//! launch
//! kernel reserve_read
//! global 80
//! local 40
//! arg in = pipe uint 80 uint:range:0:1:80
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 154
//! launch
//! kernel commit_read
//! global 80
//! local 40
//! arg in = pipe uint 80 uint:range:0:1:80
//! arg out = uint:zero:80
//! expect fault TSP-R0040 at 0 line 165
//! expect fault TSP-R0084 at 1 line 165
kernel void vote_all(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = work_group_all(l < 30);
}

kernel void vote_any(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = work_group_any(l < 30);
}

kernel void broadcast(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = work_group_broadcast(l, 5);
}

kernel void reduce(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = work_group_reduce_add(l);
}

kernel void inclusive_scan(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = work_group_scan_inclusive_min(l);
}

kernel void exclusive_scan(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = work_group_scan_exclusive_max(l);
}

kernel void copy(global const uint* in, global uint* out) {
  local uint tile[40];
  const uint i = get_global_id(0), l = get_local_id(0);
  event_t copied = 0;
  if (l % 8 != 3)
    copied = async_work_group_copy(tile, in, 40, 0);
  out[i] = l;
}

kernel void wait(global const uint* in, global uint* out) {
  local uint tile[40];
  const uint i = get_global_id(0), l = get_local_id(0);
  event_t copied = async_work_group_copy(tile, in, 40, 0);
  if (l % 8 != 3)
    wait_group_events(1, &copied);
  out[i] = l;
}

kernel void reserve_write(write_only pipe uint out) {
  const uint l = get_local_id(0);
  if (l % 8 != 3) {
    const reserve_id_t given = work_group_reserve_write_pipe(out, 1);
    write_pipe(out, given, 0, &l);
    work_group_commit_write_pipe(out, given);
  }
}

kernel void commit_write(write_only pipe uint out) {
  const uint l = get_local_id(0);
  const reserve_id_t given = work_group_reserve_write_pipe(out, 40);
  write_pipe(out, given, l, &l);
  if (l % 8 != 3)
    work_group_commit_write_pipe(out, given);
}

kernel void reserve_read(read_only pipe uint in, global uint* out) {
  const uint l = get_local_id(0);
  if (l % 8 != 3) {
    const reserve_id_t taken = work_group_reserve_read_pipe(in, 1);
    read_pipe(in, taken, 0, &out[get_global_id(0)]);
    work_group_commit_read_pipe(in, taken);
  }
}

kernel void commit_read(read_only pipe uint in, global uint* out) {
  const uint l = get_local_id(0);
  const reserve_id_t taken = work_group_reserve_read_pipe(in, 40);
  read_pipe(in, taken, l, &out[get_global_id(0)]);
  if (l % 8 != 3)
    work_group_commit_read_pipe(in, taken);
}
