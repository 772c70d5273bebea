// Indexes of components that a vector has not, when undefined behaviour is looked for: such a component is 0, and a store to it
// changes nothing. A vector of three has the index 2, and not 3.
//! check ub
//! global 6
//! arg index = int:data:0,2,3,4,-1,7
//! arg out = int:zero:6
//! arg stored = int4:zero:6
//! arg three = int:zero:6
//! expect fault TSP-R0069 at 3 line 20
//! expect fault TSP-R0069 at 3 line 21
//! expect fault TSP-R0069 at 2 line 23
//! expect out = 10 12 13 0 0 0
//! expect stored[0..5] = (5,11,12,13) (10,11,5,13) (10,11,12,5) (10,11,12,13) (10,11,12,13) (10,11,12,13)
//! expect three = 20 22 0 0 0 0
kernel void test(global const int* index, global int* out, global int4* stored, global int* three) {
  int n = get_global_id(0);
  int4 v = (int4)(10, 11, 12, 13);
  int3 w = (int3)(20, 21, 22);
  int i = index[n];
  out[n] = v[i];
  v[i] = 5;
  stored[n] = v;
  three[n] = w[i];
}
