// atomic_xchg hands values from one work-item to another; their sum is what is left out.
//! kernel test
//! global 256
//! arg slot = uint:fill:1000:1
//! arg received = uint:zero:256
//! arg total = uint:zero:1
//! arg fslot = float:fill:2.5:1
//! # vary: local
//! expect total = uint:data:33640
//! expect fslot = float:fill:7.5:1
kernel void test(global uint* slot, global uint* received, global uint* total, global float* fslot) {
  uint n = get_global_id(0);
  received[n] = atomic_xchg(slot, n);
  atomic_add(total, received[n]);
  if (n == 0) atomic_add(total, atomic_xchg(slot, 0) * 0);
  atomic_xchg(fslot, 7.5f);
}
