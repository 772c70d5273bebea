// A stack machine per work-item: a switch inside a loop, with a private operand stack. The
// work-item picks its program by its index, so neighbours run different code.
enum {
  HALT,
  PUSH,
  INPUT,
  DUPLICATE,
  SWAP,
  ADD,
  SUBTRACT,
  MULTIPLY,
  XOR,
  SHIFT_RIGHT,
  JUMP_IF,
  LOOP
};

#define STACK 8

__kernel void bytecode(__global const int* code, __global const uint* program_starts,
                       uint program_count, __global const int* inputs, __global int* results,
                       uint n) {
  size_t gid = get_global_id(0);
  if (gid >= n) return;
  int stack[STACK];
  stack[0] = 0;
  uint pc = program_starts[gid % program_count];
  uint top = 0;
  int counter = 16 + (int)(gid & 15);
  bool running = true;
  while (running) {
    int op = code[pc];
    int operand = code[pc + 1];
    pc += 2;
    switch (op) {
      case PUSH:
        stack[++top] = operand;
        break;
      case INPUT:
        stack[++top] = inputs[gid] + counter;
        break;
      case DUPLICATE:
        stack[top + 1] = stack[top];
        ++top;
        break;
      case SWAP: {
        int upper = stack[top];
        stack[top] = stack[top - 1];
        stack[top - 1] = upper;
        break;
      }
      case ADD:
        --top;
        stack[top] = (int)((uint)stack[top] + (uint)stack[top + 1]);
        break;
      case SUBTRACT:
        --top;
        stack[top] = (int)((uint)stack[top] - (uint)stack[top + 1]);
        break;
      case MULTIPLY:
        --top;
        stack[top] = (int)((uint)stack[top] * (uint)stack[top + 1]);
        break;
      case XOR:
        --top;
        stack[top] ^= stack[top + 1];
        break;
      case SHIFT_RIGHT:
        stack[top] = (int)((uint)stack[top] >> (operand & 31));
        break;
      case JUMP_IF:
        if (stack[top--] & 1) pc = (uint)((int)pc + operand * 2);
        break;
      case LOOP:
        if (--counter > 0) pc = (uint)((int)pc + operand * 2);
        break;
      default:
        running = false;
        break;
    }
  }
  results[gid] = stack[top];
}
