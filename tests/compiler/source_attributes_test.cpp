#include "compiler/source_attributes.h"

#include <doctest/doctest.h>

namespace transpire::test {
using compiler::source_attributes;

TEST_CASE("a kernel's attributes are the words of its declarations") {
  CHECK(source_attributes(
            "__kernel __attribute__((vec_type_hint(uint4), reqd_work_group_size(8, 2, 1)))\n"
            "void f(global int* x) {}",
            "f") == "vec_type_hint(uint4) reqd_work_group_size(8,2,1)");
  CHECK(source_attributes("kernel void f() {} kernel __attribute__((a)) __attribute((b)) void g();",
                          "g") == "a b");
  CHECK(source_attributes("kernel void f();", "f").empty());
  CHECK(source_attributes("__attribute__((a)) void f() {}", "f").empty());
  CHECK(source_attributes("kernel __attribute__((a)) void f();", "g").empty());
}

TEST_CASE("comments, strings and preprocessor lines declare nothing") {
  CHECK(source_attributes("// kernel __attribute__((a)) void f();\n"
                          "/* kernel __attribute__((b)) void f(); */\n"
                          "#define K kernel __attribute__((c)) \\\n void f(\n"
                          "constant char s[] = \"kernel void f(\\\"\";\n"
                          "kernel /* { */ __attribute__((d)) void f();",
                          "f") == "d");
  for (const char* text : {"kernel __attribute__((", "/*", "\"", "kernel void f", "#"})
    CHECK_MESSAGE(source_attributes(text, "f").empty(), text);
}

}  // namespace transpire::test
