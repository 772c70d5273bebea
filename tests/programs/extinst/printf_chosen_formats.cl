// printf with a format that is chosen at run time. Clang's optimiser makes one call of the first two.
//! global 3
//! local 3
//! expect printf "even\n"
//! expect printf "0, not zero\n"
//! expect printf "0.000000|0,2\n"
//! expect printf "3 of many\n"
//! expect printf "odd\n"
//! expect printf "1 and one\n"
//! expect printf "  1.5|%|1,2\n"
//! expect printf "tue: 2\n"
//! expect printf "even\n"
//! expect printf "2, not zero\n"
//! expect printf "3.000000|2,2\n"
//! expect printf "wednesday\n"
constant char* constant formats[] = {"%d of many\n", "tue: %d\n", "wednesday\n"};
constant int numbers[] = {3, 2, 1};
kernel void test(void) {
  const int n = get_global_id(0);
  if (n == 1)
    printf("odd\n");
  else
    printf("even\n");
  printf(n == 1 ? "%d and %s\n" : "%d, not %s\n", n, n == 1 ? "one" : "zero");
  printf(n == 1 ? "%5.1f|%%|%v2hld\n" : "%f|%v2hld\n", 1.5f * n, (int2)(n, 2));
  printf(formats[n], numbers[n]);
}
