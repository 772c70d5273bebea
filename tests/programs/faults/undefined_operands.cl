// Functions of OpenCL.std whose operands make them undefined; the results are those of their formulas.
//! global 8
//! check ub
//! arg x = float:data:0.5,2,-1,nan,inf,0.25,1,0
//! arg low = float:data:0,1,0,0,0,1,2,3
//! arg high = float:data:1,2,1,1,1,0.5,2,1
//! arg out = float:zero:40
//! arg ints = int:zero:8
//! expect fault TSP-R0067 at 5 line 19
//! expect fault TSP-R0067 at 3 line 20
//! expect fault TSP-R0067 at 1 line 21
//! expect fault TSP-R0067 at 0 line 23
//! expect fault TSP-R0067 at 4 line 24
//! expect out[0..39] = 0.5 2 0 0 1 0.5 2 1 0.5 1 0 0 1 1 0 1 0.5 3 -1 nan inf 0.875 2 3 0 1 -1 0 0 0.25 1 0 0 0 0 0 0 0 0 0
//! expect ints = 1 2 3 2 1 2 2 2
kernel void test(global const float* x, global const float* low, global const float* high, global float* out,
                 global int* ints) {
  int n = get_global_id(0);
  out[n] = clamp(x[n], low[n], high[n]);
  out[n + 8] = smoothstep(low[n], high[n], x[n]);
  out[n + 16] = mix(low[n], high[n], x[n]);
  out[n + 24] = min(x[n], low[n]);
  out[n + 32] = fast_normalize((float2)(x[n] == 0.5f ? 3e30f : 0.0f, 0.0f)).x;
  ints[n] = clamp(n + 1, 2 - (n == 0), 2 + (n == 2) - (n == 4) - (n == 0));
}
