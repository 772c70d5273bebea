// Every floating-point function on floats, with results computed by mpmath at 400 bits, within what the specification allows.
// Of lgamma the specification bounds no error; here it is 8 ULP.
//! kernel angles
//! global 4
//! arg x = float:data:0.5,-1.25,3,10
//! arg out = float:zero:56
//! launch
//! expect out[0..3] ~ 4ulp = 0.47942555 -0.9489846 0.14112 -0.5440211
//! expect out[4..7] ~ 4ulp = 0.87758255 0.31532237 -0.9899925 -0.8390715
//! expect out[8..11] ~ 5ulp = 0.5463025 -3.0095696 -0.14254655 0.64836085
//! expect out[12..15] ~ 4ulp = 0.5210953 -1.601919 10.017875 11013.232
//! expect out[16..19] ~ 4ulp = 1.127626 1.8884239 10.067662 11013.233
//! expect out[20..23] ~ 5ulp = 0.46211717 -0.84828365 0.9950548 1
//! expect out[24..27] ~ 4ulp = 0.4812118 -1.047593 1.8184465 2.998223
//! expect out[28..31] ~ 5ulp = 0.4636476 -0.8960554 1.2490457 1.4711276
//! expect out[32..35] ~ 5ulp = 0.14758362 -0.28522328 0.3975836 0.46827447
//! expect out[36..39] ~ 2ulp = 0.7937005 -1.0772173 1.4422495 2.1544347
//! expect out[40..43] ~ 2ulp = 28.64789 -71.61973 171.88734 572.9578
//! expect out[44..47] ~ 2ulp = 0.008726646 -0.021816615 0.05235988 0.17453292
//! expect out[48..51] ~ 4ulp = 0.47942555 -0.9489846 0.14112 -0.5440211
//! expect out[52..55] ~ 4ulp = 0.87758255 0.31532237 -0.9899925 -0.8390715
//! kernel turns
//! global 4
//! arg x = float:data:0.25,-1.75,2.125,0.3125
//! arg out = float:zero:12
//! launch
//! expect out[0..3] ~ 4ulp = 0.70710677 0.70710677 0.38268343 0.8314696
//! expect out[4..7] ~ 4ulp = 0.70710677 0.70710677 0.9238795 0.55557024
//! expect out[8..11] ~ 6ulp = 1 1 0.41421357 1.4966058
//! kernel small
//! global 4
//! arg x = float:data:0.25,-0.5,0.9375,-0.125
//! arg out = float:zero:36
//! launch
//! expect out[0..3] ~ 4ulp = 1.3181161 2.0943952 0.35542122 1.6961242
//! expect out[4..7] ~ 4ulp = 0.25268024 -0.5235988 1.2153751 -0.12532783
//! expect out[8..11] ~ 5ulp = 0.25541282 -0.54930615 1.7169936 -0.12565722
//! expect out[12..15] ~ 5ulp = 0.41956937 0.6666667 0.11313408 0.5398931
//! expect out[16..19] ~ 5ulp = 0.08043063 -0.16666667 0.3868659 -0.039893087
//! expect out[20..23] ~ 16ulp = 0.2763264 -0.5204999 0.8151024 -0.1403162
//! expect out[24..27] ~ 16ulp = 0.7236736 1.5204998 0.1848976 1.1403162
//! expect out[28..31] ~ 3ulp = 0.28402543 -0.39346933 1.5535895 -0.1175031
//! expect out[32..35] ~ 2ulp = 0.22314355 -0.6931472 0.6613985 -0.13353139
//! kernel positive
//! global 4
//! arg x = float:data:1.5,10,100,2
//! arg out = float:zero:24
//! launch
//! expect out[0..3] ~ 4ulp = 0.9624236 2.993223 5.298292 1.316958
//! expect out[4..7] ~ 3ulp = 0.4054651 2.3025851 4.6051702 0.6931472
//! expect out[8..11] ~ 3ulp = 0.5849625 3.321928 6.643856 1
//! expect out[12..15] ~ 3ulp = 0.17609125 1 2 0.30103
//! expect out[16..19] ~ 3ulp = 1.2247449 3.1622777 1e+01 1.4142135
//! expect out[20..23] ~ 2ulp = 0.8164966 0.31622776 0.1 0.70710677
//! kernel exponents
//! global 4
//! arg x = float:data:0.5,-1.25,3,4.5
//! arg out = float:zero:12
//! launch
//! expect out[0..3] ~ 3ulp = 1.6487212 0.2865048 20.085537 90.01713
//! expect out[4..7] ~ 3ulp = 1.4142135 0.4204482 8 22.627417
//! expect out[8..11] ~ 3ulp = 3.1622777 0.056234132 1e+03 31622.777
//! kernel gammas
//! global 4
//! arg x = float:data:0.5,-1.5,5,3.75
//! arg out = float:zero:12
//! arg signs = int:zero:4
//! launch
//! expect out[0..3] ~ 16ulp = 1.7724539 2.3632717 24 4.4229884
//! expect out[4..7] ~ 8ulp = 0.5723649 0.86004704 3.1780539 1.4868156
//! expect out[8..11] ~ 8ulp = 0.5723649 0.86004704 3.1780539 1.4868156
//! expect signs[0..3] = 1 1 1 1
//! kernel parts
//! global 4
//! arg x = float:data:2.5,-2.5,-0.75,7.25
//! arg out = float:zero:56
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
//! expect out[44..47] = 0.625 -0.625 -0.75 0.90625
//! expect out[48..51] = nan nan nan nan
//! expect out[52..55] = 1 -1 -1 1
//! expect ints[0..3] = 1 1 -1 2
//! expect ints[4..7] = 2 2 0 3
//! kernel pairs
//! global 4
//! arg x = float:data:1.5,-2,10,0.75
//! arg y = float:data:2.5,3,-1.25,4
//! arg z = float:data:0.25,-8,3,-1
//! arg k = int:data:2,3,-2,5
//! arg out = float:zero:96
//! arg quotients = int:zero:4
//! launch
//! expect out[0..3] ~ 6ulp = 0.5404195 -0.5880026 1.6951513 0.18534794
//! expect out[4..7] ~ 6ulp = 0.17202087 -0.18716705 0.53958344 0.058998086
//! expect out[8..11] ~ 4ulp = 2.9154758 3.6055512 10.077822 4.069705
//! expect out[12..15] ~ 16ulp = 2.755676 -8 0.056234132 0.31640625
//! expect out[16..19] ~ 16ulp = 2.755676 8 0.056234132 0.31640625
//! expect out[20..23] ~ 16ulp = 2.25 -8 0.01 0.23730469
//! expect out[24..27] ~ 16ulp = 1.2247449 -1.2599211 0.31622776 0.9440875
//! expect out[28..31] = 1.5 2 -1e+01 0.75
//! expect out[32..35] = 0 0 11.25 0
//! expect out[36..39] = 2.5 3 1e+01 4
//! expect out[40..43] = 1.5 -2 -1.25 0.75
//! expect out[44..47] = 1.5 -2 0 0.75
//! expect out[48..51] = 2.5 3 1e+01 4
//! expect out[52..55] = 1.5 -2 -1.25 0.75
//! expect out[56..59] = 1.5000001 -1.9999999 9.999999 0.75000006
//! expect out[60..63] = -1 1 0 0.75
//! expect out[64..67] = -1 1 0 0.75
//! expect out[68..71] = 4 -14 -9.5 2
//! expect out[72..75] = 4 -14 -9.5 2
//! expect out[76..79] = 6 -16 2.5 24
//! expect out[80..83] = 2.5 3 1e+01 4
//! expect out[84..87] = 1.5 -2 -1.25 0.75
//! expect out[88..91] = 1 1 0 1
//! expect quotients[0..3] = 1 -1 -8 0
//! expect out[92..95] = -1.4901161e-08 -1.4901161e-08 -1.4901161e-08 -1.4901161e-08
//! kernel blends
//! global 4
//! arg x = float:data:-2,0.25,0.5,3
//! arg out = float:zero:12
//! launch
//! expect out[0..3] = -1 0.25 0.5 2
//! expect out[4..7] = 4 6 8 12
//! expect out[8..11] = 0 0.15625 0.5 1
//! kernel relations
//! global 8
//! arg x = float:data:1,-2,0,nan,inf,-inf,1e-45,nan
//! arg y = float:data:2,-2,-0,1,3e38,inf,-0.5,nan
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
#define REAL float
#define CODE 1u
#define STEP 0x1p-13
#include "math_values.cl"
