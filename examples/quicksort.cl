// Quicksort that enqueues itself: a work-group puts what is smaller than the pivot before it and what is larger behind it, and enqueues
// a work-group for each side.
#define ITEMS 64
#define FEW 32

void sort(global uint* values, global uint* spare, uint begin, uint count);

void sort_few(global uint* values, uint count) {
  for (uint i = 1; i < count; ++i) {
    const uint value = values[i];
    uint place = i;
    for (; place > 0 && values[place - 1] > value; --place) values[place] = values[place - 1];
    values[place] = value;
  }
}

uint median(uint a, uint b, uint c) { return max(min(a, b), min(max(a, b), c)); }

// By all work-items of a group, each with its piece of the range.
void partition(global uint* values, global uint* spare, uint begin, uint count) {
  const uint i = get_local_id(0);
  const uint piece = (count + ITEMS - 1) / ITEMS;
  const uint first = begin + min(i * piece, count), last = begin + min((i + 1) * piece, count);
  const uint pivot = median(values[begin], values[begin + count / 2], values[begin + count - 1]);
  uint smaller = 0, equal = 0;
  for (uint k = first; k < last; ++k) {
    smaller += values[k] < pivot;
    equal += values[k] == pivot;
  }
  const uint all_smaller = work_group_reduce_add(smaller), all_equal = work_group_reduce_add(equal);
  const uint smaller_before = work_group_scan_exclusive_add(smaller);
  const uint equal_before = work_group_scan_exclusive_add(equal);
  uint to_smaller = begin + smaller_before;
  uint to_equal = begin + all_smaller + equal_before;
  uint to_larger = all_smaller + all_equal + first - smaller_before - equal_before;
  for (uint k = first; k < last; ++k) {
    const uint value = values[k];
    spare[value < pivot ? to_smaller++ : value == pivot ? to_equal++ : to_larger++] = value;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint k = first; k < last; ++k) values[k] = spare[k];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 0) sort(values, spare, begin, all_smaller);
  if (i == 1) sort(values, spare, begin + all_smaller + all_equal, count - all_smaller - all_equal);
}

void sort(global uint* values, global uint* spare, uint begin, uint count) {
  if (count <= FEW) return sort_few(values + begin, count);
  // What the work-group has done is there when its children run.
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(ITEMS, ITEMS),
                 ^{ partition(values, spare, begin, count); });
}

kernel void quicksort(global uint* values, global uint* spare, uint count) { sort(values, spare, 0, count); }

// Every number once, for an odd factor, and far from in order.
kernel void shuffle_numbers(global uint* values, uint factor) {
  const uint i = get_global_id(0);
  values[i] = i * factor % (uint)get_global_size(0);
}
