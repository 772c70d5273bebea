// User events, without clang's optimiser and with debug information.
//! kernel test
//! global 1
//! options -cl-std=CL2.0 -O0 -g
//! arg out = int:zero:6
//! arg valid = int:zero:8
//! expect out = 0 0 0 1 2 3
//! expect valid = 0 1 1 1 1 0 0 1
//! expect no faults
#include "user_events.cl"
