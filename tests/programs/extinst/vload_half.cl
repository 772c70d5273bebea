// vload_half and vstore_half: scalar and vector, all roundings, from float and double, aligned vectors of three.
//! global 40
//! arg in = half:range:-4:0.375:160
//! arg values = float:random:3:-1000:1000:40
//! arg loaded = float:zero:40
//! arg vectors = float4:zero:40
//! arg stored = ushort:zero:40:raw
//! arg rte = ushort:zero:40:raw
//! arg rtz = ushort:zero:40:raw
//! arg rtp = ushort:zero:40:raw
//! arg rtn = ushort:zero:40:raw
//! arg quads = ushort:zero:160:raw
//! arg from_double = ushort:zero:40:raw
//! # vary: local
//! expect loaded[0..10] = -3.625 -2.875 -2.125 -1.375 -0.625 0.125 0.875 1.625 2.375 3.125 3.875
//! expect loaded[11..21] = 4.625 5.375 6.125 6.875 7.625 8.375 9.125 9.875 10.625 11.375 12.125
//! expect loaded[22..31] = 12.875 13.625 14.375 15.125 15.875 16.625 17.375 18.125 18.875 19.625
//! expect loaded[32..39] = 20.375 21.125 21.875 22.625 23.375 24.125 24.875 25.625
//! expect vectors[0..1] = (-12,-10.875,-9.75,-10.125) (-7.5,-6.375,-5.25,-6.375)
//! expect vectors[2..4] = (-3,-1.875,-0.75,-2.625) (1.5,2.625,3.75,1.125) (6,7.125,8.25,4.875)
//! expect vectors[5] = (10.5,11.625,12.75,8.625)
//! expect vectors[35..36] = (145.5,146.625,147.75,121.125) (150,151.125,152.25,124.875)
//! expect vectors[37..38] = (154.5,155.625,156.75,128.625) (159,160.125,161.25,132.375)
//! expect vectors[39] = (163.5,164.625,165.75,136.125)
//! expect stored[0..11] = 51131 17410 16517 51269 50604 16755 51020 18374 45496 18373 17392 17469
//! expect stored[12..23] = 46681 49807 17497 17914 50114 51180 50826 16138 18019 18523 17097 50734
//! expect stored[24..35] = 16614 18382 50607 51093 16806 18288 17358 17534 50744 18426 48572 50627
//! expect stored[36..39] = 47168 17097 49374 49462
//! expect rte[0..11] = 51131 17410 16517 51269 50604 16755 51020 18374 45496 18373 17392 17469
//! expect rte[12..23] = 46681 49807 17497 17914 50114 51180 50826 16138 18019 18523 17097 50734
//! expect rte[24..35] = 16614 18382 50607 51093 16806 18288 17358 17534 50744 18426 48572 50627
//! expect rte[36..39] = 47168 17097 49374 49462
//! expect rtz[0..11] = 51131 17409 16516 51269 50603 16754 51020 18374 45496 18373 17391 17468
//! expect rtz[12..23] = 46680 49807 17497 17914 50114 51180 50826 16138 18019 18523 17097 50733
//! expect rtz[24..35] = 16613 18381 50607 51092 16806 18288 17358 17533 50744 18425 48572 50626
//! expect rtz[36..39] = 47168 17096 49373 49462
//! expect rtp[0..11] = 51131 17410 16517 51269 50603 16755 51020 18375 45496 18374 17392 17469
//! expect rtp[12..23] = 46680 49807 17498 17915 50114 51180 50826 16139 18020 18524 17098 50733
//! expect rtp[24..35] = 16614 18382 50607 51092 16807 18289 17359 17534 50744 18426 48572 50626
//! expect rtp[36..39] = 47168 17097 49373 49462
//! expect rtn[0..11] = 51132 17409 16516 51270 50604 16754 51021 18374 45497 18373 17391 17468
//! expect rtn[12..23] = 46681 49808 17497 17914 50115 51181 50827 16138 18019 18523 17097 50734
//! expect rtn[24..35] = 16613 18381 50608 51093 16806 18288 17358 17533 50745 18425 48573 50627
//! expect rtn[36..39] = 47169 17096 49374 49463
//! expect quads[0..12] = 51131 50875 50619 0 17409 18946 50177 0 16517 17029 17474 16384 51269
//! expect quads[13..25] = 52840 18501 0 50604 50348 50008 17408 16754 18454 49522 0 51020 50764
//! expect quads[26..37] = 50508 17920 18374 19924 51142 0 45496 14994 16201 18432 18373 19923
//! expect quads[38..39] = 51141 0
//! expect quads[120..131] = 17358 17639 17895 20352 17533 19132 50301 0 50744 50488 50232 20480
//! expect quads[132..144] = 18425 19963 51193 0 48572 46832 14472 20544 50626 52305 17858 0 47168
//! expect quads[145..156] = 14207 15840 20608 17096 18710 49864 0 49374 48571 46828 20672 49462
//! expect quads[157..159] = 51153 16694 0
//! expect from_double[0..11] = 51131 17410 16517 51269 50603 16755 51020 18375 45496 18374 17392 17469
//! expect from_double[12..23] = 46680 49807 17498 17915 50114 51180 50826 16139 18020 18524 17098 50733
//! expect from_double[24..35] = 16614 18382 50607 51092 16807 18289 17359 17534 50744 18426 48572 50626
//! expect from_double[36..39] = 47168 17097 49373 49462
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void test(global const half* in, global const float* values, global float* loaded, global float4* vectors,
                 global half* stored, global half* rte, global half* rtz, global half* rtp, global half* rtn,
                 global half* quads, global half* from_double) {
  int n = get_global_id(0);
  float v = values[n] * 0.01f;
  loaded[n] = vload_half(n * 2, in + 1);
  float4 q = vload_half4(n, in);
  float3 a = vloada_half3(n, in);
  float3 t = vload_half3(n, in + 1);
  vectors[n] = q + (float4)(a, t.x) * 2.0f;
  vstore_half(v, n, stored);
  vstore_half_rte(v, n, rte);
  vstore_half_rtz(v, n, rtz);
  vstore_half_rtp(v, n, rtp);
  vstore_half_rtn(v, n, rtn);
  if (n & 1) vstorea_half3_rtz((float3)(v, v * 3, -v), n, quads);
  else vstore_half4((float4)(v, v + 1, v + 2, n), n, quads);
  vstore_half_rtp((double)v + 1e-9, n, from_double);
}
