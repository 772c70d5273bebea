// black_scholes.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Spot { float spot[]; };
layout(std430, binding = 1) readonly buffer Strike { float strike[]; };
layout(std430, binding = 2) readonly buffer Years { float years[]; };
layout(std430, binding = 3) writeonly buffer Call { precise float call[]; };
layout(std430, binding = 4) writeonly buffer Put { precise float put[]; };
layout(push_constant) uniform Values { float rate; float volatility; uint n; };

precise float normal_cdf(float d) {
  precise float k = 1.0 / (1.0 + 0.2316419 * abs(d));
  precise float poly =
      k * (0.319381530 +
           k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  precise float tail = 0.39894228040143267794 * exp(-0.5 * d * d) * poly;
  precise float result = d > 0.0 ? 1.0 - tail : tail;
  return result;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  float s = spot[i];
  float x = strike[i];
  float t = years[i];
  precise float root = volatility * sqrt(t);
  precise float d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / root;
  precise float d2 = d1 - root;
  float cdf1 = normal_cdf(d1);
  float cdf2 = normal_cdf(d2);
  precise float discounted = x * exp(-rate * t);
  call[i] = s * cdf1 - discounted * cdf2;
  put[i] = discounted * (1.0 - cdf2) - s * (1.0 - cdf1);
}
