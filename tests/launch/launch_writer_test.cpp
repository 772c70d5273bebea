// The writer of launch files: what it writes, the reader reads back as the same.
#include "launch/language/launch_writer.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "launch/language/plan_builder.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

bool same(const std::vector<Literal>& a, const std::vector<Literal>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Literal& x, const Literal& y) {
    return x.is_list == y.is_list && x.number == y.number && same(x.items, y.items);
  });
}

bool same(const std::optional<TypeWord>& a, const std::optional<TypeWord>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->scalar == b->scalar && a->components == b->components;
}

bool same(const ValueSpec& a, const ValueSpec& b) {
  return a.maker == b.maker && same(a.type, b.type) && a.raw_bytes == b.raw_bytes &&
         a.any_type == b.any_type && same(a.literals, b.literals) && a.count == b.count &&
         a.seed == b.seed && a.file == b.file && a.read_only == b.read_only &&
         a.write_only == b.write_only && a.undefined == b.undefined;
}

bool same(const BufferReference& a, const BufferReference& b) {
  return a.name == b.name && a.offset_bytes == b.offset_bytes && a.size_bytes == b.size_bytes &&
         a.read_only == b.read_only && a.write_only == b.write_only;
}

bool same(const BufferSpec& a, const BufferSpec& b) {
  return a.name == b.name && a.kind == b.kind && same(a.value, b.value) && same(a.slice, b.slice) &&
         a.address == b.address;
}

bool same(const ArgumentSpec& a, const ArgumentSpec& b) {
  return a.target == b.target && a.kind == b.kind && same(a.value, b.value) &&
         same(a.buffer, b.buffer) && a.shared.name == b.shared.name &&
         a.shared.address == b.shared.address && a.shared.offset_bytes == b.shared.offset_bytes &&
         a.local_bytes == b.local_bytes;
}

bool same(const SizeList& a, const SizeList& b) {
  return a.size == b.size && a.dimensions == b.dimensions;
}

LaunchPlan read_back(const LaunchWriter& writer) {
  const auto plan = parse_launch_text(writer.text(), "x.launch");
  REQUIRE_MESSAGE(plan.ok(), writer.text());
  return *plan;
}

ValueSpec value(std::string_view text) {
  const auto spec = parse_value_spec(text);
  REQUIRE_MESSAGE(spec.ok(), text);
  return *spec;
}

TEST_CASE("values are written as they are read") {
  for (const char* text : {"3",
                           "-0x1.8p3",
                           "1,2.5,(3,4)",
                           "((1,2),(3))",
                           "int:7",
                           "float4:(1,2,3,4)",
                           "zero:4",
                           "zero",
                           "uint:zero:4",
                           "half:fill:-1.5:3",
                           "fill:(1,2):8",
                           "range:0:2:16",
                           "double:range:0:0.5",
                           "random:7:-1:1:32",
                           "data:1,2,3",
                           "uchar:hex:0xff,0x00",
                           "float:hex:0x7fc00001",
                           "bytes:hex:00ff10",
                           "bytes:zero:64",
                           "bytes:file:a/b.bin",
                           "npy:x.npy",
                           "int:file:x.bin",
                           "uninit:9",
                           "bytes:uninit:9",
                           "uint:zero:4:raw",
                           "uint:zero:4 readonly",
                           "bytes:hex:01 writeonly",
                           "bytes:hex:01 undefined 0..0",
                           "uint:zero:4:raw readonly undefined 0..3,8..15",
                           "uint:zero:4:raw readonly"}) {
    CAPTURE(std::string(text));
    CHECK(value_text(value(text)) == text);
    CHECK(same(value(value_text(value(text))), value(text)));
  }
  for (const char* text : {" int : fill : 3 : 4 ", "{ 1, { 2 3 } }", "data: 1 2 3", "zero:4:ro",
                           "zero:4:wo", "uint:zero:0x10 :raw:ro", "bytes:hex: 00 ff"})
    CHECK_MESSAGE(same(value(value_text(value(text))), value(text)), text);
}

TEST_CASE("bytes are written as what they are") {
  const std::byte bytes[] = {std::byte{0}, std::byte{0x7f}, std::byte{0xff}};
  CHECK(value_text(raw_bytes(bytes)) == "bytes:hex:007fff");
  CHECK(same(value("bytes:hex:007fff"), raw_bytes(bytes)));
  CHECK(same(value("bytes:zero:12"), zero_bytes(12)));
  CHECK(same(value("bytes:file:0001-f/x.in.bin"), bytes_of_file("0001-f/x.in.bin")));
}

TEST_CASE("strings and words of a shell read back as they were") {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  CHECK(*unquoted(in_quotes(all)) == all);
  CHECK(in_quotes("a\n\"\\\xe9") == R"("a\n\"\\\xe9")");
  const std::vector<std::string> words{"-O2", "-DX=a b", "", "-DY=\"s\"", "it's", "a\\b"};
  LaunchWriter writer;
  REQUIRE(writer.options(words).ok());
  CHECK(writer.text() == "options -O2 \"-DX=a b\" \"\" '-DY=\"s\"' \"it's\" a\\b\n");
  CHECK(read_back(writer).build_options == words);
  LaunchWriter none;
  CHECK(none.options({}).ok());
  CHECK(none.text().empty());
}

