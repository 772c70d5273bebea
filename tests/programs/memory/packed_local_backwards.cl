// Local memory of groups that share a batch, by the global id, forwards and backwards.
//! global 96
//! arg tile = local:388
//! arg out = int:zero:96
//! local 8
//! launch
//! local 6
//! launch
//! local 2
//! launch
//! local 16
//! launch
//! local 32
//! launch
//! local 3
//! launch
//! expect out[0..27] = 573 537 537 555 555 519 681 645 789 807 807 771 933 897 897 915 1347 1311 1473 1437 1437 1455 1455 1419 1725 1689 1689 1707
//! expect out[28..52] = 1707 1671 1833 1797 2805 2823 2823 2787 2949 2913 2913 2931 3075 3039 3201 3165 3165 3183 3183 3147 3741 3705 3705 3723 3723
//! expect out[53..77] = 3687 3849 3813 3957 3975 3975 3939 4101 4065 4065 4083 5091 5055 5217 5181 5181 5199 5199 5163 5469 5433 5433 5451 5451 5415
//! expect out[78..95] = 5577 5541 5973 5991 5991 5955 6117 6081 6081 6099 6243 6207 6369 6333 6333 6351 6351 6315
kernel void test(local int* tile, global int* out) {
  int g = get_global_id(0), l = get_local_id(0), size = get_local_size(0), all = get_global_size(0);
  int mate = g - l + size - 1 - l;  // of the same group
  tile[all - g] = g * 3 + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  int a = tile[all - mate], b = tile[all - g];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[g] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] += a * 2 + b + (g * 3 + 1 == b ? tile[g] : 0);
}
