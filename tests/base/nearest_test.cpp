// Suggestions for misspelled words: the near one is found, and a wrong one is not suggested for want of another.
#include "base/nearest.h"

#include <doctest/doctest.h>

namespace transpire::test {

TEST_CASE("a word with few wrong letters is near") {
  CHECK(nearest("flaot", {"half", "float", "double"}) == "float");
  CHECK(nearest("agr", {"arg", "print"}) == "arg");  // a swap is one edit
  CHECK(nearest("FLOAT", {"float"}) == "float");
  CHECK(nearest("--kernl", {"--kernel", "--global"}) == "--kernel");
  CHECK(nearest("--output", {"--out", "--arg"}) == "--out");
  CHECK(nearest("--max-stps", {"--max-memory", "--max-steps"}) == "--max-steps");
  CHECK(nearest("TSP-R0221", {"TSP-R0021"}) == "TSP-R0021");
  CHECK(nearest("saxpi.cl", {"saxpy.cl", "sum.cl"}) == "saxpy.cl");
  CHECK(nearest("k.cll", {"k.cl"}) == "k.cl");
  CHECK(nearest(".pgn", {".png", ".pgm"}) == ".png");
}

TEST_CASE("shared hyphens and extensions make no word near") {
  CHECK(nearest("--mode", {"--out", "--arg"}) == "");
  CHECK(nearest("--tree", {"--arg"}) == "");
  CHECK(nearest("TSP-R0999", {"TSP-D0023"}) == "");
  CHECK(nearest("f.cl", {"k.cl"}) == "");
  CHECK(nearest("ab.cl", {"k.cl"}) == "");
  CHECK(nearest("x", {"y"}) == "");
  CHECK(nearest("", {"y", ""}) == "");
}

}  // namespace transpire::test
