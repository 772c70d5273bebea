// printf's %s of strings that are chosen at run time: by a condition, from an array, within a string, in a loop, by a
// structure's member, with widths and precisions.
//! options -cl-std=CL2.0
//! global 3
//! local 3
//! expect printf "odd?no mon|     mon|mo |onday|1=one\n"
//! expect printf "0 mon\n"
//! expect printf "1 tue\n"
//! expect printf "2 wed\n"
//! expect printf "3 \n"
//! expect printf "[]\n"
//! expect printf "odd?yes tue|     tue|tu |uesday|2=two\n"
//! expect printf "0 mon\n"
//! expect printf "1 tue\n"
//! expect printf "2 wed\n"
//! expect printf "3 \n"
//! expect printf "[a]\n"
//! expect printf "odd?no wed|     wed|we |ednesday|3=three\n"
//! expect printf "0 mon\n"
//! expect printf "1 tue\n"
//! expect printf "2 wed\n"
//! expect printf "3 \n"
//! expect printf "[ab]\n"
struct Number {
  int value;
  constant char* name;
};
constant struct Number numbers[] = {{1, "one"}, {2, "two"}, {3, "three"}};
constant char* constant days[] = {"mon", "tue", "wed", ""};
constant char* constant long_days[] = {"monday", "tuesday", "wednesday"};
// As long as a precision says: no terminator is looked for.
constant char letters[2] = {'a', 'b'};
kernel void test(void) {
  const int n = get_global_id(0);
  printf("odd?%s %s|%8s|%-3.2s|%s|%d=%s\n", n % 2 ? "yes" : "no", days[n], days[n], days[n], long_days[n] + 1,
         numbers[n].value, numbers[n].name);
  for (int i = 0; i < 4; ++i) printf("%d %s\n", i, days[i]);
  if (n == 0) printf("[%.0s]\n", letters);
  if (n == 1) printf("[%.1s]\n", letters);
  if (n == 2) printf("[%.2s]\n", letters);
}
