// Functions that clang 15 lacks, or llvm-spirv leaves as calls: they are there for every source that names them.
//! global 8
//! local 8
//! options -cl-std=CL2.0
//! arg out = int:zero:8
//! expect out = 40320 -20 3 5 1 16 1 7
kernel void test(global int* out) {
  const int i = get_global_id(0);
  const int product = work_group_reduce_mul(i + 1);
  const int turned = intel_sub_group_shuffle(i, 7 - get_sub_group_local_id());
  const char16 bytes = intel_sub_group_shuffle((char16)(i * 2), 7u);
  const int all = work_group_scan_exclusive_and(3);
  const ulong before = clock_read_device();
#if defined(cl_intel_subgroups_long) && defined(cl_khr_work_group_uniform_arithmetic)
  const int extensions = 1;
#else
  const int extensions = 0;
#endif
  switch (i) {
    case 0: out[0] = product; break;
    case 1: out[1] = dot_4x8packed_ss_int(0x00FF0102u, 0x00140000u); break;
    case 2: out[2] = all; break;
    case 3: out[3] = dot_acc_sat_4x8packed_uu_uint(0x00000102u, 0x00000101u, 2); break;
    case 4: out[4] = before <= clock_read_device(); break;
    case 5: out[5] = turned + bytes.s3; break;
    case 6: out[6] = extensions; break;
    case 7: out[7] = turned + 7; break;
  }
}
