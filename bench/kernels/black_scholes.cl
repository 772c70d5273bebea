// Black-Scholes prices of European calls and puts: log, exp and sqrt, with the polynomial
// approximation of the normal distribution.
#pragma OPENCL FP_CONTRACT OFF

static float normal_cdf(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float poly =
      k * (0.319381530f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228040143267794f * exp(-0.5f * d * d) * poly;
  return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float* spot, __global const float* strike,
                            __global const float* years, __global float* call, __global float* put,
                            float rate, float volatility, uint n) {
  size_t i = get_global_id(0);
  if (i >= n) return;
  float s = spot[i];
  float x = strike[i];
  float t = years[i];
  float root = volatility * sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
  float d2 = d1 - root;
  float cdf1 = normal_cdf(d1);
  float cdf2 = normal_cdf(d2);
  float discounted = x * exp(-rate * t);
  call[i] = s * cdf1 - discounted * cdf2;
  put[i] = discounted * (1.0f - cdf2) - s * (1.0f - cdf1);
}
