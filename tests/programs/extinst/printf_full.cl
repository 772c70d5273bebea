// printf gives 0, or -1 once its buffer is full. Every call takes its text and 32 bytes; what is dropped comes last.
//! global 8
//! local 8
//! max-printf 115
//! threads 1
//! arg out = int:zero:16
//! expect printf "0 \n1 \n2 \n"
//! expect out = 0 0 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
//! expect fault TSP-L0005
kernel void test(global int *out) {
  int n = get_global_id(0);
  out[n] = printf("%d \n", n);
  out[n + 8] = printf("again\n");
}
