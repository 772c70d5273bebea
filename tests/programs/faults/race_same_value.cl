// All work-items store the same value: a race by the letter, found where it is asked for.
//! global 100
//! local 50
//! check race:same-value
//! arg flag = uint:zero:1
//! expect fault TSP-R0100 on flag at 1 line 7
kernel void test(global uint* flag) { flag[0] = 1; }
