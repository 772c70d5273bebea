// vloadn and vstoren of chars, shorts, longs, floats and doubles.
//! global 33  # vary: local
//! arg c = char:range:-100:1:140
//! arg s = short:range:-1000:7:140
//! arg l = long:range:-100000000000:999999999:140
//! arg f = float:range:-1:0.25:140
//! arg d = double:range:-1:0.125:280
//! expect c[0..19] = -100 -96 -97 -98 -99 -92 -93 -94 -95 -88 -89 -90 -91 -84 -85 -86 -87 -80 -81 -82
//! expect s[0..19] = -1000 -993 -986 -979 -972 -964 -957 -950 -943 -936 -929 -922 -915 -908 -901 -894 -887 -880 -873 -866
//! expect l[0..4] = -100000000000 -99000000001 -98000000002 -96000000004 -97000000003
//! expect l[5..9] = -94000000006 -95000000005 -92000000008 -93000000007 -90000000010
//! expect f[0..19] = -2 -1.5 -1 -0.5 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7 7.5
//! expect d[0..19] = -1 0 -0.125 -0.25 -0.375 -0.5 -0.625 -0.75 -0.875 1 0.875 0.75 0.625 0.5 0.375 0.25 0.125 2 1.875 1.75
//! expect c[120..139] = 17 24 23 22 21 28 27 26 25 32 31 30 29 33 34 35 36 37 38 39
//! expect s[120..139] = range:-160:7
//! expect l[130..139] = range:29999999870:999999999
//! expect f[120..139] = 58 58.5 59 59.5 60 60.5 61 61.5 62 62.5 63 63.5 32 32.25 32.5 32.75 33 33.25 33.5 33.75
//! expect d[260..279] = 31.625 31.5 31.375 31.25 31.125 32.125 32.25 32.375 32.5 32.625 32.75 32.875 33 33.125 33.25 33.375 33.5 33.625 33.75 33.875
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void test(global char* c, global short* s, global long* l, global float* f, global double* d) {
  int n = get_global_id(0);
  vstore4(vload4(n, c + 1).wzyx, n, c + 1);
  vstore3(vload3(n, s + 5) + (short)1, n, s + 5);
  vstore2(vload2(n, l + 3).yx, n, l + 3);
  vstore4(vload4(n, f) * 2.0f, n, f);
  vstore8(vload8(n, d + 1).s76543210, n, d + 1);
}
