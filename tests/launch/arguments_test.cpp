// Arguments of the launch language: words, what buffers, values, images, pipes and queues they make, that they are written as read,
// and what is said where they do not fit the kernel's parameters.

#include "launch/language/launch_writer.h"
#include "launch/language/parameters.h"
#include "launch/language/plan_builder.h"
#include "launch/language/queue_argument.h"
#include "launch/runner/bind.h"
#include "launch/runner/image_maker.h"
#include "launch/runner/known_queues.h"
#include "launch/runner/pipe_maker.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;

TypeInfo pointer_to(const TypeInfo& type, const char* space) {
  TypeInfo pointer;
  pointer.kind = TypeInfo::Kind::kPointer;
  pointer.spelling = std::string(space) + " " + type.spelling + "*";
  pointer.address_space = space;
  pointer.size_bytes = 8;
  pointer.elements = {type};
  return pointer;
}

/// struct { float x; float y; } or, mixed, struct { float x; uint y; }
TypeInfo pair_type(bool mixed) {
  TypeInfo type;
  type.kind = TypeInfo::Kind::kStruct;
  type.spelling = "struct Pair";
  type.elements = {named("float"), named(mixed ? "uint" : "float")};
  type.member_names = {"x", "y"};
  type.member_offsets = {0, 4};
  type.size_bytes = 8;
  type.align_bytes = 4;
  return type;
}

ParameterInfo parameter_of(std::string name, TypeInfo type, bool by_value_struct = false) {
  ParameterInfo parameter;
  parameter.name = std::move(name);
  parameter.type = std::move(type);
  parameter.by_value_struct = by_value_struct;
  return parameter;
}

ParameterInfo buffer_of(const TypeInfo& type) {
  return parameter_of("y", pointer_to(type, "global"));
}
ParameterInfo value_of(const TypeInfo& type) { return parameter_of("a", type); }

ParameterInfo queue_parameter() {
  ParameterInfo parameter;
  parameter.name = "q";
  parameter.type.spelling = "queue_t";
  parameter.is_queue = true;
  return parameter;
}

Result<BoundArgument> bound(const ParameterInfo& parameter, const std::string& text,
                            const BufferTable& known = {}) {
  const auto argument = parse_argument(parameter.name, text);
  if (!argument) return argument.errors();
  return bind_argument(parameter, *argument, known, kMaxBytes);
}

