// Formats that are chosen at run time and do not fit, and one that is no string.
//! global 3
//! local 3
//! arg nothing = null
//! expect fault TSP-R0068 at 1 line 13
//! expect fault TSP-R0001 at 0 line 14
//! expect printf "number 0\n"
//! expect printf "number 1.000000\n"
//! expect printf "number 2 \n"
constant char* constant formats[] = {"number %d\n", "number %f\n", "number %d %d\n"};
kernel void test(constant char* nothing) {
  const int n = get_global_id(0);
  printf(formats[n], n);
  printf(nothing, n);
}
