// The JSON form gives the same plans as the text form.
#include <fmt/format.h>

#include "launch/language/launch_plan.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

Result<LaunchPlan> parse(const char* text) { return parse_launch_json(text, "dir/f.json"); }

TEST_CASE("a whole document") {
  const auto plan = parse(R"({
    "$schema": "launch.schema.json",
    "modules": ["saxpy.cl"],
    "options": ["-O2", "-DX=a b"],
    "specialisation": {"3": "uint:7", "4": 9},
    "buffers": {"data": "float:range:0:1:1024", "more": {"type": "int", "data": [1, [2], 3], "readonly": true},
      "third": {"type": "int", "zero": 4, "writeonly": true, "undefined": "0..7,12"}},
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
      {"expect": {"fault": "TSP-R0021", "on": "y", "at": [4], "line": "5:6"}},
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
  CHECK(plan->buffers[2].value.undefined == std::vector<ByteRange>{{0, 7}, {12, 12}});
  CHECK(plan->settings.timeout_seconds == 0.5);
  CHECK((plan->settings.reference == true && plan->settings.check_ub == true &&
         plan->settings.check_bounds == true));
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
  CHECK(argument("x").buffer.offset_bytes == 4);
  CHECK(argument("a").value.literals[0].number == "3.5");
  CHECK(argument("v").value.literals[0].items.size() == 4);
  CHECK(argument("s").value.literals[0].items[1].items.size() == 2);
  CHECK(argument("t").local_bytes == 64);
  CHECK(argument("p").kind == ArgumentSpec::Kind::kNull);
  CHECK(argument("h").value.maker == ValueSpec::Maker::kHex);
  CHECK(argument("r").value.seed == 7);
  CHECK(std::get<ExpectBufferStep>(plan->steps[3]).tolerances.at(0).amount == 4);
  CHECK(std::get<ExpectBufferStep>(plan->steps[4]).value.maker == ValueSpec::Maker::kFill);
  CHECK(std::get<ExpectPrintfStep>(plan->steps[5]).text == "say \"hi\"\n");
  CHECK(plan->expected_faults[0].buffer == "y");
  CHECK(plan->expected_faults[0].line == 5);
  CHECK(plan->expected_faults[0].column == 6);
  CHECK(plan->expected_refusals.size() == 1);
}

TEST_CASE("pipes in JSON") {
  const auto plan = parse(R"({"modules": "m.cl",
    "buffers": {"a": "pipe int4 8", "b": {"pipe": "int4", "capacity": 8, "value": {"data": [[1, 2, 3, 4]]}}},
    "steps": [{"launch": {"arguments": {"p": {"pipe": 12, "capacity": 8, "value": "bytes:file:a.bin"},
                                        "q": {"buffer": "a"}}}},
              {"expect": {"values": "p.packets", "equals": 3}}]})");
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  for (const BufferSpec& buffer : plan->buffers) {
    CHECK(buffer.kind == BufferSpec::Kind::kPipe);
    CHECK((buffer.pipe.packet_bytes == 16 && buffer.pipe.max_packets == 8));
  }
  CHECK(plan->buffers[0].value.maker == ValueSpec::Maker::kZero);
  CHECK(plan->buffers[1].value.literals[0].items.size() == 4);
  const ArgumentSpec& argument = std::get<LaunchStep>(plan->steps[0]).arguments[0];
  CHECK((argument.kind == ArgumentSpec::Kind::kPipe && argument.pipe.packet_bytes == 12));
  CHECK(argument.value.file == "dir/a.bin");
  CHECK(std::get<ExpectBufferStep>(plan->steps[1]).slice.name == "p.packets");
}

