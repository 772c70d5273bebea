// bytecode.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Code { int code[]; };
layout(std430, binding = 1) readonly buffer ProgramStarts { uint program_starts[]; };
layout(std430, binding = 2) readonly buffer Inputs { int inputs[]; };
layout(std430, binding = 3) writeonly buffer Results { int results[]; };
layout(push_constant) uniform Values { uint program_count; uint n; };
const int PUSH = 1, INPUT = 2, DUPLICATE = 3, SWAP = 4, ADD = 5, SUBTRACT = 6, MULTIPLY = 7,
          XOR = 8, SHIFT_RIGHT = 9, JUMP_IF = 10, LOOP = 11;
#define STACK 8

void main() {
  uint gid = gl_GlobalInvocationID.x;
  if (gid >= n) return;
  int stack[STACK];
  stack[0] = 0;
  uint pc = program_starts[gid % program_count];
  uint top = 0;
  int counter = 16 + int(gid & 15);
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
        stack[top] = stack[top] + stack[top + 1];
        break;
      case SUBTRACT:
        --top;
        stack[top] = stack[top] - stack[top + 1];
        break;
      case MULTIPLY:
        --top;
        stack[top] = stack[top] * stack[top + 1];
        break;
      case XOR:
        --top;
        stack[top] ^= stack[top + 1];
        break;
      case SHIFT_RIGHT:
        stack[top] = int(uint(stack[top]) >> (operand & 31));
        break;
      case JUMP_IF:
        if ((stack[top--] & 1) != 0) pc = uint(int(pc) + operand * 2);
        break;
      case LOOP:
        if (--counter > 0) pc = uint(int(pc) + operand * 2);
        break;
      default:
        running = false;
        break;
    }
  }
  results[gid] = stack[top];
}
