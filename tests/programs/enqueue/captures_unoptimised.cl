// What blocks capture, as clang has it without its optimiser and with debug information.
//! kernel test
//! global 1
//! options -cl-std=CL2.0 -O0 -g
//! arg out = int:zero:16
//! arg table = int:data:100,200,300
//! arg big = 1234567890123
//! arg s = short:-7
//! expect out = 1203 -7 10 26 42 5 -3 200 300 77 22 9 11 12 13 14
//! expect counter = 1
//! expect no faults
#include "captures.cl"
