// Which words are options: those of OpenCL, those that mean nothing to clang, and whose words belong together.
#include "compiler/build_options.h"

#include <doctest/doctest.h>

namespace transpire::test {

using namespace compiler;

TEST_CASE("options of OpenCL's own without a value") {
  for (const char* word : {"-w", "-Werror", "-g", "-cl-mad-enable", "-cl-strict-aliasing"})
    CHECK(is_opencl_flag(word));
  for (const char* word : {"-Wall", "-g3", "-O2", "-DN", "-cl-std=CL2.0", "-o", "", "-cl-mad"})
    CHECK_FALSE(is_opencl_flag(word));
}

TEST_CASE("what means nothing to clang is not handed on") {
  const std::vector<std::string> words{"-cl-strict-aliasing", "-O2", "-cl-no-subgroup-ifp", "-w"};
  CHECK(handed_to_clang(words) == std::vector<std::string>{"-O2", "-w"});
}

TEST_CASE("a value is no option, whatever it looks like") {
  CHECK(check_build_options({"-D", "-MD", "-I", "@folder", "-include", "-o"}).empty());
  const Diagnostics errors = check_build_options({"-D", "N", "-MD"});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].rule == "TSP-C0037");
  CHECK(errors[0].message.starts_with("the build option '-MD' is refused: "));
}

TEST_CASE("the longest name decides") {
  CHECK(check_build_options({"-Wp"}).empty());
  CHECK(check_build_options({"-Wp,-MD,x"}).size() == 1);
  CHECK(check_build_options({"-gdwarf-4", "-g1"}).empty());
  CHECK(check_build_options({"-gsplit-dwarf"}).size() == 1);
}

TEST_CASE("words of any length and content are refused, too") {
  CHECK(check_build_options({std::string(100000, '-')}).size() == 1);
  CHECK(check_build_options({"", std::string(1, '\0'), "\n"}).size() == 3);
}

}  // namespace transpire::test