TEST_CASE("a JSON value is no text of the language") {
  const auto plan = parse(R"({"modules": "m",
    "buffers": {"a b": {"type": "int", "file": "x:ro"}, "c": {"npy": "y as float"},
                "d": {"buffer": "a b", "size": 4}, "e": {"type": "bytes", "hex": ["00", "ff"]},
                "f": {"data": ["1 2", [3, "nan"]]}},
    "queues": {"q r": null},
    "steps": [{"launch": {"arguments": {"x": {"buffer": "a b"}, "s": [{"m": [1]}], "q": {"queue": "q r"}}}},
              {"expect": {"values": "x", "tolerance": [1, "2ulp"], "equals": ["1 2", 3]}}]})");
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  CHECK(plan->buffers[0].value.file == "dir/x:ro");
  CHECK_FALSE(plan->buffers[0].value.read_only);
  CHECK((plan->buffers[1].value.file == "dir/y as float" && !plan->buffers[1].value.converted_to));
  CHECK(plan->buffers[2].slice.name == "a b");
  CHECK(plan->buffers[3].value.literals[0].number == "00, ff");
  REQUIRE(plan->buffers[4].value.literals.size() == 3);
  CHECK(plan->buffers[4].value.literals[2].items[1].number == "nan");
  const auto& launch = std::get<LaunchStep>(plan->steps[0]);
  CHECK(launch.arguments[1].value.literals[0].items[0].items[0].name == "m");
  CHECK((launch.arguments[0].queue == "q r" && plan->queues[0].name == "q r"));
  const auto& expect = std::get<ExpectBufferStep>(plan->steps[1]);
  CHECK((expect.tolerances.size() == 2 && expect.tolerances[1].kind == Tolerance::Kind::kUlp));
  CHECK(expect.value.literals.size() == 3);
}

TEST_CASE("a value that the language refuses is named by its own pointer") {
  const auto pointer_of = [](const std::string& buffer) {
    const auto plan = parse(
        fmt::format(R"({{"modules": "m", "steps": [], "buffers": {{"b": {}}}}})", buffer).c_str());
    REQUIRE_MESSAGE(!plan.ok(), buffer);
    CHECK_MESSAGE(plan.errors().size() == 1, buffer);
    return plan.errors()[0].notes.at(0);
  };
  CHECK(pointer_of(R"({"zero": 4, "undefined": "7..0"})") == "at /buffers/b/undefined");
  CHECK(pointer_of(R"({"data": [1, "("]})") == "at /buffers/b/data/1");
  CHECK(pointer_of(R"({"data": [{"x": "1 2"}]})") == "at /buffers/b/data/0/x");
  CHECK(pointer_of(R"({"fill": "1 2", "count": 3})") == "at /buffers/b/fill");
  CHECK(pointer_of(R"({"zero": 4, "readonly": true, "writeonly": true})") == "at /buffers/b");
  CHECK(pointer_of(R"({"file": ""})") == "at /buffers/b/file");
  CHECK(pointer_of(R"({"buffer": "a", "size": "4 KB"})") == "at /buffers/b/size");
}

TEST_CASE("mistakes in JSON are placed") {
  const std::string deep = R"({"modules": "m", "steps": [{"launch": {"arguments": {"a": )" +
                           std::string(100000, '[') + std::string(100000, ']') + "}}}]}";
  CHECK(error_of(parse(deep.c_str())).starts_with("TSP-C0022: brackets are nested too deeply"));
  CHECK(errors_of(parse("{\n  \"steps\": [,]\n}")).find("--> dir/f.json:2:") != std::string::npos);
  CHECK(error_of(parse(R"({"timeout": 1e400})")) ==
        "TSP-C0021: this is not JSON: number overflow parsing '1e400'");
  CHECK(error_of(parse("[]")) == "TSP-C0021: a launch description is a JSON object");
  CHECK(errors_of(parse("{}")) ==
        "error[TSP-C0021]: the member 'modules' is missing\n"
        "  --> dir/f.json:1:1\n"
        "  = at the top level\n"
        "error[TSP-C0021]: the member 'steps' is missing\n"
        "  --> dir/f.json:1:1\n"
        "  = at the top level\n");
  CHECK(
      errors_of(parse(R"({"modules": "m", "steps": [{"launch": {"kernel": "k", "globl": 4}}]})")) ==
      "error[TSP-C0021]: the member 'globl' is not known\n"
      "  --> dir/f.json:1:64\n"
      "  = at /steps/0/launch/globl\n"
      "help: did you mean 'global'? the members are 'kernel', 'global', 'local', 'groups', "
      "'offset', "
      "'arguments', 'bindings', 'push', 'repeat' and "
      "'swap'\n");
  CHECK(errors_of(parse(R"({"modules": "m", "steps": [{"out": "y"}]})")) ==
        "error[TSP-C0021]: 'out' must be an object, found \"y\"\n"
        "  --> dir/f.json:1:36\n"
        "  = at /steps/0/out\n"
        "help: write {\"out\": {\"buffer\": \"y\", \"file\": \"y.npy\"}}\n");
  // What the language itself refuses is placed as well.
  CHECK(errors_of(
            parse(R"({"modules": "m", "steps": [{"launch": {"arguments": {"a/b": "float:zero:x"}}},
      {"print": "y["}]})"))
            .find("at /steps/0/launch/arguments/a~1b") != std::string::npos);
  CHECK(errors_of(parse(R"({"modules": ["m", ""], "steps": []})")).find("at /modules/1\n") !=
        std::string::npos);
}

