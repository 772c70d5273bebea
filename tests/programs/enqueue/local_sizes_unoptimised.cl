// Local memory of what is enqueued, without clang's optimiser and with debug information.
//! kernel test
//! global 1
//! options -cl-std=CL2.0 -O0 -g
//! arg out = int:zero:96
//! arg n = 32
//! arg rc = int:fill:7:3
//! expect out[0..31] = fill:1
//! expect out[32..63] = range:31:-1:32
//! expect out[64..95] = range:0:101:32
//! expect rc = 0 0 0
//! expect no faults
#include "local_sizes.cl"
