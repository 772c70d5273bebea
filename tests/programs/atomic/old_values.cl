// The old values that atomic additions give are all different: a permutation, checked by marks.
//! global 500  # vary: local
//! arg counter = uint:zero:1
//! arg marks = uint:zero:500
//! arg after = uint:zero:1
//! expect counter = uint:data:2000
//! expect marks = uint:fill:3:500
//! expect after = uint:data:0
kernel void test(global uint* counter, global uint* marks, global uint* after) {
  uint n = get_global_id(0);
  uint old = atomic_add(counter, 4);
  marks[old >> 2] += old & 3 ? 100 : 3;
  if (old >= 2000) atomic_inc(after);
}