/// Where a document goes wrong for the only time, and how.
struct Misshape {
  const char* members;  ///< besides "modules"
  const char* pointer;
  const char* message;
};

const Misshape kMisshapes[] = {
    {R"("steps": {})", "/steps", "expected an array, found an object"},
    {R"("steps": [3])", "/steps/0", "a step is an object with one member"},
    {R"("steps": [{"jump": 3}])", "/steps/0/jump", "the member 'jump' is not known"},
    {R"("treads": 3, "steps": [])", "/treads", "the member 'treads' is not known"},
    {R"("max-stps": 3, "steps": [])", "/max-stps", "the member 'max-stps' is not known"},
    {R"("threads": "2", "steps": [])", "/threads",
     "expected a whole number of at least 0, found \"2\""},
    {R"("threads": -1, "steps": [])", "/threads",
     "expected a whole number of at least 0, found -1"},
    {R"("reference": "yes", "steps": [])", "/reference", "expected true or false, found \"yes\""},
    {R"("timeout": [1], "steps": [])", "/timeout",
     "expected a number or a string, found an array of 1"},
    {R"("isa": "avx3", "steps": [])", "/isa", "'avx3' is not one of the instruction sets"},
    {R"("check": ["ub", "bound"], "steps": [])", "/check/1", "'bound' is not one of the checks"},
    {R"("options": 3, "steps": [])", "/options",
     "expected a string or an array of strings, found 3"},
    {R"("specialisation": {"3": [1]}, "steps": [])", "/specialisation/3",
     "expected a number, true, false or a string, found an array of 1"},
    {R"("buffers": [], "steps": [])", "/buffers", "expected an object, found an array of 0"},
    {R"("buffers": {"bogus": true}, "steps": [])", "/buffers/bogus",
     "expected a string or an object, found true"},
    {R"("buffers": {"a": {"zero": 4, "readOnly": true}}, "steps": [])", "/buffers/a/readOnly",
     "the member 'readOnly' is not known"},
    {R"("buffers": {"a": {"zero": 4, "readonly": 1}}, "steps": [])", "/buffers/a/readonly",
     "expected true or false, found 1"},
    {R"("buffers": {"a": {"zero": 4, "fill": 1}}, "steps": [])", "/buffers/a",
     "the object says more than one value: 'zero' and 'fill'"},
    {R"("buffers": {"a": {"type": "int"}}, "steps": [])", "/buffers/a", "the object says no value"},
    {R"("buffers": {"a": {"type": "flaot", "zero": 4}}, "steps": [])", "/buffers/a/type",
     "'flaot' is not a type"},
    {R"("buffers": {"a": {"data": [1], "count": 4}}, "steps": [])", "/buffers/a/count",
     "'data' takes no 'count'"},
    {R"("buffers": {"a": {"fill": 1}}, "steps": [])", "/buffers/a",
     "the member 'count' is missing"},
    {R"("buffers": {"a": {"range": [0], "count": 4}}, "steps": [])", "/buffers/a/range",
     "expected [START, STEP], found an array of 1"},
    {R"("buffers": {"a": {"random": [0, 1], "count": 4}}, "steps": [])", "/buffers/a/random",
     "expected [SEED, LOW, HIGH], found an array of 2"},
    {R"("buffers": {"a": {"data": [1, {}]}}, "steps": [])", "/buffers/a/data/1",
     "expected a number, a string, an array of them, or members by their names, found an object"},
    {R"("buffers": {"q": {"pipe": "int"}}, "steps": [])", "/buffers/q",
     "the member 'capacity' is missing"},
    {R"("buffers": {"q": {"pipe": [4], "capacity": 4}}, "steps": [])", "/buffers/q/pipe",
     "expected a whole number or a string, found an array of 1"},
    {R"("buffers": {"q": {"pipe": 4, "capacity": "4"}}, "steps": [])", "/buffers/q/capacity",
     "expected a whole number of at least 0, found \"4\""},
    {R"("buffers": {"q": {"pipe": 4, "capacity": 4, "value": [1]}}, "steps": [])",
     "/buffers/q/value", "expected a string or an object, found an array of 1"},
    {R"("steps": [{"launch": {"arguments": {"y": {"pipe": 4, "capacity": 4, "zero": 4}}}}])",
     "/steps/0/launch/arguments/y/zero", "the member 'zero' is not known"},
    {R"("steps": [{"launch": 4}])", "/steps/0/launch", "expected an object, found 4"},
    {R"("steps": [{"launch": {"global": []}}])", "/steps/0/launch/global",
     "expected a whole number, a string or an array of one to three whole numbers, found an "
     "array of 0"},
    {R"("steps": [{"launch": {"repeat": "3"}}])", "/steps/0/launch/repeat",
     "expected a whole number of at least 0, found \"3\""},
    {R"("steps": [{"launch": {"swap": 1}}])", "/steps/0/launch/swap",
     "expected an array of pairs, found 1"},
    {R"("steps": [{"launch": {"swap": [["a"]]}}])", "/steps/0/launch/swap/0",
     "expected a pair of arguments, found an array of 1"},
    {R"("steps": [{"launch": {"arguments": {"y": {"bufer": "a"}}}}])",
     "/steps/0/launch/arguments/y/bufer", "the member 'bufer' is not known"},
    {R"("steps": [{"launch": {"arguments": {"y": {"buffer": "a", "zero": 4}}}}])",
     "/steps/0/launch/arguments/y/zero", "the member 'zero' is not known"},
    {R"("steps": [{"print": 4}])", "/steps/0/print", "expected a string, found 4"},
    {R"("steps": [{"out": {"buffer": "y"}}])", "/steps/0/out", "the member 'file' is missing"},
    {R"("steps": [{"expect": 4}])", "/steps/0/expect", "expected a string or an object, found 4"},
    {R"("steps": [{"expect": {"values": "y"}}])", "/steps/0/expect",
     "the member 'equals' is missing"},
    {R"("steps": [{"expect": {"values": "y", "equals": 1, "swap": 1}}])", "/steps/0/expect/swap",
     "the member 'swap' is not known"},
    {R"("steps": [{"expect": {"fault": "R0021"}}])", "/steps/0/expect/fault",
     "expected a rule such as \"TSP-R0021\", found \"R0021\""},
    {R"("steps": [{"expect": {"faults": 3}}])", "/steps/0/expect/faults",
     "the member 'faults' is not known"},
    {R"("steps": [{"expect": {}}])", "/steps/0/expect", "the object expects nothing"},
};

