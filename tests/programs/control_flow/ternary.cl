// Nested conditional expressions on scalars and vectors.
//! options -O1
//! global 66  # vary: local
//! arg out = int4:zero:66
//! expect out[0..9] = (1,10,30,1) (1,9,29,1) (1,8,28,1) (1,7,27,1) (1,6,26,16) (1,5,25,25) (1,4,24,36) (1,3,23,49) (1,2,22,64) (1,1,21,81)
//! expect out[10..15] = (2,2,20,100) (2,2,19,121) (2,2,18,144) (2,2,17,169) (2,2,16,196) (2,2,2,225)
//! expect out[60..65] = (60,50,30,3600) (161,151,131,3821) (62,52,32,3844) (163,153,133,4069) (64,54,34,4096) (165,155,135,4325)
kernel void test(global int4* out) {
  int n = get_global_id(0);
  int4 v = (int4)(n, n - 10, 30 - n, n * n);
  int s = n < 20 ? n < 10 ? 1 : 2 : n < 40 ? 3 : n & 1 ? 4 : 5;
  int4 w = v > 15 ? v : (v < 0 ? -v : (int4)(s));
  out[n] = s == 4 ? w + 100 : w;
}
