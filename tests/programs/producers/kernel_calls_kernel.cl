// A kernel calls another kernel; both can be launched.
//! buffer data = uint:zero:66
//! kernel helper
//! global 66  # vary: local
//! arg out = buffer data
//! arg add = 5
//! expect data = uint:range:5:1:66
//! launch
//! kernel test
//! global 66
//! arg out = buffer data
//! expect data = uint:range:1105:3:66
//! launch
kernel void helper(global uint* out, uint add) { out[get_global_id(0)] += add + get_global_id(0); }
kernel void test(global uint* out) {
  helper(out, 100);
  helper(out, 1000);
}
