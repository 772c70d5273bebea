// Arguments against parameters: types, names and what is said when they do not fit.
#include "launch/bind.h"

#include <cstring>

#include "launch/plan_builder.h"
#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;
namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;

TypeInfo named(const char* name) { return type_of(*type_word(name)); }

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

Result<BoundArgument> bind(const ParameterInfo& parameter, const char* text,
                           const BufferTable& known = {}) {
  const auto argument = parse_argument(parameter.name, text);
  if (!argument) return argument.errors();
  return bind_argument(parameter, *argument, known, kMaxBytes);
}

}  // namespace

TEST_CASE("buffers take data of the pointee's width and kind") {
  const ParameterInfo y = buffer_of(named("float"));
  CHECK(bind(y, "float:zero:4")->buffer->memory.bytes().size() == 16);
  CHECK(bind(y, "range:0:1:4")->buffer->type.spelling == "float");
  CHECK(bind(y, "float4:zero:1").ok());
  CHECK(bind(y, "uint:zero:4:raw").ok());
  CHECK(bind(y, "bytes:hex:00").ok());
  CHECK(bind(y, "null")->argument.kind == Argument::Kind::kNull);
  CHECK(errors_of(bind(y, "uint:zero:4")) ==
        "error[TSP-C0003]: argument 'y': the parameter points to float, the data are of type uint\n"
        "help: write the value as float, or add ':raw' to pass the bytes as they are\n");
  CHECK_FALSE(bind(y, "double:zero:4").ok());
  CHECK(bind(buffer_of(named("uint")), "int:zero:4").ok());
  CHECK(
      errors_of(bind(y, "3")) ==
      "error[TSP-C0003]: argument 'y': a buffer is expected (global float*), found a value\n"
      "help: a buffer of one element is 'y = float:data:3', one of 1024 'y = float:fill:3:1024'\n");
  CHECK_FALSE(bind(y, "local:4").ok());
}

TEST_CASE("buffers must hold whole elements") {
  const ParameterInfo y = buffer_of(named("float4"));
  CHECK(bind(y, "float:range:0:1:8").ok());
  CHECK(error_of(bind(y, "float:zero:6")) ==
        "TSP-C0003: argument 'y': 24 bytes are not a whole number of float4 of 16 bytes each");
  CHECK(bind(y, "bytes:zero:6").ok());
}

TEST_CASE("buffers of structs") {
  CHECK(bind(buffer_of(pair_type(false)), "float:range:0:1:4").ok());
  CHECK_FALSE(bind(buffer_of(pair_type(true)), "float:range:0:1:4").ok());
  CHECK(bind(buffer_of(pair_type(true)), "uchar:zero:16").ok());
  CHECK_FALSE(bind(buffer_of(pair_type(false)), "uchar:zero:16").ok());
  const auto data = bind(buffer_of(pair_type(true)), "data:{1.5, 2},{3, 4}");
  REQUIRE_MESSAGE(data.ok(), errors_of(data));
  CHECK(format_value(data->buffer->type, data->buffer->memory.bytes()) == "{x=1.5, y=2}");
  CHECK(bind(buffer_of(pair_type(true)), "zero:3")->buffer->memory.bytes().size() == 24);
  CHECK(bind(buffer_of(pair_type(true)), "bytes:zero:16")->buffer->type.spelling == "struct Pair");
}

TEST_CASE("buffers of pointers take integers of their size") {
  const ParameterInfo slots = buffer_of(pointer_to(named("uint"), "global"));
  CHECK(bind(slots, "ulong:zero:4").ok());
  CHECK_FALSE(bind(slots, "uint:zero:4").ok());
}

TEST_CASE("values take one value of the parameter's type") {
  CHECK(bind(value_of(named("float")), "3")->argument.bytes.size() == 4);
  CHECK(bind(value_of(named("float")), "float:hex:0x7fc00001")->argument.bytes[0] == std::byte{1});
  CHECK(bind(value_of(named("uint")), "-1").ok());
  CHECK(bind(value_of(named("uint")), "int:-1").ok());
  CHECK(bind(value_of(named("float3")), "(1,2,3)")->argument.bytes.size() == 16);
  CHECK(bind(value_of(pair_type(true)), "struct { 1, 2 }")->argument.bytes.size() == 8);
  CHECK(bind(value_of(pair_type(true)), "bytes:hex:0000803f02000000").ok());
  CHECK(errors_of(bind(value_of(named("uchar")), "300")) ==
        "error[TSP-C0022]: '300' is no uchar: the range is 0 to 255\n"
        "  = for argument 'a' of type uchar\n");
  CHECK(error_of(bind(value_of(named("float")), "int:3")) ==
        "TSP-C0003: argument 'a': float is expected, found int");
  CHECK(error_of(bind(value_of(named("float")), "bytes:hex:00")) ==
        "TSP-C0003: argument 'a': float takes 4 bytes, the value has 1");
  CHECK_FALSE(bind(value_of(named("float")), "1 2").ok());
  CHECK_FALSE(bind(value_of(named("float")), "null").ok());
  CHECK_FALSE(bind(value_of(named("float")), "local:4").ok());
}

TEST_CASE("structs by value are pointers in the module") {
  const ParameterInfo s = parameter_of("s", pointer_to(pair_type(true), "private"), true);
  CHECK(kind_of(s) == ParameterKind::kValue);
  CHECK(bind(s, "{ 1, 2 }")->argument.bytes.size() == 8);
}

TEST_CASE("local memory") {
  const ParameterInfo t = parameter_of("t", pointer_to(named("float"), "local"));
  CHECK(bind(t, "local:256")->argument.local_bytes == 256);
  CHECK_FALSE(bind(t, "local:0").ok());
  CHECK_FALSE(bind(t, "float:zero:4").ok());
}

TEST_CASE("declared buffers are shared") {
  const auto data = make_buffer("data", *parse_value_spec("float:range:0:1:8"), nullptr, kMaxBytes);
  REQUIRE(data.ok());
  const ParameterInfo y = buffer_of(named("float"));
  CHECK(bind(y, "buffer data", {{"data", *data}})->buffer == *data);
  CHECK(bind(y, "buffer data offset 8", {{"data", *data}})->argument.offset_bytes == 8);
  CHECK_FALSE(bind(y, "buffer data offset 33", {{"data", *data}}).ok());
  CHECK_FALSE(bind(buffer_of(named("double")), "buffer data", {{"data", *data}}).ok());
  CHECK(errors_of(bind(y, "buffer dato", {{"data", *data}})) ==
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
    const auto bound = bind(parameter, text.substr(text.find('=') + 2).c_str());
    CHECK_MESSAGE(bound.ok(), text << '\n' << errors_of(bound));
  }
}

}  // namespace transpire::test
