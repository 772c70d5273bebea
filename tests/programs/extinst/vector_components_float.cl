// Every function of float on vectors of 2, 3, 4, 8 and 16 gives the bits that it gives on scalars.
//! kernel first
//! global 80
//! local 16
//! arg in = float:data:0,-0.0,1,-1,0.5,-0.5,1.5,-2.5,3,7,-4,10,-20,88,127,1000,3.4028235e38,-3.4028235e38,1.17549435e-38,-1.17549435e-38,1e-45,-1e-45,1e-40,0.9999999,1.0000001,0.75,-0.9999999,16777217,-8388607.5,0.33333334,1e10,inf,-inf,nan,3.1415927,-1.5707964,1e-20
//! arg bad = uint:zero:49
//! launch
//! expect bad = fill:0
//! kernel second
//! global 320
//! local 16
//! arg in = float:data:0,-0.0,1,-1,0.5,-0.5,1.5,-2.5,3,7,-4,10,-20,88,127,1000,3.4028235e38,-3.4028235e38,1.17549435e-38,-1.17549435e-38,1e-45,-1e-45,1e-40,0.9999999,1.0000001,0.75,-0.9999999,16777217,-8388607.5,0.33333334,1e10,inf,-inf,nan,3.1415927,-1.5707964,1e-20
//! arg bad = uint:zero:43
//! launch
//! expect bad = fill:0
//! kernel third
//! global 320
//! local 16
//! arg in = float:data:0,-0.0,1,-1,0.5,-0.5,1.5,-2.5,3,7,-4,10,-20,88,127,1000,3.4028235e38,-3.4028235e38,1.17549435e-38,-1.17549435e-38,1e-45,-1e-45,1e-40,0.9999999,1.0000001,0.75,-0.9999999,16777217,-8388607.5,0.33333334,1e10,inf,-inf,nan,3.1415927,-1.5707964,1e-20
//! arg bad = uint:zero:28
//! launch
//! expect bad = fill:0
#define HAS_SHORT_FORMS
#define REAL float
#define BITS as_int
#define WHOLE int
#define UWHOLE uint
#define TESTED int
#define COUNT_OF_INPUTS 37
#include "vector_components.cl"