/// Image 'a' or pipe 'q'.
Result<BoundBufferPointer> made(const std::string& words, std::uint64_t max_bytes = kMaxBytes) {
  const bool is_pipe = words.starts_with("pipe");
  const auto argument = parse_argument(is_pipe ? "q" : "a", words);
  if (!argument) return argument.errors();
  return is_pipe ? make_pipe("q", argument->pipe, argument->value, max_bytes)
                 : make_image("a", argument->image, argument->value, max_bytes);
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

TEST_CASE("buffers take data of the pointee's width and kind") {
  const ParameterInfo y = buffer_of(named("float"));
  CHECK(bound(y, "float:zero:4")->buffer->memory.bytes().size() == 16);
  CHECK(bound(y, "range:0:1:4")->buffer->type.spelling == "float");
  for (const char* text : {"float4:zero:1", "uint:zero:4:raw", "bytes:hex:00"})
    CHECK_MESSAGE(bound(y, text).ok(), text);
  CHECK(bound(y, "null")->argument.kind == Argument::Kind::kNull);
  CHECK(errors_of(bound(y, "uint:zero:4")) ==
        "error[TSP-C0003]: argument 'y': the parameter points to float, the data are of type uint\n"
        "help: write the value as float, or add ':raw' to pass the bytes as they are\n");
  CHECK_FALSE(bound(y, "double:zero:4").ok());
  CHECK(bound(buffer_of(named("uint")), "int:zero:4").ok());
  CHECK(
      errors_of(bound(y, "3")) ==
      "error[TSP-C0003]: argument 'y': a buffer is expected (global float*), found a value\n"
      "help: a buffer of one element is 'y = float:data:3', one of 1024 'y = float:fill:3:1024'\n");
  CHECK_FALSE(bound(y, "local:4").ok());
}

TEST_CASE("buffers must hold whole elements") {
  const ParameterInfo y = buffer_of(named("float4"));
  CHECK(bound(y, "float:range:0:1:8").ok());
  CHECK(error_of(bound(y, "float:zero:6")) ==
        "TSP-C0003: argument 'y': 24 bytes are not a whole number of float4 of 16 bytes each");
  CHECK(bound(y, "bytes:zero:6").ok());
}

TEST_CASE("buffers of structs") {
  CHECK(bound(buffer_of(pair_type(false)), "float:range:0:1:4").ok());
  CHECK_FALSE(bound(buffer_of(pair_type(true)), "float:range:0:1:4").ok());
  CHECK(bound(buffer_of(pair_type(true)), "uchar:zero:16").ok());
  CHECK_FALSE(bound(buffer_of(pair_type(false)), "uchar:zero:16").ok());
  const auto data = bound(buffer_of(pair_type(true)), "data:{1.5, 2},{3, 4}");
  REQUIRE_MESSAGE(data.ok(), errors_of(data));
  CHECK(format_value(data->buffer->type, data->buffer->memory.bytes()) == "{x=1.5, y=2}");
  CHECK(bound(buffer_of(pair_type(true)), "zero:3")->buffer->memory.bytes().size() == 24);
  CHECK(bound(buffer_of(pair_type(true)), "bytes:zero:16")->buffer->type.spelling == "struct Pair");
}

TEST_CASE("buffers of pointers take integers of their size") {
  const ParameterInfo slots = buffer_of(pointer_to(named("uint"), "global"));
  CHECK(bound(slots, "ulong:zero:4").ok());
  CHECK_FALSE(bound(slots, "uint:zero:4").ok());
}

TEST_CASE("values take one value of the parameter's type") {
  CHECK(bound(value_of(named("float")), "3")->argument.bytes.size() == 4);
  CHECK(bound(value_of(named("float")), "float:hex:0x7fc00001")->argument.bytes[0] == std::byte{1});
  CHECK(bound(value_of(named("uint")), "-1").ok());
  CHECK(bound(value_of(named("uint")), "int:-1").ok());
  CHECK(bound(value_of(named("float3")), "(1,2,3)")->argument.bytes.size() == 16);
  CHECK(bound(value_of(pair_type(true)), "struct { 1, 2 }")->argument.bytes.size() == 8);
  CHECK(bound(value_of(pair_type(true)), "bytes:hex:0000803f02000000").ok());
  CHECK(errors_of(bound(value_of(named("uchar")), "300")) ==
        "error[TSP-C0022]: '300' is no uchar: the range is 0 to 255\n"
        "  = for argument 'a' of type uchar\n");
  CHECK(error_of(bound(value_of(named("float")), "int:3")) ==
        "TSP-C0003: argument 'a': float is expected, found int");
  CHECK(error_of(bound(value_of(named("float")), "bytes:hex:00")) ==
        "TSP-C0003: argument 'a': float takes 4 bytes, the value has 1");
  CHECK_FALSE(bound(value_of(named("float")), "1 2").ok());
  CHECK_FALSE(bound(value_of(named("float")), "null").ok());
  CHECK_FALSE(bound(value_of(named("float")), "local:4").ok());
}

TEST_CASE("structs by value are pointers in the module") {
  const ParameterInfo s = parameter_of("s", pointer_to(pair_type(true), "private"), true);
  CHECK(kind_of(s) == ParameterKind::kValue);
  CHECK(bound(s, "{ 1, 2 }")->argument.bytes.size() == 8);
}

TEST_CASE(
    "the template of a buffer whose elements stand apart otherwise than their type's name says") {
  TypeInfo element = named("float3");
  CHECK(argument_template(buffer_of(element)) == "y = float3:zero:1024");
  element.size_bytes = 12;
  element.align_bytes = 4;
  CHECK(argument_template(buffer_of(element)) == "y = zero:1024");
}

TEST_CASE("a parameter that the kernel does not use takes anything") {
  ParameterInfo unused = parameter_of("u", {});
  unused.is_unused = true;
  CHECK(bound(unused, "3")->argument.kind == Argument::Kind::kNull);
  CHECK(bound(unused, "float:zero:4")->argument.kind == Argument::Kind::kNull);
}

TEST_CASE("local memory") {
  const ParameterInfo t = parameter_of("t", pointer_to(named("float"), "local"));
  CHECK(bound(t, "local:256")->argument.local_bytes == 256);
  CHECK_FALSE(bound(t, "local:0").ok());
  CHECK_FALSE(bound(t, "float:zero:4").ok());
}

TEST_CASE("declared buffers are shared") {
  const auto data = make_buffer("data", *parse_value_spec("float:range:0:1:8"), nullptr, kMaxBytes);
  REQUIRE(data.ok());
  const ParameterInfo y = buffer_of(named("float"));
  CHECK(bound(y, "buffer data", {{"data", *data}})->buffer == *data);
  CHECK(bound(y, "buffer data offset 8", {{"data", *data}})->argument.offset_bytes == 8);
  CHECK_FALSE(bound(y, "buffer data offset 33", {{"data", *data}}).ok());
  CHECK_FALSE(bound(buffer_of(named("double")), "buffer data", {{"data", *data}}).ok());
  CHECK(errors_of(bound(y, "buffer dato", {{"data", *data}})) ==
        "error[TSP-C0026]: there is no buffer 'dato'\nhelp: the only one is 'data'\n");
  const auto partly =
      make_buffer("p", *parse_value_spec("uchar:zero:8 undefined 1..2,7"), nullptr, kMaxBytes);
  REQUIRE(partly.ok());
  std::string undefined;
  for (const std::byte bits : (*partly)->memory.undefined_bits())
    undefined += bits == std::byte{0xff} ? '?' : '0';
  CHECK(undefined == "0??0000?");
  CHECK(error_of(
            make_buffer("p", *parse_value_spec("uchar:zero:8 undefined 8"), nullptr, kMaxBytes)) ==
        "TSP-C0022: byte 8 of 'p' is said to be undefined, which has 8 bytes");
  CHECK(error_of(make_buffer("b", *parse_value_spec("1 2 3"), nullptr, kMaxBytes)) ==
        "TSP-C0022: buffer 'b' needs contents");
}

TEST_CASE("kernels and parameters are found by name or index") {
  KernelInfo kernel;
  kernel.name = "saxpy";
  kernel.parameters = {buffer_of(named("float")), value_of(named("float"))};
  CHECK(*find_parameter(kernel, "a") == 1);
  CHECK(*find_parameter(kernel, "0") == 0);
  CHECK(error_of(find_parameter(kernel, "2")) ==
        "TSP-C0003: kernel 'saxpy' has 2 arguments, there is no argument 2");
  CHECK(errors_of(find_parameter(kernel, "A_")) ==
        "error[TSP-C0003]: kernel 'saxpy' has no argument 'A_'\nhelp: the arguments are 'y' and "
        "'a'\n");
  ModuleInfo module;
  module.kernels = {kernel};
  CHECK((*find_kernel(module, ""))->name == "saxpy");
  module.kernels.push_back(kernel);
  module.kernels[1].name = "scan";
  CHECK(errors_of(find_kernel(module, "saxpi")) ==
        "error[TSP-C0002]: the module has no kernel 'saxpi'\n"
        "help: did you mean 'saxpy'? the kernels are 'saxpy' and 'scan'\n");
  CHECK(error_of(find_kernel(module, "")) ==
        "TSP-C0002: the launch names no kernel, and the module has several");
}

TEST_CASE("templates are valid arguments") {
  for (const ParameterInfo& parameter :
       {buffer_of(named("float4")), buffer_of(pair_type(true)), value_of(named("uint3")),
        value_of(pair_type(true)), parameter_of("t", pointer_to(named("float"), "local"))}) {
    const std::string text = argument_template(parameter);
    const auto argument = bound(parameter, text.substr(text.find('=') + 2).c_str());
    CHECK_MESSAGE(argument.ok(), text << '\n' << errors_of(argument));
  }
}

TEST_CASE("images by words") {
  const auto image =
      parse_argument("a", "image 2d_array RGBA UNORM_INT8 4x3x2 levels 2 uchar4:zero");
  REQUIRE(image);
  CHECK(image->kind == ArgumentSpec::Kind::kImage);
  CHECK(image->image.dim == ImageDim::k2DArray);
  CHECK((image->image.width == 4 && image->image.height == 3 && image->image.layers == 2));
  CHECK(image->image.levels == 2);
  CHECK(parse_argument("a", "image 1d_buffer R FLOAT 9 readonly")->value.read_only);
  for (const char* words :
       {"image 4d RGBA FLOAT 4", "image 2d RGBA FLOAT", "image 2d RGBA FLOAT 4",
        "image 1d RGBA FLOAT 4x4", "image 2d RGBA FLOAT 4xx4", "image 2d RGBA FLOAT 4x4 levels x",
        "image 2d RGBA FLOAT 4x4 float3:nothing:1"})
    CHECK_FALSE_MESSAGE(parse_argument("a", words).ok(), words);
}

TEST_CASE("images have elements of their format's type") {
  const auto image = made("image 2d RGBA UNORM_INT8 2x1 data:(1,2,3,4),(5,6,7,8)");
  REQUIRE(image);
  CHECK((*image)->type.spelling == "uchar4");
  CHECK((*image)->shape == std::vector<std::uint64_t>{1, 2, 4});
  CHECK((*image)->memory.bytes()[5] == std::byte{6});
  CHECK((*image)->image->texel(1)[3] == 8 / 255.0f);
  CHECK((*made("image 2d RGB UNORM_SHORT_565 2x1"))->type.spelling == "ushort");
  CHECK((*made("image 3d R FLOAT 2x2x2 fill:3"))->memory.bytes().size() == 32);
  CHECK(error_of(made("image 2d RGBA UNORM_INT8 2x1 uchar:zero:7")) ==
        "TSP-C0022: image 'a' has 8 bytes, its contents have 7");
  CHECK(error_of(made("image 2d RGBA FLOAT 2x2", 60)) ==
        "TSP-L0004: image 'a' of 64 bytes exceeds the limit of 60");
  CHECK(error_of(made("image 2d RGBA NUMBER 2x2")) ==
        "TSP-C0042: there is no channel type 'NUMBER'");
}

TEST_CASE("images of more bytes than the limit are not made") {
  // No machine has room for it: it would be refused in other words.
  CHECK(error_of(made("image 2d RGBA FLOAT 1000000000x1000000000")) ==
        "TSP-L0004: image 'a' of 16000000000000000000 bytes exceeds the limit of 1048576");
  CHECK((*made("image 2d R FLOAT 4x4 float:zero", 64))->memory.bytes().size() == 64);
  CHECK((*made("image 2d RGBA UNORM_INT8 4x4 uchar:zero:64"))->memory.bytes().size() == 64);
  CHECK(error_of(made("image 2d RGBA UNORM_INT8 2x1 uchar:zero")) ==
        "TSP-C0022: image 'a' has 8 bytes, its contents have 2");
}

TEST_CASE("images keep what may not be done with them as buffers") {
  const auto read_only = made("image 2d R FLOAT 4x4 zero readonly");
  const auto write_only = made("image 2d R FLOAT 4x4 writeonly");
  const auto both = made("image 2d R FLOAT 4x4 float:fill:1");
  REQUIRE((read_only && write_only && both));
  CHECK((*read_only)->memory.read_only());
  CHECK_FALSE((*read_only)->memory.write_only());
  CHECK((*write_only)->memory.write_only());
  CHECK_FALSE((*write_only)->memory.read_only());
  CHECK_FALSE(((*both)->memory.read_only() || (*both)->memory.write_only()));
}

TEST_CASE("images with gaps") {
  const auto image = made("image 2d R UNORM_INT8 2x2 row_pitch 3 data:1,2,3,4,5,6");
  REQUIRE(image);
  CHECK((*image)->memory.bytes().size() == 6);
  CHECK((*image)->image->texel(1, 1)[0] == 5 / 255.0f);
  CHECK((*image)->shape.empty());
  CHECK(error_of(made("image 2d R FLOAT 2x2 row_pitch 7")).starts_with("TSP-C0042"));
}

TEST_CASE("samplers by words") {
  const auto sampler = parse_argument("s", "sampler repeat linear normalized");
  REQUIRE(sampler);
  CHECK(sampler->kind == ArgumentSpec::Kind::kSampler);
  CHECK(sampler->sampler.words() == "repeat linear normalized");
  CHECK(parse_argument("s", "sampler nearest")->sampler.words() == "none nearest unnormalized");
  CHECK(error_of(parse_argument("s", "sampler smooth")) ==
        "TSP-C0042: 'smooth' says nothing of a sampler");
}

TEST_CASE("images and samplers are written as they are read") {
  LaunchWriter writer;
  for (const char* words :
       {"image 2d RGBA UNORM_INT8 4x3 uchar4:zero", "image 1d R FLOAT 4 levels 3 zero",
        "image 3d RG HALF_FLOAT 4x3x2 half2:fill:1", "image 1d_array R FLOAT 4x2 zero",
        "image 2d_array R FLOAT 4x2x3 zero readonly", "image 2d R FLOAT 4x2 samples 2 zero",
        "image 2d R FLOAT 4x2 row_pitch 20 zero",
        "image 3d R FLOAT 4x2x2 row_pitch 20 slice_pitch 60 zero",
        "image 2d RGBA UNORM_INT8 file:photo.png", "image 2d R FLOAT file:a.pfm levels 2 readonly",
        "sampler clamp linear normalized",
        "sampler clamp linear normalized mip_linear lod_min=0.5 lod_max=4"}) {
    const auto first = parse_argument("a", words);
    REQUIRE(first);
    writer.argument(*first, "");
    CHECK(writer.text().ends_with(std::string("arg a = ") + words + "\n"));
  }
}

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
  const ParameterInfo parameter = parameter_of("p", pointer_to(named("int4"), "global"));
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

TEST_CASE("queues by words") {
  const auto queue = parse_argument("q", " queue ");
  REQUIRE(queue);
  CHECK(queue->kind == ArgumentSpec::Kind::kQueue);
  CHECK(queue->queue.empty());
  const auto named = parse_argument("q", "queue  2 ");
  REQUIRE(named);
  CHECK((named->kind == ArgumentSpec::Kind::kQueue && named->queue == "2"));
  CHECK(parse_argument("q", "queue:small")->queue == "small");
  CHECK(error_of(parse_argument("q", "queue small 4KiB")) ==
        "TSP-C0021: '4KiB' was not expected after 'queue small'");
  LaunchWriter writer;
  writer.argument(*queue, "queue_t q");
  writer.argument(*named);
  CHECK(writer.text() == "arg q = queue  # queue_t q\narg q = queue 2\n");
  CHECK(error_of(parse_buffer("q", "queue")) ==
        "TSP-C0021: buffer 'q' needs contents, not 'queue'");
}

TEST_CASE("queues are declared by statements") {
  const auto queue = parse_queue(" small  4 KiB");
  REQUIRE(queue);
  CHECK((queue->name == "small" && queue->size_bytes == 4096));
  CHECK_FALSE(parse_queue("usual")->size_bytes);
  CHECK(parse_queue("one 1")->size_bytes == 1);
  CHECK(parse_queue("all 1GiB")->size_bytes == DeviceQueue::kMaxBytes);
  for (const auto& [words, error] :
       {std::pair{"", "TSP-C0021: the name of the queue is missing"},
        {"none", "TSP-C0021: a queue cannot be called 'none'"},
        {"a 0",
         "TSP-C0022: queue 'a': expected 1 to 1073741824 bytes as the size of a queue, found 0"},
        {"a 1073741825",
         "TSP-C0022: queue 'a': expected 1 to 1073741824 bytes as the size of a queue, found "
         "1073741825"},
        {"a 99999999999GiB", "TSP-C0022: '99999999999' is too large"},
        {"a b", "TSP-C0022: 'b' is no number of bytes: a whole number is expected"},
        {"a handle 0", "TSP-C0022: queue 'a' has the handle 0, and 1 to 4294967295 can be"},
        {"a 1 handle 4294967296",
         "TSP-C0022: queue 'a' has the handle 4294967296, and 1 to 4294967295 can be"},
        {"a 1 handle", "TSP-C0022: '' is no handle: a whole number is expected"},
        {"a -1", "TSP-C0022: '-1' is no number of bytes: a whole number is expected"},
        {"a 1 default",
         "TSP-C0022: '1 default' is no number of bytes: a whole number is expected"}})
    CHECK(error_of(parse_queue(words)) == error);
  PlanBuilder builder("");
  REQUIRE(builder.queue({"a"}));
  CHECK(error_of(builder.queue({"a", 4096})) == "TSP-C0021: queue 'a' is declared twice");
  for (std::size_t i = 1; i < kMaxDeviceQueues; ++i)
    REQUIRE(builder.queue({"q" + std::to_string(i)}));
  CHECK(error_of(builder.queue({"b"})) == "TSP-C0022: expected at most 1024 queues, found 1025");
  for (const char* const words : {"", "a b"})
    CHECK(error_of(builder.default_queue(words)) ==
          "TSP-C0021: 'default-queue' takes the name of a queue, or 'none'");
}

TEST_CASE("a launch has the default queue, and those that were declared") {
  const auto queues = [](const std::string& text) {
    return parse_launch_text(text + "kernel k\nglobal 1\n", "f.launch");
  };
  // By handle: its size; the first one is the default one where there is one.
  const auto given = [](const Result<LaunchPlan>& plan) {
    const auto known = queues_of(*plan);
    REQUIRE(known);
    std::string text = known->has_default ? "" : "none ";
    for (const auto& [_, queue] : known->queues)
      text += std::to_string(queue.handle) + ":" + std::to_string(queue.size_bytes) + " ";
    return text;
  };
  const std::string usual = std::to_string(DeviceQueue{}.size_bytes);
  CHECK(given(queues("")) == "1:" + usual + " ");
  CHECK(given(queues("default-queue none\n")) == "none ");
  CHECK(given(queues("queue b 100\nqueue a\n")) == "1:" + usual + " 2:100 3:" + usual + " ");
  CHECK(given(queues("queue b 100 handle 1\nqueue a 2\nqueue c handle 3\n")) ==
        "2:" + usual + " 1:100 4:2 3:" + usual + " ");
  CHECK(error_of(queues_of(*queues("queue b handle 2\nqueue a 5 handle 2\n"))) ==
        "TSP-C0022: another queue than 'a' has the handle 2");
  const auto chosen = queues("default-queue a\nqueue b 100\nqueue a 2KiB\n");
  CHECK(given(chosen) == "1:2048 2:100 ");
  CHECK(given(queues("default-queue none\nqueue b 100\n")) == "none 1:100 ");
  CHECK(given(queues("queue b 100\ndefault-queue none\ndefault-queue b\n")) == "1:100 ");
  CHECK(queues_of(*chosen)->find("b")->size_bytes == 100);
  CHECK(queues_of(*chosen)->find("")->size_bytes == 2048);
  CHECK(error_of(queues_of(*queues("queue small\ndefault-queue smal\n"))) ==
        "TSP-C0003: there is no queue 'smal'");
  LaunchWriter writer;
  for (const QueueSpec& queue : chosen->queues) writer.queue(queue);
  writer.queue({"c", {}, {}, {}});
  writer.queue({"d", 1, 9, {}});
  writer.default_queue(chosen->default_queue->name);
  CHECK(writer.text() ==
        "queue b 100\nqueue a 2048\nqueue c\nqueue d 1 handle 9\ndefault-queue a\n");
  CHECK(given(queues(writer.text())) == "1:2048 2:100 3:" + usual + " 9:1 ");
}

TEST_CASE("names of queues are those that were declared") {
  const ParameterInfo parameter = queue_parameter();
  KnownQueues known;
  const auto refused = [&](const std::string& words) {
    return error_of(bind_argument(parameter, *parse_argument("q", words), {}, 1 << 20, known));
  };
  CHECK(refused("queue a") == "TSP-C0003: argument 'q': there is no queue 'a'");
  known.queues.push_back({"small", {2, 100}});
  CHECK(refused("queue smal") == "TSP-C0003: argument 'q': there is no queue 'smal'");
  const auto bound =
      bind_argument(parameter, *parse_argument("q", "queue small"), {}, 1 << 20, known);
  REQUIRE(bound);
  CHECK((bound->argument.kind == Argument::Kind::kQueue && bound->argument.address == 2));
  known.queues.erase(known.queues.begin());
  known.has_default = false;
  CHECK(refused("queue") == "TSP-C0003: argument 'q': there is no default queue");
}

TEST_CASE("flags declare queues, and replace those of a file") {
  LaunchFlags flags;
  flags.given = {{"queue", {"a=4KiB", "b"}}, {"default-queue", {"b"}}};
  CHECK(describes_launch(flags));
  auto plan = parse_launch_text("queue a 100\nqueue c 5\nkernel k\nglobal 1\n", "f.launch");
  REQUIRE(plan);
  REQUIRE(override_plan(*plan, flags));
  std::string text;
  for (const QueueSpec& queue : plan->queues)
    text += queue.name + ":" + std::to_string(queue.size_bytes.value_or(0)) + " ";
  CHECK(text == "a:4096 c:5 b:0 ");
  CHECK(plan->default_queue->name == "b");
  flags.given["queue"] = {"a=1", "a=2", "b=0", "c=1=2"};
  CHECK(error_of(plan_from_flags(flags)) == "TSP-C0021: queue 'a' is declared twice");
  flags = {};
  flags.given["default-queue"] = {"none"};
  CHECK(describes_launch(flags));
}

TEST_CASE("queues meet their parameters") {
  const ParameterInfo parameter = queue_parameter();
  CHECK(kind_of(parameter) == ParameterKind::kQueue);
  CHECK(argument_template(parameter) == "q = queue");
  const auto queue = bound(parameter, "queue");
  REQUIRE(queue);
  CHECK(queue->argument.kind == Argument::Kind::kQueue);
  CHECK(queue->argument.address == DeviceQueue{}.handle);
  CHECK(bound(parameter, "null")->argument.kind == Argument::Kind::kNull);
  for (const auto& [words, found] : {std::pair{"1", "a value"},
                                     {"int:zero:4", "a value"},
                                     {"local:4", "local memory"},
                                     {"buffer b", "buffer 'b'"},
                                     {"sampler nearest", "a sampler"},
                                     {"pipe int 4", "a pipe of packets of 4 bytes"}})
    CHECK(error_of(bound(parameter, words)) ==
          std::string("TSP-C0003: argument 'q': a queue is expected (queue_t), found ") + found);
  const ParameterInfo number = parameter_of("n", named("int"));
  CHECK(error_of(bound(number, "queue")) ==
        "TSP-C0003: argument 'n': a value is expected (int), found a queue");
  const ParameterInfo pointer = buffer_of(named("int"));
  CHECK(error_of(bound(pointer, "queue")) ==
        "TSP-C0003: argument 'y': a buffer is expected (global int*), found a queue");
  CHECK(error_of(bound(parameter_of("t", pointer_to(named("int"), "local")), "queue")) ==
        "TSP-C0003: argument 't': a size of local memory is expected (local int*), found a queue");
}

TEST_CASE("a launch without a name is of the kernel that no other one enqueues") {
  ModuleInfo module;
  module.kernels.resize(3);
  module.kernels[0].name = "block";
  module.kernels[1].name = "k";
  module.kernels[2].name = "other_block";
  module.kernels[0].is_enqueued = module.kernels[2].is_enqueued = true;
  CHECK((*find_kernel(module, ""))->name == "k");
  CHECK((*find_kernel(module, "block"))->name == "block");
  module.kernels[2].is_enqueued = false;
  CHECK(error_of(find_kernel(module, "")).starts_with("TSP-C0002"));
  module.kernels.resize(1);
  CHECK(error_of(find_kernel(module, "")).starts_with("TSP-C0002"));
}

}  // namespace
}  // namespace transpire::test
