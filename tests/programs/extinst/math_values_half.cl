// Every floating-point function on halfs, with results computed by mpmath at 400 bits, within what the specification allows.
// Of lgamma the specification bounds no error; here it is 4 ULP.
//! kernel angles
//! global 4
//! arg x = half:data:0.5,-1.25,3,10
//! arg out = half:zero:56
//! launch
//! expect out[0..3] ~ 2ulp = 0.4795 -0.949 0.1411 -0.544
//! expect out[4..7] ~ 2ulp = 0.8774 0.3154 -0.99 -0.839
//! expect out[8..11] ~ 2ulp = 0.5464 -3.01 -0.1426 0.6484
//! expect out[12..15] ~ 2ulp = 0.521 -1.602 10.016 11016
//! expect out[16..19] ~ 2ulp = 1.128 1.889 10.07 11016
//! expect out[20..23] ~ 2ulp = 0.4622 -0.848 0.995 1
//! expect out[24..27] ~ 2ulp = 0.4812 -1.048 1.818 2.998
//! expect out[28..31] ~ 2ulp = 0.4636 -0.896 1.249 1.471
//! expect out[32..35] ~ 2ulp = 0.1476 -0.2852 0.3977 0.4683
//! expect out[36..39] ~ 2ulp = 0.7935 -1.077 1.442 2.154
//! expect out[40..43] ~ 2ulp = 28.64 -71.6 171.9 573
//! expect out[44..47] ~ 2ulp = 0.00873 -0.02182 0.05237 0.1746
//! expect out[48..51] ~ 2ulp = 0.4795 -0.949 0.1411 -0.544
//! expect out[52..55] ~ 2ulp = 0.8774 0.3154 -0.99 -0.839
//! kernel turns
//! global 4
//! arg x = half:data:0.25,-1.75,2.125,0.3125
//! arg out = half:zero:12
//! launch
//! expect out[0..3] ~ 2ulp = 0.707 0.707 0.3826 0.8315
//! expect out[4..7] ~ 2ulp = 0.707 0.707 0.924 0.5557
//! expect out[8..11] ~ 2ulp = 1 1 0.4143 1.497
//! kernel small
//! global 4
//! arg x = half:data:0.25,-0.5,0.9375,-0.125
//! arg out = half:zero:36
//! launch
//! expect out[0..3] ~ 2ulp = 1.318 2.094 0.3555 1.696
//! expect out[4..7] ~ 2ulp = 0.2527 -0.5234 1.216 -0.1254
//! expect out[8..11] ~ 2ulp = 0.2554 -0.5493 1.717 -0.1256
//! expect out[12..15] ~ 2ulp = 0.4197 0.6665 0.11316 0.54
//! expect out[16..19] ~ 2ulp = 0.08044 -0.1666 0.387 -0.0399
//! expect out[20..23] ~ 4ulp = 0.2764 -0.5205 0.815 -0.1403
//! expect out[24..27] ~ 4ulp = 0.7236 1.5205 0.1849 1.141
//! expect out[28..31] ~ 2ulp = 0.284 -0.3936 1.554 -0.1175
//! expect out[32..35] ~ 2ulp = 0.2231 -0.6934 0.6616 -0.1335
//! kernel positive
//! global 4
//! arg x = half:data:1.5,10,100,2
//! arg out = half:zero:24
//! launch
//! expect out[0..3] ~ 2ulp = 0.9624 2.994 5.297 1.317
//! expect out[4..7] ~ 2ulp = 0.4055 2.303 4.605 0.6934
//! expect out[8..11] ~ 2ulp = 0.585 3.322 6.645 1
//! expect out[12..15] ~ 2ulp = 0.1761 1 2 0.301
//! expect out[16..19] = 1.225 3.162 1e+01 1.414
//! expect out[20..23] ~ 1ulp = 0.8164 0.3162 0.1 0.707
//! kernel exponents
//! global 4
//! arg x = half:data:0.5,-1.25,3,4.5
//! arg out = half:zero:12
//! launch
//! expect out[0..3] ~ 2ulp = 1.648 0.2866 20.08 9e+01
//! expect out[4..7] ~ 2ulp = 1.414 0.4204 8 22.62
//! expect out[8..11] ~ 2ulp = 3.162 0.05624 1e+03 3.162e+04
//! kernel gammas
//! global 4
//! arg x = half:data:0.5,-1.5,5,3.75
//! arg out = half:zero:12
//! arg signs = int:zero:4
//! launch
//! expect out[0..3] ~ 4ulp = 1.772 2.363 24 4.42
//! expect out[4..7] ~ 4ulp = 0.5723 0.86 3.178 1.486
//! expect out[8..11] ~ 4ulp = 0.5723 0.86 3.178 1.486
//! expect signs[0..3] = 1 1 1 1
//! kernel parts
//! global 4
//! arg x = half:data:2.5,-2.5,-0.75,7.25
//! arg out = half:zero:56
//! arg ints = int:zero:8
//! launch
//! expect out[0..3] = 3 -2 -0 8
//! expect out[4..7] = 2 -3 -1 7
//! expect out[8..11] = 2 -2 -1 7
//! expect out[12..15] = 3 -3 -1 7
//! expect out[16..19] = 2 -2 -0 7
//! expect out[20..23] = 2.5 2.5 0.75 7.25
//! expect out[24..27] = 1 1 -1 2
//! expect out[28..31] = 0.5 0.5 0.25 0.25
//! expect out[32..35] = 2 -3 -1 7
//! expect out[36..39] = 0.5 -0.5 -0.75 0.25
//! expect out[40..43] = 2 -2 -0 7
//! expect out[44..47] = 0.625 -0.625 -0.75 0.9062
//! expect out[48..51] = nan nan nan nan
//! expect out[52..55] = 1 -1 -1 1
//! expect ints[0..3] = 1 1 -1 2
//! expect ints[4..7] = 2 2 0 3
//! kernel pairs
//! global 4
//! arg x = half:data:1.5,-2,10,0.75
//! arg y = half:data:2.5,3,-1.25,4
//! arg z = half:data:0.25,-8,3,-1
//! arg k = int:data:2,3,-2,5
//! arg out = half:zero:96
//! arg quotients = int:zero:4
//! launch
//! expect out[0..3] ~ 2ulp = 0.5405 -0.588 1.695 0.1853
//! expect out[4..7] ~ 2ulp = 0.172 -0.1871 0.5396 0.059
//! expect out[8..11] ~ 2ulp = 2.916 3.605 10.08 4.07
//! expect out[12..15] ~ 4ulp = 2.756 -8 0.05624 0.3164
//! expect out[16..19] ~ 4ulp = 2.756 8 0.05624 0.3164
//! expect out[20..23] ~ 4ulp = 2.25 -8 0.01 0.2373
//! expect out[24..27] ~ 4ulp = 1.225 -1.26 0.3162 0.944
//! expect out[28..31] = 1.5 2 -1e+01 0.75
//! expect out[32..35] = 0 0 11.25 0
//! expect out[36..39] = 2.5 3 1e+01 4
//! expect out[40..43] = 1.5 -2 -1.25 0.75
//! expect out[44..47] = 1.5 -2 0 0.75
//! expect out[48..51] = 2.5 3 1e+01 4
//! expect out[52..55] = 1.5 -2 -1.25 0.75
//! expect out[56..59] = 1.501 -1.999 9.99 0.7505
//! expect out[60..63] = -1 1 0 0.75
//! expect out[64..67] = -1 1 0 0.75
//! expect out[68..71] = 4 -14 -9.5 2
//! expect out[72..75] = 4 -14 -9.5 2
//! expect out[76..79] = 6 -16 2.5 24
//! expect out[80..83] = 2.5 3 1e+01 4
//! expect out[84..87] = 1.5 -2 -1.25 0.75
//! expect out[88..91] = 1 1 0 1
//! expect quotients[0..3] = 1 -1 -8 0
//! expect out[92..95] = -1.526e-05 -1.526e-05 -1.526e-05 -1.526e-05
//! kernel blends
//! global 4
//! arg x = half:data:-2,0.25,0.5,3
//! arg out = half:zero:12
//! launch
//! expect out[0..3] = -1 0.25 0.5 2
//! expect out[4..7] = 4 6 8 12
//! expect out[8..11] = 0 0.1562 0.5 1
//! kernel relations
//! global 8
//! arg x = half:data:1,-2,0,nan,inf,-inf,6e-8,nan
//! arg y = half:data:2,-2,-0,1,65504,inf,-0.5,nan
//! arg out = int:zero:112
//! expect out[0..7] = 0 1 1 0 0 0 0 0
//! expect out[8..15] = 1 0 0 1 1 1 1 1
//! expect out[16..23] = 0 0 0 0 1 0 1 0
//! expect out[24..31] = 0 1 1 0 1 0 1 0
//! expect out[32..39] = 1 0 0 0 0 1 0 0
//! expect out[40..47] = 1 1 1 0 0 1 0 0
//! expect out[48..55] = 1 0 0 0 1 1 1 0
//! expect out[56..63] = 1 1 1 0 1 1 1 0
//! expect out[64..71] = 0 0 0 1 0 0 0 1
//! expect out[72..79] = 1 1 1 0 0 0 1 0
//! expect out[80..87] = 0 0 0 0 1 1 0 0
//! expect out[88..95] = 0 0 0 1 0 0 0 1
//! expect out[96..103] = 1 1 0 0 0 0 0 0
//! expect out[104..111] = 0 1 1 0 0 0 1 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define REAL half
#define CODE (ushort)1
#define STEP 0x1p-8
#include "math_values.cl"
