// Pipes as arguments of the launch language: words, what they make, and that they are written as read.
#include "launch/pipe_argument.h"

#include "launch/launch_writer.h"
#include "launch/plan_builder.h"
#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;

namespace {

Result<BoundBufferPointer> made(const std::string& words, std::uint64_t max_bytes = 1 << 20) {
  const auto argument = parse_argument("q", words);
  if (!argument) return argument.errors();
  return make_pipe("q", argument->pipe, argument->value, max_bytes);
}

std::vector<int> numbers_in(const BoundBuffer& buffer) {
  return elements<int>({buffer.memory.bytes().begin(), buffer.memory.bytes().end()});
}

ParameterInfo pipe_parameter(std::uint32_t packet_bytes, const std::string& source_type) {
  ParameterInfo parameter;
  parameter.name = "p";
  parameter.type.spelling = "read_only pipe " + source_type;
  parameter.source_type = source_type;
  parameter.access = "read_only";
  parameter.pipe = PipeParameterInfo{packet_bytes, packet_bytes};
  return parameter;
}

Result<BoundArgument> bound(const ParameterInfo& parameter, const std::string& words,
                            const BufferTable& known = {}) {
  const auto argument = parse_argument("p", words);
  if (!argument) return argument.errors();
  return bind_argument(parameter, *argument, known, 1 << 20);
}

}  // namespace

TEST_CASE("pipes by words") {
  const auto pipe = parse_argument("q", "pipe int4 64 data:(1,2,3,4)");
  REQUIRE(pipe);
  CHECK(pipe->kind == ArgumentSpec::Kind::kPipe);
  CHECK((pipe->pipe.packet_bytes == 16 && pipe->pipe.max_packets == 64));
  REQUIRE(pipe->pipe.type);
  CHECK(pipe->pipe.type->components == 4);
  CHECK(parse_argument("q", "pipe int3 1")->pipe.packet_bytes == 16);
  const auto sized = parse_argument("q", "pipe 12 0x10");
  REQUIRE(sized);
  CHECK((sized->pipe.packet_bytes == 12 && sized->pipe.max_packets == 16));
  CHECK_FALSE(sized->pipe.type);
  for (const auto& [words, message] :
       {std::pair{"pipe int4", "TSP-C0021: a pipe needs its packets' type or size"},
        {"pipe itn 4", "TSP-C0022: 'itn' is no type"},
        {"pipe int x", "TSP-C0022: 'x' is no number of packets"},
        {"pipe 4x 4", "TSP-C0022: '4x' is no packet size"},
        {"pipe 0 4", "TSP-C0043: expected a packet size of 1 to 4294967295, found 0"},
        {"pipe int 0", "TSP-C0043: expected a number of packets of 1 to 4294967295, found 0"},
        {"pipe 4294967296 1",
         "TSP-C0043: expected a packet size of 1 to 4294967295, found 4294967296"},
        {"pipe int 4 nothing:1", "TSP-C0022: 'nothing' is neither a type nor a kind of value"},
        {"pipe int 4 uninit:2", "TSP-C0022: what the host puts into a pipe is defined"},
        {"pipe int 4 uninit", "TSP-C0022: what the host puts into a pipe is defined"},
        {"pipe int 4 zero:2 undefined 0..3",
         "TSP-C0022: what the host puts into a pipe is defined"},
        {"pipe int 4 data:1 readonly", "TSP-C0022: the kernel's parameter says which end"}})
    CHECK_MESSAGE(error_of(parse_argument("q", words)).starts_with(message),
                  error_of(parse_argument("q", words)));
}

TEST_CASE("pipes have the packets that are written") {
  const auto empty = made("pipe int 4");
  REQUIRE(empty);
  CHECK(((*empty)->memory.bytes().empty() && (*empty)->type.spelling == "int"));
  CHECK(numbers_in(*(*empty)->count) == std::vector<int>{0});
  const auto some = made("pipe int 4 data:3,1,2");
  REQUIRE(some);
  CHECK(numbers_in(**some) == std::vector<int>{3, 1, 2});
  CHECK(numbers_in(*(*some)->count) == std::vector<int>{3});
  CHECK((*some)->count->name == "q.packets");
  CHECK(numbers_in(**made("pipe int 4 range:5:1:2")) == std::vector<int>{5, 6});
  // A value that does not say how many there are makes it full.
  CHECK(numbers_in(**made("pipe int 4 range:5:1")) == std::vector<int>{5, 6, 7, 8});
  CHECK(numbers_in(**made("pipe int2 2 int:range:5:1")) == std::vector<int>{5, 6, 7, 8});
  CHECK(numbers_in(**made("pipe 8 2 bytes:hex:0100000002000000")) == std::vector<int>{1, 2});
  CHECK((*made("pipe 12 2"))->type.spelling == "uchar[12]");
  CHECK(error_of(made("pipe int 2 data:1,2,3")) ==
        "TSP-C0043: expected packets of 4 bytes, at most 2 of them, found 12 bytes for pipe 'q'");
  CHECK(error_of(made("pipe int4 2 int:data:1,2,3")) ==
        "TSP-C0043: expected packets of 16 bytes, at most 2 of them, found 12 bytes for pipe 'q'");
  CHECK(error_of(made("pipe int 100", 399)) ==
        "TSP-L0004: pipe 'q' of 400 bytes exceeds the limit of 399");
  CHECK(error_of(made("pipe 4294967295 4294967295")).starts_with("TSP-L0004"));
}

