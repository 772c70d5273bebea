// get_fence says which fence memory behind a generic pointer needs: the one of local memory, or the one of global memory.
//! options -cl-std=CL2.0
//! global 64  # vary: local
//! arg data = int:zero:64
//! arg fences = uint:zero:64
//! # CLK_LOCAL_MEM_FENCE is 1, CLK_GLOBAL_MEM_FENCE 2.
//! expect fences[0..7] = 2 1 2 1 2 1 2 1
//! expect fences[62..63] = 2 1
kernel void test(global int* data, global uint* fences) {
  local int shared[1];
  const int i = get_global_id(0);
  const int* any = i % 2 ? (int*)shared : (int*)&data[i];
  fences[i] = get_fence(any);
}
