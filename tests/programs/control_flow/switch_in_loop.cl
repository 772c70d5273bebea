// A small stack machine: a switch inside a loop, each lane at another place of another program.
//! global 96  # vary: local
//! arg programs = uchar:data:1,5,1,7,3,4,0,0,0,0,0,0,1,2,2,3,2,3,2,3,4,0,0,0,1,9,5,2,3,6,255,4,0,0,0,0
//! arg out = uint:zero:96
//! expect out[0..23] = 5012 9016 42192 5012 9024 43216 5014 9024 44240 5016 9032 44240 5018 9040 7022 5018 9048 46288 5020 9048 47312 5022 9056 47312
//! expect out[24..47] = 5024 9064 48336 5024 9072 7030 5026 9072 50384 5028 9080 50384 5030 9088 51408 5030 9096 52432 5032 9096 7038 5034 9104 7038
//! expect out[48..70] = 5036 9112 54480 5036 9120 55504 5038 9120 56528 5040 9128 56528 5042 9136 7046 5042 9144 58576 5044 9144 59600 5046 9152
//! expect out[71..94] = 59600 5048 9160 60624 5048 9168 7054 5050 9168 62672 5052 9176 62672 5054 9184 63696 5054 9192 64720 5056 9192 7062 5058 9200
//! expect out[95] = 7062
kernel void run(global const uchar* programs, global uint* out) {
  uint n = get_global_id(0);
  global const uchar* code = programs + n % 3 * 12;
  uint stack[8];
  uint top = 0, pc = 0, steps = 0;
  uint result = 0;
  while (steps++ < 40) {
    switch (code[pc++]) {
      case 0: goto end;
      case 1: stack[top++ & 7] = code[pc++] + n / 4; break;
      case 2: stack[top & 7] = stack[(top - 1) & 7]; top++; break;
      case 3: top--; stack[(top - 1) & 7] += stack[top & 7]; break;
      case 4: result = stack[(top - 1) & 7]; break;
      case 5: stack[(top - 1) & 7] -= 1; break;
      case 6:
        if (stack[(top - 1) & 7] % 8 < 5 && steps < 30) pc -= 4;
        pc++;
        break;
      default: result = 99;
    }
  }
end:
  out[n] = result + steps * 1000;
}
