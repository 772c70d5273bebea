// Oclgrind's .sim files: reading, meaning and the dump.
#include "launch/language/launch_plan.h"
#include "launch/runner/sim_value.h"
#include "launch/runner/value_maker.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

LaunchPlan sim_plan(const std::string& arguments) {
  auto plan = parse_sim("k.cl\nkernel_name  # comment\n16 1 1\n4 1 1\n\n" + arguments, "dir/k.sim");
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  return std::move(plan).value();
}

const LaunchStep& sim_launch(const LaunchPlan& plan) { return std::get<LaunchStep>(plan.steps[0]); }

Result<TypedBytes> sim_made(const std::string& argument,
                            std::optional<ScalarType> inferred = ScalarType::kInt) {
  const LaunchPlan plan = sim_plan(argument);
  return evaluate_sim(sim_launch(plan).arguments.at(0).sim, inferred);
}

template <class T>
std::vector<T> sim_values(const std::string& argument, ScalarType inferred = ScalarType::kInt) {
  const auto made = sim_made(argument, inferred);
  REQUIRE_MESSAGE(made.ok(), errors_of(made));
  return elements<T>(made->bytes);
}

std::string dump(std::string_view name, ScalarType type, std::span<const std::byte> bytes,
                 bool hexadecimal) {
  TextRoom room({}, 1000);
  format_sim_dump(room, name, type, bytes, hexadecimal);
  CHECK_FALSE(room.is_full());
  return room.text();
}

std::string error_in(const std::string& arguments) {
  return error_of(parse_sim("k.cl k 1 1 1 1 1 1\n" + arguments, "k.sim"));
}

TEST_CASE("a simulation file becomes a plan") {
  const LaunchPlan plan =
      sim_plan("<size=12 float>\n42\n3 18\n<size=4 dump fill=0 hex>\n<size=64 ro noinit>");
  CHECK(plan.modules == std::vector<std::string>{"dir/k.cl"});
  const LaunchStep& launch = sim_launch(plan);
  CHECK(launch.kernel == "kernel_name");
  CHECK(launch.global.size == std::array<std::uint64_t, 3>{16, 1, 1});
  CHECK(launch.local.dimensions == 3);
  REQUIRE(launch.arguments.size() == 3);
  CHECK(launch.arguments[0].sim.values == std::vector<std::string>{"42", "3", "18"});
  CHECK(launch.arguments[0].sim.type == ScalarType::kFloat);
  CHECK(launch.arguments[1].sim.hex);
  REQUIRE(plan.steps.size() == 2);
  CHECK(std::get<PrintStep>(plan.steps[1]).style == PrintStep::Style::kOclgrindHexadecimal);
}

TEST_CASE("headers that share a line") {
  const LaunchPlan plan = sim_plan("<size=4 fill=1>\n<null>\n<size=8 ro> 1 2\n");
  CHECK(sim_launch(plan).arguments[1].sim.null);
  CHECK(sim_launch(plan).arguments[2].sim.read_only);
}

TEST_CASE("bounds are checked, as Oclgrind always does") {
  const LaunchPlan plan = sim_plan("<size=4 wo fill=1>");
  CHECK((plan.settings.check_bounds == true && plan.settings.check_ub != true));
  CHECK(sim_launch(plan).arguments[0].sim.write_only);
}

TEST_CASE("the first line may carry the test's arguments") {
  const auto plan = parse_sim("# ARGS: --build-options -cl-std=CL2.0\nk.cl k 1 1 1 1 1 1", "k.sim");
  REQUIRE(plan.ok());
  CHECK(plan->build_options == std::vector<std::string>{"-cl-std=CL2.0"});
}

