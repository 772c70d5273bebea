// The table of OpenCL.std functions.
#include "extinst/table.h"

#include <doctest/doctest.h>

namespace transpire::test {

using namespace extinst;

TEST_CASE("the OpenCL.std functions are found by number and by name") {
  CHECK(opencl_std().size() == 162);
  const Function* cos = find_opencl_std(14);
  REQUIRE(cos != nullptr);
  CHECK(cos->name == "cos");
  CHECK(cos->category == Category::kMath);
  CHECK(cos->bounds.half_ulp == 2);
  CHECK(cos->bounds.float_ulp == 4);
  CHECK(find_opencl_std("u_mad_hi")->number == 204);
  CHECK(find_opencl_std("fma")->bounds.double_ulp == 0.5f);
  CHECK(find_opencl_std("lgamma")->bounds.float_ulp == kNoBound);
}

TEST_CASE("numbers and names that OpenCL.std does not have") {
  CHECK(find_opencl_std(120) == nullptr);
  CHECK(find_opencl_std(205) == nullptr);
  CHECK(find_opencl_std("Cos") == nullptr);
}

}  // namespace transpire::test
