// Strings of printf that are none: null, without a terminator, beyond their array, in memory that can be written. They
// are findings, and nothing beyond an object is read.
//! global 1
//! arg text = char:data:104,105,0,120
//! arg open = char:data:104,105
//! arg nothing = null
//! arg picks = int:data:1,0,5
//! expect fault TSP-R0001 line 31
//! expect fault TSP-R0020 line 32
//! expect fault TSP-R0020 line 33
//! expect fault TSP-R0068 line 34
//! expect fault TSP-R0020 line 35
//! expect fault TSP-R0068 line 35
//! expect fault TSP-R0068 line 37
//! expect fault TSP-R0068 line 39
//! expect printf "null (null)\n"
//! expect printf "open abc\n"
//! expect printf "beyond \n"
//! expect printf "buffer hi\n"
//! expect printf "buffer's end hi\n"
//! expect printf "private pq\n"
//! expect printf "local lm\n"
constant char open_text[3] = {'a', 'b', 'c'};
constant char closed_text[3] = {'a', 'b', 0};
kernel void test(constant char* text, constant char* open, constant char* nothing, constant int* picks) {
  local char shared[4];
  char own[4] = {'p', 'q', 0, 0};
  own[picks[1]] = 'p';
  shared[0] = 'l', shared[1] = 'm', shared[2] = 0;
  // Each of these lines is one of the findings above.
  printf("null %s\n", nothing);
  printf("open %s\n", open_text);
  printf("beyond %s\n", closed_text + picks[2]);
  printf("buffer %s\n", text);
  printf("buffer's end %s\n", open);

  printf("private %s\n", own);

  printf("local %s\n", shared);
}