TEST_CASE("mistakes have lines") {
  CHECK(error_in("<size=4") == "TSP-C0021: '>' is missing at the end of the argument's header");
  CHECK(error_in("4") == "TSP-C0021: a header '<...>' is expected for argument 0, found '4'");
  CHECK(error_in("<fill=4>") == "TSP-C0021: 'size' is missing from the argument's header");
  CHECK(error_in("<size=4 fill=4 range=0:1:2>") ==
        "TSP-C0021: only one of 'fill', 'range' and 'noinit' may be given");
  CHECK(error_in("<size=4 colour>") == "TSP-C0021: 'colour' is not known in an argument's header");
  CHECK(error_in("<size=4 int float>") == "TSP-C0021: the argument has two types");
  CHECK(error_in("<null size=4>") == "TSP-C0021: 'null' goes with no other word");
  CHECK(error_in("<size=4 ro wo>") == "TSP-C0021: 'ro' and 'wo' exclude each other");
  CHECK(error_in("<size=4 fill=1> 5") == "TSP-C0021: '5' was not expected: argument 0 is complete");
  CHECK(error_of(parse_sim("k.cl k 1 1", "k.sim")) ==
        "TSP-C0021: the file ends within the NDRange");
  CHECK(error_of(parse_sim("", "k.sim")) ==
        "TSP-C0021: the file is empty: the name of a program is expected");
  CHECK(errors_of(parse_sim("k.cl k 1 1 1 1 1 1\n\n<size=4", "k.sim")).find("--> k.sim:3") !=
        std::string::npos);
}

TEST_CASE("values") {
  CHECK(sim_values<int>("<size=16 range=0:1:3>") == std::vector<int>{0, 1, 2, 3});
  CHECK(sim_values<int>("<size=8 fill=-1>") == std::vector<int>{-1, -1});
  CHECK(sim_values<unsigned>("<size=8 hex> 0x10 ff") == std::vector<unsigned>{0x10, 0xff});
  CHECK(sim_values<float>("<size=12 float> 42 3 18") == std::vector<float>{42, 3, 18});
  CHECK(sim_values<unsigned char>("<size=5 char hex> 0x01 0x02 0x00 0x00 0x02").size() == 5);
  CHECK(sim_values<unsigned>("<size=4 fill=-1>", ScalarType::kUint)[0] == 0xffffffff);
  // Oclgrind adds the step in the type itself.
  const auto floats = sim_values<float>("<size=16 float range=0:0.1:0.3>");
  CHECK(floats[2] == 0.1F + 0.1F);
  CHECK(floats[3] == 0.1F + 0.1F + 0.1F);
  CHECK(sim_values<int>("<size=0 fill=0>").empty());
}

TEST_CASE("values that do not fit") {
  CHECK(error_of(sim_made("<size=6 fill=1>")) ==
        "TSP-C0022: size 6 is no multiple of the 4 bytes of int");
  CHECK(error_of(sim_made("<size=8> 1")) ==
        "TSP-C0022: expected 2 numbers of type int after the header, found 1");
  CHECK(error_of(sim_made("<size=16 range=0:1:4>")) ==
        "TSP-C0022: the range '0:1:4' makes 5 numbers, the size is 16 bytes");
  CHECK(error_of(sim_made("<size=8 range=0:1>")) ==
        "TSP-C0022: a range has the form START:STEP:END");
  CHECK(error_of(sim_made("<size=1 char fill=300>")) ==
        "TSP-C0022: '300' is no char: the range is -128 to 127 (8 bits)");
  CHECK_FALSE(sim_made("<size=4 fill=1>", std::nullopt).ok());
}

TEST_CASE("the dump prints as Oclgrind does") {
  const std::vector<int> values{1, -2};
  CHECK(dump("c", ScalarType::kInt, std::as_bytes(std::span(values)), false) ==
        "\nArgument 'c': 8 bytes\n  c[0] = 1\n  c[1] = -2\n\n");
  CHECK(dump("c", ScalarType::kInt, std::as_bytes(std::span(values)), true) ==
        "\nArgument 'c': 8 bytes\n  c[0] = 0x00000001\n  c[1] = 0xfffffffe\n\n");
  const std::vector<float> floats{0.1F, 1e10F};
  CHECK(dump("f", ScalarType::kFloat, std::as_bytes(std::span(floats)), false) ==
        "\nArgument 'f': 8 bytes\n  f[0] = 0.1\n  f[1] = 1e+10\n\n");
}

}  // namespace
}  // namespace transpire::test