TEST_CASE("the shape of the document is that of the schema") {
  for (const auto& [given, pointer, message] : kMisshapes) {
    const auto& members = given;
    const auto plan = parse(fmt::format("{{\"modules\": \"m\", {}}}", members).c_str());
    REQUIRE_MESSAGE(!plan.ok(), members);
    CHECK_MESSAGE(plan.errors().size() == 1, members);
    CHECK(plan.errors()[0].message == message);
    CHECK(plan.errors()[0].notes == std::vector<std::string>{fmt::format("at {}", pointer)});
  }
  CHECK(errors_of(parse(R"({"modules": [], "steps": []})")).find("at /modules\n") !=
        std::string::npos);
}

TEST_CASE("misspelt members of values have suggestions") {
  const auto help_of = [](const char* text) {
    const auto plan = parse(text);
    return plan.ok() ? "ok" : plan.errors()[0].help;
  };
  CHECK(help_of(R"({"modules": "m", "steps": [], "buffers": {"a": {"zero": 4, "readOnly": true}}})")
            .starts_with("did you mean 'readonly'?"));
  CHECK(help_of(R"({"modules": "m", "steps": [{"launch": {"arguments": {"y": {"bufer": "a"}}}}]})")
            .starts_with("did you mean 'buffer'?"));
  CHECK(help_of(R"({"modules": "m", "steps": [{"expect": {"falt": "TSP-R0021"}}]})")
            .starts_with("did you mean 'fault'?"));
  CHECK(help_of(R"({"modules": "m", "steps": [], "threads": "2"})") == "write it without quotes");
}

TEST_CASE("a member is written once") {
  CHECK(errors_of(parse(R"({"modules": "m", "steps": [{"print": "y"},
      {"launch": {"arguments": {"a": [1, {"b": 1}], "a": 3}}}]})")) ==
        "error[TSP-C0021]: the member 'a' is written twice\n"
        "  --> dir/f.json:2:58\n"
        "  = at /steps/1/launch/arguments/a\n");
  CHECK(error_of(parse(R"({"modules": "m", "threads": 1, "steps": [], "threads": 1})")) ==
        "TSP-C0021: the member 'threads' is written twice");
  CHECK(parse(R"({"modules": "m", "steps": [{"print": "y"}, {"print": "y"}]})").ok());
}

}  // namespace
}  // namespace transpire::test
