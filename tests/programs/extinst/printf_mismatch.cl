// A conversion that does not fit its operand prints what the operand is; %s of a number is no address.
//! kernel test
//! global 1
//! expect printf "5 0.500000 -7 3.000000 1.500000 80\n"
kernel void test(void) {
  int n = get_global_id(0);
  printf("%s %s %s %f %d %x\n", n + 5, 0.5f, n - 7, n + 3, 1.5f, n + 128);
}
