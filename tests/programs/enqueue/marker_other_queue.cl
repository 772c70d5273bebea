// A marker that a kernel on the marker's queue enqueues does not wait for that kernel, which is complete only when the marker is, but for
// what else comes of it, on other queues as well. Another marker waits for that kernel, too, whatever marker was between.
//! buffer out = int:zero:6
//! options -cl-std=CL2.0
//! check race
//! queue usual
//! queue other
//! default-queue usual
//! kernel child
//! global 1
//! arg other = queue other
//! arg out = buffer out
//! launch
//! kernel grandchild
//! global 1
//! arg other = queue other
//! arg out = buffer out
//! launch
//! kernel beside
//! global 1
//! arg other = queue other
//! arg out = buffer out
//! launch
//! expect out = 2 2 5 5 7 7
//! expect no faults
#define ONE CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1)
// It runs behind four that do nothing, each of which waits for the one before.
#define LATE(...)                                                    \
  do {                                                               \
    clk_event_t a, b, c, d;                                          \
    enqueue_kernel(other, ONE, 0, NULL, &a, ^{});                    \
    enqueue_kernel(other, ONE, 1, &a, &b, ^{});                      \
    enqueue_kernel(other, ONE, 1, &b, &c, ^{});                      \
    enqueue_kernel(other, ONE, 1, &c, &d, ^{});                      \
    enqueue_kernel(other, ONE, 1, &d, NULL, ^{ __VA_ARGS__; });      \
    release_event(a), release_event(b), release_event(c), release_event(d); \
  } while (0)
#define BEHIND_MARKER(...)                             \
  do {                                                 \
    clk_event_t marker;                                \
    enqueue_marker(usual, 0, NULL, &marker);           \
    enqueue_kernel(usual, ONE, 1, &marker, NULL, ^{ __VA_ARGS__; }); \
    release_event(marker);                             \
  } while (0)
kernel void child(queue_t other, global int* out) {
  const queue_t usual = get_default_queue();
  enqueue_kernel(usual, ONE, ^{
    LATE(out[0] = 2);
    BEHIND_MARKER(out[1] = out[0]);
  });
}
// The marker's parent is on the other queue, with what it waits for, and comes of one on its own.
kernel void grandchild(queue_t other, global int* out) {
  const queue_t usual = get_default_queue();
  enqueue_kernel(usual, ONE, ^{
    enqueue_kernel(other, ONE, ^{
      LATE(out[2] = 5);
      BEHIND_MARKER(out[3] = out[2]);
    });
  });
}
// The first kernel enqueues a marker and something behind it; the second marker waits for all of that.
kernel void beside(queue_t other, global int* out) {
  const queue_t usual = get_default_queue();
  enqueue_kernel(usual, ONE, ^{
    clk_event_t unused;
    enqueue_marker(usual, 0, NULL, &unused);
    release_event(unused);
    LATE(out[4] = 7);
  });
  enqueue_kernel(other, ONE, ^{
    enqueue_kernel(usual, ONE, ^{ BEHIND_MARKER(out[5] = out[4]); });
  });
}
