// Sorts by partitioning: a kernel that enqueues itself for each of two halves, and sorts what is short where it is.

int partition(global int* numbers, int first, int last) {
  const int pivot = numbers[(first + last) / 2];
  int low = first, high = last - 1;
  while (true) {
    while (numbers[low] < pivot) ++low;
    while (numbers[high] > pivot) --high;
    if (low >= high) return high + 1;
    const int other = numbers[low];
    numbers[low++] = numbers[high];
    numbers[high--] = other;
  }
}

void insert_all(global int* numbers, int first, int last) {
  for (int i = first + 1; i < last; ++i) {
    const int number = numbers[i];
    int to = i;
    for (; to > first && numbers[to - 1] > number; --to) numbers[to] = numbers[to - 1];
    numbers[to] = number;
  }
}

// From `first` to in front of `last`. `done` hears of each range that is sorted.
kernel void sort(queue_t queue, global int* numbers, int first, int last, global int* done) {
  if (last - first <= 16) {
    insert_all(numbers, first, last);
    atomic_inc(done);
    return;
  }
  const int middle = partition(numbers, first, last);
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                 ^{ sort(get_default_queue(), numbers, first, middle, done); });
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                 ^{ sort(get_default_queue(), numbers, middle, last, done); });
}