TEST_CASE("any words of any bytes read back as they were, but for line ends") {
  constexpr std::string_view kBytes = "#'\"\\ \t\r\nab=\x01\xe9";
  std::mt19937 random(1);
  const auto word = [&] {
    std::string text;
    for (std::uint32_t left = random() % 7; left > 0; --left)
      text += kBytes[random() % kBytes.size()];
    return text;
  };
  std::size_t written = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::string> words;
    for (std::uint32_t left = 1 + random() % 3; left > 0; --left) words.push_back(word());
    CAPTURE(words);
    const bool has_line_end = std::ranges::any_of(
        words, [](const std::string& w) { return w.find('\n') != std::string::npos; });
    LaunchWriter writer;
    writer.comment("before");
    REQUIRE(writer.options(words).ok() == !has_line_end);
    writer.kernel("k");
    const LaunchPlan plan = read_back(writer);
    REQUIRE(plan.build_options == (has_line_end ? std::vector<std::string>{} : words));
    REQUIRE(std::get<LaunchStep>(plan.steps.at(0)).kernel == "k");
    written += has_line_end ? 0 : 1;
  }
  CHECK(written > 5'000);
  LaunchWriter writer;
  CHECK(error_of(writer.options({"-Da", "-DX=\"\n"})) ==
        "TSP-C0022: the option \"-DX=\\\"\\n\" has a line end, which no launch file can say");
}

TEST_CASE("any module's path reads back as it was") {
  constexpr std::string_view kBytes = "#'\"\\ \t\r\nab/\x01\xe9";
  std::mt19937 random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string path;
    for (std::uint32_t left = 1 + random() % 7; left > 0; --left)
      path += kBytes[random() % kBytes.size()];
    CAPTURE(path);
    LaunchWriter writer;
    writer.module(path);
    writer.kernel("k");
    const LaunchPlan plan = read_back(writer);
    REQUIRE(plan.modules == std::vector<std::string>{path});
    REQUIRE(std::get<LaunchStep>(plan.steps.at(0)).kernel == "k");
  }
  LaunchWriter writer;
  writer.module("a b#1.spv");
  writer.module("a b.spv");
  CHECK(writer.text() == "module \"a b#1.spv\"\nmodule a b.spv\n");
}

