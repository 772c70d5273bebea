// Without line information, every failure is CLK_ENQUEUE_FAILURE.
//! kernel test
//! global 1
//! options -cl-std=CL2.0 -g0
//! arg rc = int:fill:7:10
//! arg ran = int:zero:1
//! expect rc = -101 -101 -101 -101 -101 -101 -101 -101 -101 0
//! expect ran = 0
//! expect no faults
#include "errors.cl"
