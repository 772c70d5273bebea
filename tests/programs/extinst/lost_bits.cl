// Operands at which intermediate steps could lose what the result needs: subnormals of atan2, the largest float whose
// sum with 1 is rounded, gamma's least results, components of normalize that scaling would make subnormal.
//! global 1
//! arg in = double:data:-0x2p-1074,-0x4p-1074,-0x1.6c00000000200p+7,0x1p1000,0x1.8p-60,0x1p600,0x1.8p-400
//! arg out = double:zero:7
//! arg single = float:data:0x1p53,0x1p54,0x1.000002p53
//! expect out[0..1] ~ 2ulp = -2.677945044588987 -0.8524163823495667
//! expect out[2] ~ 1ulp = -0x2p-1074
//! expect out[3..6] = 1 0x1.8p-1060 1 0x1.8p-1000
//! expect single ~ 1ulp = 36.7368005696771 37.42994775023705 36.73680068888638
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void test(global const double* in, global double* out, global float* single) {
  out[0] = atan2(in[0], in[1]);
  out[1] = atan2pi(in[0], in[1]);
  out[2] = tgamma(in[2]);
  vstore2(normalize((double2)(in[3], in[4])), 0, out + 3);
  vstore2(normalize((double2)(in[5], in[6])), 0, out + 5);
  for (int i = 0; i < 3; ++i) single[i] = log1p(single[i]);
}