TEST_CASE("memory reads back as it was written") {
  std::vector<BufferSpec> all(4);
  all[0].name = "a";
  all[0].value = value("bytes:zero:64 readonly");
  all[1].name = "b";
  all[1].kind = BufferSpec::Kind::kSlice;
  all[1].slice = {"a", 0, 32, false, true};
  all[2].name = "nodes";
  all[2].kind = BufferSpec::Kind::kShared;
  all[2].address = 0x200000000080;
  all[2].value = value("ulong:data:1,2");
  all[3].name = "v";
  all[3].kind = BufferSpec::Kind::kVariable;
  all[3].value = value("{1,(2,3)}");
  LaunchWriter writer;
  for (const BufferSpec& memory : all) writer.memory(memory);
  CHECK(writer.text() ==
        "buffer a = bytes:zero:64 readonly\n"
        "buffer b = buffer a offset 0 size 32 writeonly\n"
        "shared nodes at 0x200000000080 = ulong:data:1,2\n"
        "variable v = (1,(2,3))\n");
  const LaunchPlan plan = read_back(writer);
  REQUIRE(plan.buffers.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(same(plan.buffers[i], all[i]));
}

TEST_CASE("a launch reads back as it was written") {
  LaunchStep step;
  step.kernel = "f";
  step.global = {{64, 2, 0}, 2};
  step.local = {{8, 1, 0}, 2};
  step.offset = {{3, 0, 0}, 2};
  using Kind = ArgumentSpec::Kind;
  const std::pair<Kind, const char*> arguments[] = {
      {Kind::kValue, "0"}, {Kind::kBuffer, "x"}, {Kind::kBuffer, "2"}, {Kind::kLocal, "3"},
      {Kind::kNull, "4"},  {Kind::kShared, "5"}, {Kind::kShared, "6"}};
  for (const auto& [kind, target] : arguments) {
    step.arguments.emplace_back();
    step.arguments.back().kind = kind;
    step.arguments.back().target = target;
  }
  step.arguments[0].value = value("bytes:hex:01020304");
  step.arguments[1].buffer.name = "a";
  step.arguments[2].buffer = {"a", 16, {}, false, false};
  step.arguments[3].local_bytes = 256;
  step.arguments[5].shared.address = 0x1000;
  step.arguments[6].shared = {"nodes", 0, 64};
  LaunchWriter writer;
  writer.comment("of a program\nwith two lines");
  writer.kernel(step.kernel);
  for (const ArgumentSpec& argument : step.arguments) writer.argument(argument, "int\n# x");
  writer.global(step.global);
  writer.local(step.local);
  writer.offset(step.offset);
  writer.launch();
  CHECK(writer.text().starts_with("# of a program with two lines\nkernel f\narg 0 = bytes:hex:"));
  CHECK(writer.text().find("\narg 2 = buffer a offset 16  # int # x\n") != std::string::npos);
  const LaunchPlan plan = read_back(writer);
  REQUIRE(plan.steps.size() == 1);
  const auto& read = std::get<LaunchStep>(plan.steps[0]);
  CHECK(read.kernel == step.kernel);
  CHECK(same(read.global, step.global));
  CHECK(same(read.local, step.local));
  CHECK(same(read.offset, step.offset));
  REQUIRE(read.arguments.size() == step.arguments.size());
  for (std::size_t i = 0; i < step.arguments.size(); ++i)
    CHECK_MESSAGE(same(read.arguments[i], step.arguments[i]), i);
}

TEST_CASE("work-groups of no size of their own are written as such") {
  LaunchWriter writer;
  writer.global({{4, 0, 0}, 1});
  writer.local({});
  CHECK(writer.text() == "global 4\nlocal auto\n");
  CHECK(std::get<LaunchStep>(read_back(writer).steps[0]).local.dimensions == 0);
}

TEST_CASE("modules, constants and settings read back as they were written") {
  LaunchWriter writer;
  writer.module("modules/0f.spv");
  writer.specialise({"7", value("uint:hex:0x2a"), {}});
  writer.setting("threads 1");
  writer.setting("reference");
  const LaunchPlan plan = read_back(writer);
  CHECK(plan.modules == std::vector<std::string>{"modules/0f.spv"});
  REQUIRE(plan.specialisation.size() == 1);
  CHECK(plan.specialisation[0].target == "7");
  CHECK(same(plan.specialisation[0].value, value("uint:hex:0x2a")));
  CHECK(plan.settings.threads == 1u);
  CHECK(plan.settings.reference);
}

TEST_CASE("repeats read back as they were written") {
  LaunchWriter writer;
  writer.global({{4, 0, 0}, 1});
  writer.repeat(3, std::vector<std::pair<std::string, std::string>>{{"a", "b"}, {"c", "1"}});
  writer.launch();
  CHECK(writer.text() == "global 4\nrepeat 3 swap a b swap c 1\nlaunch\n");
  const auto launch = std::get<LaunchStep>(read_back(writer).steps[0]);
  CHECK(launch.repeat == 3);
  CHECK(launch.swaps == std::vector<std::pair<std::string, std::string>>{{"a", "b"}, {"c", "1"}});
}

TEST_CASE("expectations read back as they were written") {
  LaunchWriter writer;
  writer.global({{4, 0, 0}, 1});
  writer.launch();
  writer.expect_value("a", value("bytes:hex:00ff"));
  writer.expect_printf("one\n# \"two\"\n\nend");
  writer.expect(ExpectedFault{"TSP-R0021", "", std::array<std::uint64_t, 3>{5, 0, 1}, {}, 7, 2});
  writer.expect(ExpectedFault{"TSP-L0001", "a", {}, {}, 9});
  writer.expect(ExpectedRefusal{"TSP-L0004", {}});
  CHECK(writer.text().ends_with(
      "expect fault TSP-R0021 at 5,0,1 line 7:2\nexpect fault TSP-L0001 on a line 9\n"
      "expect refused TSP-L0004\n"));
  const LaunchPlan plan = read_back(writer);
  REQUIRE(plan.steps.size() == 3);
  const auto& buffer = std::get<ExpectBufferStep>(plan.steps[1]);
  CHECK(buffer.slice.name == "a");
  CHECK(buffer.slice.all);
  CHECK(buffer.tolerances.empty());
  CHECK(same(buffer.value, value("bytes:hex:00ff")));
  CHECK(std::get<ExpectPrintfStep>(plan.steps[2]).text == "one\n# \"two\"\n\nend");
  REQUIRE(plan.expected_faults.size() == 2);
  CHECK(plan.expected_faults[0].rule == "TSP-R0021");
  CHECK(plan.expected_faults[0].at == std::array<std::uint64_t, 3>{5, 0, 1});
  CHECK(plan.expected_faults[0].line == 7);
  CHECK(plan.expected_faults[0].column == 2);
  CHECK(plan.expected_faults[1].line == 9);
  CHECK(plan.expected_faults[1].column == 0);
  CHECK(plan.expected_faults[1].buffer == "a");
  CHECK_FALSE(plan.expected_faults[1].at.has_value());
  REQUIRE(plan.expected_refusals.size() == 1);
  CHECK(plan.expected_refusals[0].rule == "TSP-L0004");
}

TEST_CASE("a name that would end its line is none") {
  CHECK(is_writable_name("f.name$1"));
  for (const char* name : {"a#b", "a\"b", "a\nb", "a\tb", "", " a", "a\r"})
    CHECK_FALSE(is_writable_name(name));
}

}  // namespace
}  // namespace transpire::test
