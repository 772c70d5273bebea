// Memory of a buffer is ordered by a barrier over UniformMemory, and atomics of the scope QueueFamily meet: no race is found.
//! groups 2
//! check race
//! arg v = int:range:0:1:32
//! arg sum = int:zero:1
//! expect v = 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16
//! expect sum = 496
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer V { int v[]; };
layout(std430, binding = 1) buffer Sum { int sum; };
void main() {
  uint i = gl_GlobalInvocationID.x, other = (i & ~15u) + 15u - (i & 15u);
  int mine = v[other];
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  v[i] = mine;
  atomicAdd(sum, mine, gl_ScopeQueueFamily, 0, 0);
}