TEST_CASE("what is left in a pipe is copied when it is looked at") {
  const auto pipe = made("pipe int 4 data:1,2");
  REQUIRE(pipe);
  CHECK((*pipe)->pipe->read(1).size() == 4);
  CHECK(numbers_in(**pipe) == std::vector<int>{1, 2});
  REQUIRE(look_at_packets(**pipe));
  CHECK(numbers_in(**pipe) == std::vector<int>{2});
  CHECK(numbers_in(*(*pipe)->count) == std::vector<int>{1});
  CHECK((*pipe)->pipe->size_bytes() == 16);
}

TEST_CASE("pipes meet their parameters") {
  const ParameterInfo parameter = pipe_parameter(16, "int4");
  CHECK(kind_of(parameter) == ParameterKind::kPipe);
  CHECK(argument_template(parameter) == "p = pipe int4 1024 zero");
  CHECK(argument_template(pipe_parameter(12, "Thing")) == "p = pipe 12 1024 zero");
  CHECK(argument_template(pipe_parameter(0, "")) == "p = pipe 4 1024 zero");
  CHECK(argument_template(pipe_parameter(0, "uint")) == "p = pipe uint 1024 zero");
  const auto typed = bound(parameter, "pipe int4 4");
  REQUIRE(typed);
  CHECK(typed->argument.kind == Argument::Kind::kPipe);
  CHECK(bound(parameter, "pipe 16 4")->buffer->type.spelling == "int4");
  CHECK(error_of(bound(parameter, "pipe int2 4")) ==
        "TSP-C0003: argument 'p': a pipe of packets of 16 bytes is expected (read_only pipe int4), "
        "found one of packets of 8 bytes");
  CHECK(bound(pipe_parameter(0, "int4"), "pipe int2 4").ok());
  for (const char* words : {"int:zero:4", "3", "null", "sampler nearest", "buffer b",
                            "buffer q size 4", "image 1d R FLOAT 4"}) {
    const BufferTable known{
        {"q", *made("pipe int4 4")},
        {"b", *make_buffer("b", *parse_value_spec("int:zero:4"), nullptr, 100)}};
    CHECK(error_of(bound(parameter, words, known))
              .starts_with("TSP-C0003: argument 'p': a pipe is expected"));
  }
}

TEST_CASE("declared pipes are no buffers") {
  const BufferTable known{{"q", *made("pipe int4 4")}};
  CHECK(bound(pipe_parameter(16, "int4"), "buffer q", known)->buffer == known.at("q"));
  ParameterInfo parameter;
  parameter.name = "p";
  parameter.type.kind = TypeInfo::Kind::kPointer;
  parameter.type.spelling = "global int4*";
  parameter.type.address_space = "global";
  CHECK(error_of(bound(parameter, "buffer q", known)) ==
        "TSP-C0003: argument 'p': a buffer is expected (global int4*), 'q' is a pipe");
  CHECK(error_of(bound(parameter, "buffer q size 4", known)) ==
        "TSP-C0003: 'q' is a pipe, which has no slices");
  CHECK(
      error_of(bound(parameter, "pipe int 4", known)) ==
      "TSP-C0003: argument 'p': a buffer is expected (global int4*), found a pipe of packets of 4 "
      "bytes");
}

TEST_CASE("pipes are written as they are read") {
  LaunchWriter writer;
  for (const char* words : {"pipe int4 64", "pipe 12 3 bytes:hex:000102", "pipe float 8 zero:4",
                            "pipe int2 2 data:(1,2),(3,4)", "pipe uint 8 range:0:1"}) {
    const auto first = parse_argument("q", words);
    REQUIRE(first);
    writer.argument(*first, "");
    CHECK(writer.text().ends_with(std::string("arg q = ") + words + "\n"));
    BufferSpec spec{.name = "q",
                    .kind = BufferSpec::Kind::kPipe,
                    .value = first->value,
                    .slice = {},
                    .image = {},
                    .pipe = first->pipe,
                    .where = {}};
    writer.memory(spec);
    CHECK(writer.text().ends_with(std::string("buffer q = ") + words + "\n"));
  }
}

}  // namespace transpire::test
