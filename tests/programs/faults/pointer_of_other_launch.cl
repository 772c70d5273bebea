// A pointer that one launch kept in a buffer means nothing to the next one, which has not the memory that it led to.
//! buffer slot = ulong:zero:1
//! kernel keep
//! global 1
//! arg data = int:fill:5:4
//! arg slot = buffer slot
//! launch
//! kernel use
//! global 1
//! arg slot = buffer slot
//! arg out = int:fill:9:1
//! expect fault TSP-R0002 line 15
//! expect out = 0
kernel void keep(global int* data, global ulong* slot) { slot[0] = (ulong)data; }
kernel void use(global ulong* slot, global int* out) { out[0] = *(global int*)slot[0]; }
