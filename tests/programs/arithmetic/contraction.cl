// A product that is added to something is mad, whose product is rounded: the remainder of a square is lost.
//! global 70  # vary: local
//! arg x = float:range:1.0000001:0.0001:70
//! arg out = float:zero:70
//! arg fused = float:zero:70
//! expect out = float:zero:70
//! expect fused[0..8] = 1.4210855e-14 1.0027179e-8 4.0060982e-8 -2.9179418e-8 4.0843815e-8 1.16643974e-8 2.4916176e-9 1.3325476e-8 4.4165972e-8
//! expect fused[9..17] = -2.4196183e-8 4.6419146e-8 1.8046421e-8 9.680335e-9 2.1320886e-8 5.2968076e-8 -1.45873855e-8 5.707308e-8 2.9125559e-8
//! expect fused[18..26] = 2.1566166e-8 3.401341e-8 -5.2741996e-8 -2.814744e-10 -4.7023605e-8 4.5450193e-8 3.814911e-8 5.140305e-8 -3.4545664e-8
//! expect fused[27..35] = 1.872155e-8 -2.7213886e-8 -5.3142685e-8 -5.9064845e-8 -4.4980368e-8 -1.1652219e-8 4.242169e-8 -2.7070541e-9 -2.782916e-8
//! expect fused[36..44] = -3.2944627e-8 -1.8053456e-8 1.6844353e-8 -4.8390348e-8 2.6496892e-8 2.1814799e-9 -2.127294e-9 1.35705704e-8 4.9275073e-8
//! expect fused[45..53] = -1.4223076e-8 -5.8811338e-8 3.6889233e-8 3.3387153e-8 4.989171e-8 -3.2806383e-8 2.371145e-8 -1.8973367e-8 -4.291519e-8
//! expect fused[54..62] = -4.5610577e-8 -2.8299326e-8 9.018564e-9 -5.28662e-8 2.4464967e-8 2.593481e-9 -7.0190254e-10 1.7416042e-8 5.5540625e-8
//! expect fused[63..69] = -5.5374443e-9 -4.6608875e-8 5.1535622e-8 5.0477468e-8 -4.978334e-8 -1.244949e-8 4.6488424e-8
kernel void test(global const float* x, global float* out, global float* fused) {
  int n = get_global_id(0);
  float a = x[n];
  float square = a * a;
  out[n] = a * a - square;
  fused[n] = fma(a, a, -square);
}
