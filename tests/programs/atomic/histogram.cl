// A histogram with collisions inside a batch, with global and with local bins.
//! global 1000
//! local 200
//! arg data = uint:random:42:0:1000000:1000
//! arg bins = uint:zero:16
//! arg bins2 = uint:zero:16
//! arg shared = local:64
//! expect bins[0..15] = 64 58 67 57 67 65 56 70 57 66 58 56 56 59 67 77
//! expect bins2[0..15] = 64 58 67 57 67 65 56 70 57 66 58 56 56 59 67 77
kernel void histogram(global const uint* data, global uint* bins, global uint* bins2, local uint* shared) {
  uint l = get_local_id(0);
  uint bin = data[get_global_id(0)] % 16;
  atomic_inc(bins + bin);
  if (l < 16) shared[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(shared + bin);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) atomic_add(bins2 + l, shared[l]);
}
