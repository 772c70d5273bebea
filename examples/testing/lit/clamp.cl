// What a branch and a selection give, with and without the optimiser.
//
// RUN: %compile -O0 %s -o %t.O0.spv
// RUN: %compile -O2 %s -o %t.O2.spv
//
// RUN: %transpire validate %t.O0.spv
// RUN: %transpire validate %t.O2.spv
//
// RUN: %transpire run %t.O0.spv -g 6 -a x=int:data:-7,0,3,10,11,2147483647 -a low=0 -a high=10 --expect "x = 0 0 3 10 10 10"
// RUN: %transpire run %t.O2.spv -g 6 -a x=int:data:-7,0,3,10,11,2147483647 -a low=0 -a high=10 --expect "x = 0 0 3 10 10 10"

kernel void clamp_all(global int* x, int low, int high) {
  int i = get_global_id(0);
  if (x[i] < low)
    x[i] = low;
  else
    x[i] = x[i] > high ? high : x[i];
}
