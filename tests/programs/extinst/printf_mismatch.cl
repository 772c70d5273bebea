// A conversion that does not fit its operand is reported, and prints what the operand is.
//! global 4
//! expect fault TSP-R0068 at 0
//! expect fault TSP-R0068 at 2 line 18
//! expect printf "5 0.500000 -7 3.000000 1.500000 80\n"
//! expect printf "[1.000000,2.000000] [3] [4] \n"
//! expect printf "6 0.500000 -6 4.000000 1.500000 81\n"
//! expect printf "[1.000000,2.000000] [3] [4] \n"
//! expect printf "7 0.500000 -5 5.000000 1.500000 82\n"
//! expect printf "[1.000000,2.000000] [3] [4] \n"
//! expect printf "%y %* %v5hld 100%\n"
//! expect printf "8 0.500000 -4 6.000000 1.500000 83\n"
//! expect printf "[1.000000,2.000000] [3] [4] \n"
kernel void test(void) {
  int n = get_global_id(0);
  printf("%s %s %s %f %d %x\n", n + 5, 0.5f, n - 7, n + 3, 1.5f, n + 128);
  printf("[%v4hlf] [%lld] [%zu] %d\n", (float2)(1, 2), (long)3, (ulong)4);
  if (n == 2) printf("%y %* %%v5hld 100%\n");
}
