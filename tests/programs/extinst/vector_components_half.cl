// Every function of half on vectors of 2, 3, 4, 8 and 16 gives the bits that it gives on scalars.
//! kernel first
//! global 80
//! local 16
//! arg in = half:data:0,-0.0,1,-1,0.5,-0.5,1.5,-2.5,3,7,-4,10,-20,88,127,1000,65504,-65504,0.00006103515625,-0.00006103515625,0.00000005960464477539063,-0.00000005960464477539063,0.0003,0.999,1.001,0.75,-0.999,2,-3,0.3333,100.5,inf,-inf,nan,3.140625,-1.5703125,12.5
//! arg bad = uint:zero:49
//! launch
//! expect bad = fill:0
//! kernel second
//! global 320
//! local 16
//! arg in = half:data:0,-0.0,1,-1,0.5,-0.5,1.5,-2.5,3,7,-4,10,-20,88,127,1000,65504,-65504,0.00006103515625,-0.00006103515625,0.00000005960464477539063,-0.00000005960464477539063,0.0003,0.999,1.001,0.75,-0.999,2,-3,0.3333,100.5,inf,-inf,nan,3.140625,-1.5703125,12.5
//! arg bad = uint:zero:43
//! expect bad = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define REAL half
#define BITS as_short
#define WHOLE short
#define UWHOLE ushort
#define TESTED short
#define COUNT_OF_INPUTS 37
#include "vector_components.cl"
