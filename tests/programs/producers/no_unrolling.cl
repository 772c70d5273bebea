// With -fno-unroll-loops, llvm-spirv-15 writes OpLoopMerge in front of the phis.
//! options -cl-std=CL2.0 -fno-unroll-loops
//! global 4
//! arg out = int:zero:4
//! arg next = int:data:1,2,3,0
//! arg value = int:data:1,10,100,1000
//! expect out = 1417 4170 11711 27136
kernel void chase(global int *out, global const int *next, global const int *value) {
  const int i = get_global_id(0);
  int at = i, sum = 0;
  for (int k = 0; k < 5; k++) {
    sum = sum * 3 + value[at];
    at = next[at];
    if (at == i) break;
  }
  out[i] = sum - at;
}
