// Every kind of instruction of a whole sub-group, of which one work-item in eight takes no part: it goes past it.
//! options -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups
//! kernel vote_all
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 77
//! launch
//! kernel vote_any
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 83
//! launch
//! kernel broadcast
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 89
//! launch
//! kernel reduce
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 95
//! launch
//! kernel inclusive_scan
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 101
//! launch
//! kernel exclusive_scan
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 107
//! launch
//! kernel barriers
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 113
//! launch
//! kernel reserve_write
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = pipe uint 200
//! expect fault TSP-R0041 at 0 line 120
//! expect fault TSP-R0041 at 0 line 122
//! launch
//! kernel commit_write
//! global 80
//! local 40
//! subgroup-size 16
//! arg out = pipe uint 200
//! expect fault TSP-R0041 at 0 line 131
//! launch
//! kernel commit_read
//! global 80
//! local 40
//! subgroup-size 16
//! arg in = pipe uint 80 uint:range:0:1:80
//! arg out = uint:zero:80
//! expect fault TSP-R0041 at 0 line 139
kernel void vote_all(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = sub_group_all(l < 30);
}

kernel void vote_any(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = sub_group_any(l < 30);
}

kernel void broadcast(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = sub_group_broadcast(l, 5);
}

kernel void reduce(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = sub_group_reduce_add(l);
}

kernel void inclusive_scan(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = sub_group_scan_inclusive_min(l);
}

kernel void exclusive_scan(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    out[i] = sub_group_scan_exclusive_max(l);
}

kernel void barriers(global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l % 8 != 3)
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = l;
}

kernel void reserve_write(write_only pipe uint out) {
  const uint l = get_local_id(0);
  if (l % 8 != 3) {
    const reserve_id_t given = sub_group_reserve_write_pipe(out, 1);
    write_pipe(out, given, 0, &l);
    sub_group_commit_write_pipe(out, given);
  }
}

kernel void commit_write(write_only pipe uint out) {
  const uint l = get_local_id(0);
  const reserve_id_t given = sub_group_reserve_write_pipe(out, get_sub_group_size());
  write_pipe(out, given, get_sub_group_local_id(), &l);
  if (l % 8 != 3)
    sub_group_commit_write_pipe(out, given);
}

kernel void commit_read(read_only pipe uint in, global uint* out) {
  const uint l = get_local_id(0);
  const reserve_id_t taken = sub_group_reserve_read_pipe(in, 8);
  if (is_valid_reserve_id(taken)) read_pipe(in, taken, l % 8, &out[get_global_id(0)]);
  if (l % 8 != 3)
    sub_group_commit_read_pipe(in, taken);
}
