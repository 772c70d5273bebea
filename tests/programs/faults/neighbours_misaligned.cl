// Neighbours of which the first must be aligned to 8, 12 bytes a work-item: every other first one is
// misaligned and reads as zero, the others do not.
//! kernel test
//! global 66
//! arg from = int:range:0:1:198
//! arg pairs = int:zero:66
//! arg ones = int:zero:66
//! expect fault TSP-R0023 on from at 1
//! expect pairs[0..11] = 1000 4000 7006 10000 13012 16000 19018 22000 25024 28000 31030 34000
//! expect pairs[12..22] = 37036 40000 43042 46000 49048 52000 55054 58000 61060 64000 67066
//! expect pairs[23..33] = 70000 73072 76000 79078 82000 85084 88000 91090 94000 97096 100000
//! expect pairs[34..43] = 103102 106000 109108 112000 115114 118000 121120 124000 127126 130000
//! expect pairs[44..53] = 133132 136000 139138 142000 145144 148000 151150 154000 157156 160000
//! expect pairs[54..63] = 163162 166000 169168 172000 175174 178000 181180 184000 187186 190000
//! expect pairs[64..65] = 193192 196000
//! expect ones[0..23] = 2 5 8 11 14 17 20 23 26 29 32 35 38 41 44 47 50 53 56 59 62 65 68 71
//! expect ones[24..42] = 74 77 80 83 86 89 92 95 98 101 104 107 110 113 116 119 122 125 128
//! expect ones[43..59] = 131 134 137 140 143 146 149 152 155 158 161 164 167 170 173 176 179
//! expect ones[60..65] = 182 185 188 191 194 197
typedef int wide __attribute__((aligned(8)));
kernel void test(global const int* from, global int* pairs, global int* ones) {
  global const char* words = (global const char*)from;
  size_t n = get_global_id(0);
  int first = *(global const wide*)(words + 12 * n);
  int second = *(global const int*)(words + 12 * n + 4);
  int one = *(global const int*)(words + 12 * n + 8);
  pairs[n] = first + 1000 * second;
  ones[n] = one;
}
