// The JSON form gives the same plans as the text form.
#include <cstring>

#include "cli/launch_plan.h"
#include "cli/support.h"

namespace transpire::cli {
namespace {

Result<LaunchPlan> parse(const char* text) { return parse_launch_json(text, "dir/f.json"); }

}  // namespace

TEST_CASE("a whole document") {
  const auto plan = parse(R"({
    "$schema": "launch.schema.json",
    "modules": ["saxpy.cl"],
    "options": ["-O2", "-DX=a b"],
    "specialisation": {"3": "uint:7", "4": 9},
    "buffers": {"data": "float:range:0:1:1024", "more": {"type": "int", "data": [1, [2], 3], "readonly": true},
      "third": {"type": "int", "zero": 4, "writeonly": true}},
    "isa": "avx2", "threads": 2, "check": ["ub", "bounds"], "reference": true, "max-steps": 100, "timeout": "500ms",
    "steps": [
      {"launch": {"kernel": "saxpy", "global": [1024, 2], "local": 64, "offset": [0, 1], "repeat": 3,
                  "swap": [["y", "x"]],
                  "arguments": {"y": {"type": "float", "range": [0, 0.5], "count": 16}, "x": {"buffer": "data", "offset": 4},
                                "a": 3.5, "v": [1, 2, 3, 4], "s": {"struct": [1, [2, 3]]}, "t": {"local": 64},
                                "p": null, "h": "float:hex:0x7fc00001",
                                "r": {"type": "int", "random": [7, -1, 1], "count": 4}}}},
      {"print": "y[0..7]"},
      {"out": {"buffer": "y", "file": "y.npy"}},
      {"expect": {"values": "y[0..1]", "tolerance": "4ulp", "equals": [1, 2.5]}},
      {"expect": {"values": "y", "equals": {"type": "float", "fill": 2}}},
      {"expect": {"fault": "TSP-R0021", "on": "y", "at": [4]}},
      {"expect": {"printf": "say \"hi\"\n"}},
      {"expect": {"refused": "TSP-U0001"}},
      {"expect": "no faults"}
    ]})");
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  CHECK(plan->modules == std::vector<std::string>{"dir/saxpy.cl"});
  CHECK(plan->build_options == std::vector<std::string>{"-O2", "-DX=a b"});
  CHECK(plan->specialisation[1].value.literals[0].number == "9");
  CHECK(plan->buffers[1].value.read_only);
  CHECK(plan->buffers[2].value.write_only);
  CHECK(plan->settings.timeout_seconds == 0.5);
  CHECK((plan->settings.reference && plan->settings.checks.ub && plan->settings.checks.bounds));
  REQUIRE(plan->steps.size() == 6);
  const auto& launch = std::get<LaunchStep>(plan->steps[0]);
  CHECK(launch.global.size == std::array<std::uint64_t, 3>{1024, 2, 0});
  CHECK(launch.repeat == 3);
  CHECK(launch.swaps.size() == 1);
  REQUIRE(launch.arguments.size() == 9);
  const auto argument = [&](const char* name) {
    for (const ArgumentSpec& a : launch.arguments)
      if (a.target == name) return a;
    return ArgumentSpec{};
  };
  CHECK(argument("y").value.maker == ValueSpec::Maker::kRange);
  CHECK(argument("y").value.literals[1].number == "0.5");
  CHECK(argument("x").offset_bytes == 4);
  CHECK(argument("a").value.literals[0].number == "3.5");
  CHECK(argument("v").value.literals[0].items.size() == 4);
  CHECK(argument("s").value.literals[0].items[1].items.size() == 2);
  CHECK(argument("t").local_bytes == 64);
  CHECK(argument("p").kind == ArgumentSpec::Kind::kNull);
  CHECK(argument("h").value.maker == ValueSpec::Maker::kHex);
  CHECK(argument("r").value.seed == 7);
  CHECK(std::get<ExpectBufferStep>(plan->steps[3]).tolerance.amount == 4);
  CHECK(std::get<ExpectBufferStep>(plan->steps[4]).value.maker == ValueSpec::Maker::kFill);
  CHECK(std::get<ExpectPrintfStep>(plan->steps[5]).text == "say \"hi\"\n");
  CHECK(plan->expected_faults[0].buffer == "y");
  CHECK(plan->expected_refusals.size() == 1);
}

TEST_CASE("mistakes in JSON are placed") {
  const std::string deep = R"({"steps": [{"launch": {"arguments": {"a": )" +
                           std::string(100000, '[') + std::string(100000, ']') + "}}}]}";
  CHECK(error_of(parse(deep.c_str())).starts_with("TSP-C0022: brackets are nested too deeply"));
  CHECK(errors_of(parse("{\n  \"steps\": [,]\n}")).find("--> dir/f.json:2:") != std::string::npos);
  CHECK(error_of(parse(R"({"timeout": 1e400})")) ==
        "TSP-C0021: this is not JSON: number overflow parsing '1e400'");
  CHECK(error_of(parse("[]")) == "TSP-C0021: a launch description is a JSON object");
  CHECK(error_of(parse("{}")) == "TSP-C0021: the member 'steps' is missing");
  CHECK(errors_of(parse(R"({"steps": [{"launch": {"kernel": "k", "globl": 4}}]})")) ==
        "error[TSP-C0021]: the member 'globl' is not known\n"
        "  --> dir/f.json\n"
        "  = at /steps/0/launch/globl\n"
        "help: did you mean 'global'? the members are 'kernel', 'global', 'local', 'offset', "
        "'arguments', 'repeat' and "
        "'swap'\n");
  CHECK(errors_of(parse(R"({"steps": [{"launch": {"arguments": {"y": {"kind": 3}}}}]})"))
            .find("at /steps/0/launch/arguments/y") != std::string::npos);
  for (const char* text :
       {R"({"steps": [3]})", R"({"steps": [{"jump": 3}]})", R"({"steps": [{"expect": 4}]})",
        R"({"steps": [{"launch": 4}]})", R"({"steps": [{"expect": {"values": "y"}}]})",
        R"({"steps": [{"launch": {"swap": [["a"]]}}]})",
        R"({"modules": 3, "buffers": [], "steps": []})", R"({"steps": [{"expect": {"fault": 3}}]})",
        R"({"treads": 3, "steps": []})"})
    CHECK_MESSAGE(error_of(parse(text)).starts_with("TSP-C002"), text);
}

}  // namespace transpire::cli
