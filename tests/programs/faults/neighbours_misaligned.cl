// Neighbours of which the first must be aligned to 8, 12 bytes a work-item: every other first one is
// misaligned, which is found, and read all the same.
//! kernel test
//! global 66
//! arg from = int:range:0:1:198
//! arg pairs = int:zero:66
//! arg ones = int:zero:66
//! expect fault TSP-R0023 on from at 1 line 24
//! expect pairs[0..11] = 1000 4003 7006 10009 13012 16015 19018 22021 25024 28027 31030 34033
//! expect pairs[12..22] = 37036 40039 43042 46045 49048 52051 55054 58057 61060 64063 67066
//! expect pairs[23..33] = 70069 73072 76075 79078 82081 85084 88087 91090 94093 97096 100099
//! expect pairs[34..43] = 103102 106105 109108 112111 115114 118117 121120 124123 127126 130129
//! expect pairs[44..53] = 133132 136135 139138 142141 145144 148147 151150 154153 157156 160159
//! expect pairs[54..63] = 163162 166165 169168 172171 175174 178177 181180 184183 187186 190189
//! expect pairs[64..65] = 193192 196195
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
