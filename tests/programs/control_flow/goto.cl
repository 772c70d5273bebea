// Loops and jumps written with goto.
//! kernel test
//! global 90
//! arg out = uint:zero:90
//! # vary: local
//! expect out[0..14] = 16 17 18 1633 1634 3249 3250 4865 4866 6481 6482 3266 4881 4881 4882
//! expect out[15..28] = 4882 6497 6497 6498 6498 3282 3282 4897 4897 4897 4897 4898 4898 4898
//! expect out[29..42] = 4898 6513 6513 6513 6513 6514 6514 6514 6514 3298 3298 3298 3298 4913
//! expect out[43..56] = 4913 4913 4913 4913 4913 4913 4913 4914 4914 4914 4914 4914 4914 4914
//! expect out[57..70] = 4914 6529 6529 6529 6529 6529 6529 6529 6529 6530 6530 6530 6530 6530
//! expect out[71..81] = 6530 6530 6530 160070 160070 160070 160070 160070 160070 160070 160070
//! expect out[82..89] = 160071 160071 160071 160071 160071 160071 160071 160071
kernel void test(global uint* out) {
  uint n = get_global_id(0), x = n, r = 0;
again:
  r++;
  if (x > 10) goto large;
  if (x < 3) goto end;
  x -= 2;
  r += 100;
  goto again;
large:
  x = x / 2 + 1;
  if (r < 4) goto again;
  r += 10000;
end:
  out[n] = r * 16 + x;
}
