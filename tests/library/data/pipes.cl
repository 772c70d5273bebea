// Needs -cl-std=CL2.0.
kernel void twice(read_only pipe int2 from, write_only pipe int2 to) {
  int2 packet;
  if (read_pipe(from, &packet) != 0) return;
  packet *= 2;
  write_pipe(to, &packet);
}
