// Values that one work-item stores plainly and another one loads plainly: the order of an atomic in between hands them over.
//! options -cl-std=CL2.0
//! check race
//! buffer bad = uint:zero:1
//! kernel last_of_device
//! global 128
//! local 32
//! arg data = uint:zero:128
//! arg arrived = uint:zero:1
//! arg out = uint:zero:1
//! launch
//! expect out = uint:data:691264
//! kernel last_by_sequence
//! global 128
//! local 32
//! arg data = uint:zero:128
//! arg arrived = uint:zero:1
//! arg out = uint:zero:1
//! launch
//! expect out = uint:data:691264
//! kernel last_of_group
//! global 128
//! local 32
//! arg out = uint:zero:4
//! launch
//! expect out = 10512 75024 205072 400656
//! kernel flags
//! global 128
//! local 32
//! arg data = uint:zero:128
//! arg state = uint:zero:128
//! arg out = uint:zero:128
//! launch
//! expect out = uint:fill:1:128
//! kernel exchanged
//! global 128
//! local 32
//! arg data = uint:zero:128
//! arg top = uint:zero:1
//! arg bad = buffer bad
//! launch
//! expect bad = 0
//! kernel claimed
//! global 128
//! local 32
//! arg data = uint:zero:128
//! arg owner = uint:zero:64
//! arg bad = buffer bad
//! launch
//! expect bad = 0
//! kernel masked
//! global 128
//! local 32
//! arg data = uint:zero:128
//! arg mask = uint:zero:4
//! arg bad = buffer bad
//! launch
//! expect bad = 0
//! kernel greatest
//! global 128
//! local 32
//! arg data = uint:zero:128
//! arg most = uint:zero:4
//! arg bad = buffer bad
//! launch
//! expect bad = 0
#define ID get_global_id(0)
#define VALUE(i) ((i) * (i) + 3)
#define COUNT(bad) atomic_fetch_add_explicit(bad, 1, memory_order_relaxed, memory_scope_device)

kernel void last_of_device(global uint* data, global atomic_uint* arrived, global uint* out) {
  data[ID] = VALUE(ID);
  if (atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel, memory_scope_device) + 1 < get_global_size(0)) return;
  uint sum = 0;
  for (size_t i = 0; i < get_global_size(0); ++i) sum += data[i];
  *out = sum;
}

kernel void last_by_sequence(global uint* data, global atomic_uint* arrived, global uint* out) {
  data[ID] = VALUE(ID);
  if (atomic_fetch_add(arrived, 1) + 1 < get_global_size(0)) return;
  uint sum = 0;
  for (size_t i = 0; i < get_global_size(0); ++i) sum += data[i];
  *out = sum;
}

kernel void last_of_group(global uint* out) {
  local uint parts[32];
  local atomic_uint arrived;
  const uint lid = get_local_id(0);
  if (lid == 0) atomic_init(&arrived, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  parts[lid] = VALUE(ID);
  if (atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel, memory_scope_work_group) != 31) return;
  uint sum = 0;
  for (uint i = 0; i < 32; ++i) sum += parts[i];
  out[get_group_id(0)] = sum;
}

// Whether the neighbour was there before or not, the value is the one that it has or will have.
kernel void flags(global uint* data, global atomic_uint* state, global uint* out) {
  const size_t other = ID ^ 1;
  data[ID] = VALUE(ID);
  atomic_store_explicit(state + ID, 1, memory_order_release, memory_scope_device);
  const bool is_there = atomic_load_explicit(state + other, memory_order_acquire, memory_scope_device);
  out[ID] = (is_there ? data[other] : VALUE(other)) == VALUE(other);
}

kernel void exchanged(global uint* data, global atomic_uint* top, global atomic_uint* bad) {
  data[ID] = VALUE(ID);
  const uint before = atomic_exchange_explicit(top, (uint)ID + 1, memory_order_acq_rel, memory_scope_device);
  if (before != 0 && data[before - 1] != VALUE(before - 1)) COUNT(bad);
}

kernel void claimed(global uint* data, global atomic_uint* owner, global atomic_uint* bad) {
  data[ID] = VALUE(ID);
  uint found = 0;
  if (atomic_compare_exchange_strong_explicit(owner + ID / 2, &found, (uint)ID + 1, memory_order_acq_rel, memory_order_acquire,
                                              memory_scope_device))
    return;
  if (data[found - 1] != VALUE(found - 1)) COUNT(bad);
}

kernel void masked(global uint* data, global atomic_uint* mask, global atomic_uint* bad) {
  data[ID] = VALUE(ID);
  const size_t first = ID & ~(size_t)31;
  const uint there = atomic_fetch_or_explicit(mask + ID / 32, 1u << ID % 32, memory_order_acq_rel, memory_scope_device);
  for (uint i = 0; i < 32; ++i)
    if ((there >> i & 1) != 0 && data[first + i] != VALUE(first + i)) COUNT(bad);
}

kernel void greatest(global uint* data, global atomic_uint* most, global atomic_uint* bad) {
  data[ID] = VALUE(ID);
  const uint before = atomic_fetch_max_explicit(most + ID / 32, (uint)ID + 1, memory_order_acq_rel, memory_scope_device);
  if (before != 0 && data[before - 1] != VALUE(before - 1)) COUNT(bad);
}
