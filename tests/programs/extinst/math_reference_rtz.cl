// Reference math rounds correctly in the mode that the launch asks for: here towards zero.
//! global 6
//! math reference
//! rounding rtz
//! arg x = float:data:1.10000002,0.300000012,2.5,7.25,0.0125000002,33
//! arg exp_of = float:zero:6
//! arg log_of = float:zero:6
//! arg log10_of = float:zero:6
//! arg rsqrt_of = float:zero:6
//! arg pow_of = float:zero:6
//! expect exp_of[0..5] = 3.00416589 1.34985876 12.1824932 1408.10474 1.01257837 2.14643574e+14
//! expect log_of[0..5] = 0.0953101963 -1.2039727 0.9162907 1.98100138 -4.3820262 3.49650741
//! expect log10_of[0..5] = 0.0413926914 -0.522878706 0.39793998 0.860337973 -1.90308988 1.51851392
//! expect rsqrt_of[0..5] = 0.953462541 1.82574177 0.632455528 0.371390671 8.94427109 0.174077645
//! expect pow_of[0..5] = 1.17589235 0.129153475 4.74786139 29.011797 0.000581764092 381.48175
kernel void compute(global const float* x, global float* exp_of, global float* log_of, global float* log10_of, global float* rsqrt_of, global float* pow_of) {
  const size_t i = get_global_id(0);
  exp_of[i] = exp(x[i]);
  log_of[i] = log(x[i]);
  log10_of[i] = log10(x[i]);
  rsqrt_of[i] = rsqrt(x[i]);
  pow_of[i] = pow(x[i], 1.7f);
}
