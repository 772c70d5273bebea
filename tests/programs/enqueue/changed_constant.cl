// Constant memory that an enqueued kernel may write, by a pointer to global memory that it captured: the launch says so
// beforehand, and what it then loads is what is there.
//! global 1
//! options -cl-std=CL2.0
//! buffer both = int:data:5
//! arg constant_ = buffer both
//! arg global_ = buffer both
//! arg out = int:zero:2
//! expect both = 6
//! expect out = 5 6
//! expect fault TSP-R0029
kernel void test(constant int* constant_, global int* global_, global int* out) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    out[0] = *constant_;
    *global_ += 1;
    out[1] = *constant_;
  });
}
