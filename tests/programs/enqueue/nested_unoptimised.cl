// Blocks within blocks, without clang's optimiser and with debug information.
//! kernel test
//! global 1
//! options -cl-std=CL2.0 -O0 -g
//! arg out = int:zero:20
//! expect out[0..3] = 1 2 3 0
//! expect out[4..9] = 55 5 4 3 2 1
//! expect out[10..14] = 2 8 16 6 6
//! expect out[15..19] = 3 1 5 2 5
//! expect no faults
#include "nested.cl"
