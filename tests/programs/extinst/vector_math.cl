// Math functions on vectors work component by component, also those with pointers and mixed operands.
//! global 34  # vary: local
//! arg out = float4:zero:34
//! arg parts = float4:zero:34
//! arg exponents = int4:zero:34
//! expect out[0..5] = (50,0,2.25,840.5) (60,-5,6.75,831.5) (69,-9,11.25,824.5) (78,-14,14.75,817.5) (88,-18,20.25,808.5) (97,-22,24.75,800.5)
//! expect out[6..11] = (105,-25,29,793.5) (114,-29,33,785.5) (122.5,-33,38,777.5) (130.5,-37,42,769.5) (138.5,-40,46,762.5) (145.5,-44,49,754.5)
//! expect out[12..16] = (153.5,-48,54,746.5) (161.5,-52,59,738.5) (169.5,-55,63,730.5) (176.5,-59,65.75,723.5) (184.5,-63,70.25,715.5)
//! expect out[17..21] = (193.5,-67,73.75,706.5) (200.5,-70,77.25,699.5) (207.5,-74,79.75,692.5) (216.5,-78,85.25,684.5) (224.5,-82,88.75,675.5)
//! expect out[22..26] = (231.5,-85,92.25,668.5) (238.5,-89,94.75,661.5) (247.5,-93,99.25,652.5) (255.5,-97,102.75,644.5) (262.5,-100,106.25,637.5)
//! expect out[27..30] = (270.5,-104,109.75,629.5) (278.5,-108,114.25,621.5) (286.5,-112,117.75,613.5) (294.5,-115,121.25,606.5)
//! expect out[31..33] = (301.5,-119,123.75,598.5) (309.5,-123,128.25,590.5) (317.5,-127,132.75,582.5)
//! expect parts[0..7] = (0,0,0.25,0) (0,-0,0.75,0) (0,-0,0.25,0) (0,-0,0.75,0) (0,-0,0.25,0) (0,-0,0.75,0) (0,-0,0.25,0) (0,-0,0.75,0)
//! expect exponents[0..9] = (0,0,-1,13) (1,1,0,13) (3,3,1,13) (3,3,1,13) (5,5,3,13) (5,5,3,13) (5,5,3,13) (5,5,3,13) (7,7,5,13) (7,7,5,13)
//! expect exponents[10..15] = (7,7,5,13) (7,7,5,13) (7,7,5,13) (7,7,5,13) (7,7,5,13) (7,7,5,13)
//! expect exponents[16..31] = fill:(9,9,7,13)
//! expect exponents[32..33] = (11,11,9,13) (11,11,9,13)
kernel void test(global float4* out, global float4* parts, global int4* exponents) {
  int n = get_global_id(0);
  float4 v = (float4)(n, -n, n * 0.5f + 0.25f, 100 - n);
  float4 whole;
  int4 exponent;
  float4 fraction = modf(v, &whole);
  float4 mantissa = frexp(v, &exponent);
  out[n] = fmax(floor(v * 0.3f), ceil(-v)) + fmin(v, 7.5f) + clamp(v, -3.0f, 3.0f) + fabs(v) + trunc(whole) +
           ldexp(mantissa, exponent) + ldexp(v, 2) + rint(v.wzyx * 0.5f) + sqrt(v * v);
  parts[n] = fraction;
  exponents[n] = exponent + ilogb(fmax(fabs(v), 1.0f));
}
