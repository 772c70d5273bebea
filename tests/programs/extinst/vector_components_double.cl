// Every function of double on vectors of 2, 3, 4, 8 and 16 gives the bits that it gives on scalars.
//! kernel first
//! global 80
//! local 16
//! arg in = double:data:0,-0.0,1,-1,0.5,-0.5,1.5,-2.5,3,7,-4,10,-20,88,127,1000,1.7976931348623157e308,-1.7976931348623157e308,2.2250738585072014e-308,-2.2250738585072014e-308,5e-324,-5e-324,1e-310,0.9999999999999999,1.0000000000000002,0.75,-0.9999999999999999,9007199254740993,-4503599627370495.5,0.3333333333333333,1e100,inf,-inf,nan,3.141592653589793,-1.5707963267948966,1e-200
//! arg bad = uint:zero:49
//! launch
//! expect bad = fill:0
//! kernel second
//! global 320
//! local 16
//! arg in = double:data:0,-0.0,1,-1,0.5,-0.5,1.5,-2.5,3,7,-4,10,-20,88,127,1000,1.7976931348623157e308,-1.7976931348623157e308,2.2250738585072014e-308,-2.2250738585072014e-308,5e-324,-5e-324,1e-310,0.9999999999999999,1.0000000000000002,0.75,-0.9999999999999999,9007199254740993,-4503599627370495.5,0.3333333333333333,1e100,inf,-inf,nan,3.141592653589793,-1.5707963267948966,1e-200
//! arg bad = uint:zero:43
//! expect bad = fill:0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define BITS as_long
#define WHOLE long
#define UWHOLE ulong
#define TESTED long
#define COUNT_OF_INPUTS 37
#include "vector_components.cl"
