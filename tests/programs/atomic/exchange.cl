// atomic_xchg hands values from one work-item to another: none is lost, whatever the order.
//! buffer slot = uint:fill:1000:1
//! buffer total = uint:zero:1
//! buffer real = float:fill:2.5:1
//! kernel test
//! global 256  # vary: local
//! arg slot = buffer slot
//! arg total = buffer total
//! arg real = buffer real
//! expect real = float:data:7.5
//! launch
//! kernel finish
//! global 1
//! arg slot = buffer slot
//! arg total = buffer total
//! expect total = uint:data:33640
//! launch
kernel void test(global uint* slot, global uint* total, global float* real) {
  atomic_add(total, atomic_xchg(slot, (uint)get_global_id(0)));
  atomic_xchg(real, 7.5f);
}
kernel void finish(global uint* slot, global uint* total) { *total += *slot; }
