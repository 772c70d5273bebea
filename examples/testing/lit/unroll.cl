// The optimiser unrolls the loop: FileCheck looks at the code, the runs at what it means.
//
// REQUIRES: filecheck
// RUN: %compile -O0 %s -o %t.O0.spv
// RUN: %transpire dis %t.O0.spv | FileCheck %s --check-prefix=LOOP
// RUN: %transpire run %t.O0.spv -g 2 -a in=int:range:1:1:8 -a out=int:uninit:2 --expect "out = 10 26"
//
// RUN: %compile -O2 %s -o %t.O2.spv
// RUN: %transpire dis %t.O2.spv | FileCheck %s --check-prefix=FLAT
// RUN: %transpire run %t.O2.spv -g 2 -a in=int:range:1:1:8 -a out=int:uninit:2 --expect "out = 10 26"

// LOOP: OpEntryPoint Kernel
// LOOP: OpBranchConditional

// FLAT: OpEntryPoint Kernel
// FLAT-NOT: OpBranchConditional
// FLAT: OpReturn

kernel void sum4(global const int* in, global int* out) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < 4; ++k) sum += in[4 * i + k];
  out[i] = sum;
}
