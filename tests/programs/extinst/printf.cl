// printf: conversions, flags, widths, precisions, vectors, strings, in the order of the work-items.
//! global 3
//! local 1
//! expect printf "0: d=-5 i=+7 u=4294967295 x=ff X=FF o=17 #x=0xff c=A %\n"
//! expect printf "   42|42   |00042| 3.142|3.141593e+00|0.5|hello|   hi|\n"
//! expect printf "1: d=-4 i=+8 u=0 x=100 X=100 o=20 #x=0x100 c=B %\n"
//! expect printf "   43|43   |00043| 4.142|4.141593e+00|1.5|hello|   hi|\n"
//! expect printf "2: d=-3 i=+9 u=1 x=101 X=101 o=21 #x=0x101 c=C %\n"
//! expect printf "   44|44   |00044| 5.142|5.141593e+00|2.5|hello|   hi|\n"
kernel void test(void) {
  int n = get_global_id(0);
  printf("%d: d=%d i=%+i u=%u x=%x X=%X o=%o #x=%#x c=%c %%\n", n, n - 5, n + 7, n - 1, 255 + n, 255 + n, 15 + n,
         255 + n, 'A' + n);
  printf("%5d|%-5d|%05d|%6.3f|%e|%g|%s|%5s|\n", 42 + n, 42 + n, 42 + n, 3.14159265f + n, 3.14159265f + n, 0.5f + n,
         "hello", "hi");
}
