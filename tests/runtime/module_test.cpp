// Loading modules, and what they say about themselves.
#include "runtime/state.h"
#include "tests/runtime/support.h"

namespace transpire::test {
TEST_CASE("a module describes its kernels") {
  const Module module = load(kSaxpy);
  const ModuleInfo& info = module.info();
  CHECK(info.pointer_bits == 64);
  CHECK(info.source_language == "OpenCL C 1.2");
  CHECK(info.capabilities == std::vector<std::string>{"Addresses", "Int64", "Kernel"});
  REQUIRE(info.kernels.size() == 1);
  const KernelInfo& kernel = info.kernels[0];
  CHECK(kernel.name == "saxpy");
  REQUIRE(kernel.parameters.size() == 3);
  CHECK(kernel.parameters[0].name == "y");
  CHECK(kernel.parameters[0].type.spelling == "global float*");
  CHECK(kernel.parameters[0].type.address_space == "global");
  CHECK_FALSE(kernel.parameters[0].no_write);
  CHECK(kernel.parameters[1].no_write);
  CHECK(kernel.parameters[2].type.spelling == "float");
  CHECK(module.kernel("saxpy") == &kernel);
  CHECK(module.kernel("nothing") == nullptr);
}

TEST_CASE("integers are as signed as the source says, where the module repeats its words") {
  constexpr std::string_view kKernel = R"(
kernel f(%_ptr_CrossWorkgroup_uint a, %_ptr_Workgroup_v4uint b, %uchar c, %ulong d, %uint e, %float g, %_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint h, %uint i)
)";
  const auto spellings = [&](const std::string& strings) {
    std::vector<std::string> result;
    const Module module = load(strings + std::string(kKernel));
    for (const ParameterInfo& parameter : module.kernel("f")->parameters)
      result.push_back(parameter.type.spelling);
    return result;
  };
  const std::vector<std::string> unsigned_words{
      "global uint*", "local uint4*",         "uchar", "ulong", "uint",
      "float",        "global uint* global*", "uint"};
  CHECK(spellings("") == unsigned_words);
  CHECK(spellings("%s = OpString "
                  "\"kernel_arg_type.f.int*,int4*,char,long,my_int,float,int**,unsigned int,\"") ==
        std::vector<std::string>{"global int*", "local int4*", "char", "long", "uint", "float",
                                 "global uint* global*", "uint"});
  // Words of another kernel, too few of them, and words for types of other widths.
  CHECK(
      spellings("%s = OpString \"kernel_arg_type.g.int*,int4*,char,long,int,float,int**,int,\"") ==
      unsigned_words);
  CHECK(spellings("%s = OpString \"kernel_arg_type.f.int*,int4*,\"") == unsigned_words);
  CHECK(spellings("%s = OpString \"kernel_arg_type.f.long*,int3*,int,int,int*,int,int,short,\"") ==
        unsigned_words);
}

TEST_CASE("specialisation keeps the default in the description and refuses unknown ids") {
  LoadOptions options;
  options.specialisation = {{7, 99}};
  CHECK(load(kShapes, options).info().spec_constants[0].default_bits == 16);
  options.specialisation = {{8, 1}};
  const auto refused = Module::load(std::as_bytes(std::span(kShapes)), options);
  CHECK(error_of(refused) == "TSP-C0032: no specialisation constant has SpecId 8");
  CHECK(refused.errors()[0].help == "the module's SpecIds are 7");
}

TEST_CASE("a module with other values is decoded once, and is all that the module is") {
  const Module module = load(kShapes);
  CHECK(module.state()->module.times_decoded == 1);
  LoadOptions options;
  options.specialisation = {{7, 99}};
  options.name = "other";
  for (const Result<Module>& found :
       {module.specialised(options), Result<Module>(load(kShapes, options))}) {
    REQUIRE(found.ok());
    CHECK(found->state()->module.times_decoded == 1);
    CHECK(found->state()->module.input_name == "other");
    CHECK(found->info().spec_constants[0].default_bits == 16);
    CHECK(found->assembly() == module.assembly());
    CHECK(std::ranges::equal(found->words(), module.words()));
    CHECK(std::ranges::equal(found->specialisation(), options.specialisation));
    CHECK(found->validate().empty());
    for (const KernelInfo& kernel : module.info().kernels)
      CHECK(found->kernel(kernel.name) != nullptr);
  }
  CHECK(module.specialisation().empty());
  CHECK(module.state()->module.input_name == "<module>");
  options.specialisation = {{8, 1}};
  CHECK(error_of(module.specialised(options)) ==
        "TSP-C0032: no specialisation constant has SpecId 8");
}

TEST_CASE(
    "a value that a text's array cannot have is refused at the array's place, by a second "
    "decoding") {
  constexpr std::string_view kText = R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpDecorate %n SpecId 7
%uint = OpTypeInt 32 0
%n = OpSpecConstant %uint 2
%array = OpTypeArray %uint %n
%one = OpConstant %uint 1
%both = OpConstantComposite %array %one %one
)";
  const auto module = Module::load(std::as_bytes(std::span(kText)));
  REQUIRE(module.ok());
  LoadOptions options;
  options.specialisation = {{7, 3}};
  options.name = "both.spvasm";
  const auto refused = module->specialised(options);
  CHECK(error_of(refused) ==
        "TSP-U0003: expected 3 constituents of uint[3], found 2: its length, which specialization "
        "constants give, is "
        "another one");
  CHECK(refused.errors()[0].source.line == 10);
  CHECK(refused.errors()[0].input == "both.spvasm");
}

TEST_CASE("words of either byte order are accepted, other bytes are not") {
  const Module module = load(kSaxpy);
  std::vector<std::uint32_t> words = module.state()->module.words;
  const Result<Module> native = Module::load(std::as_bytes(std::span(words)));
  for (std::uint32_t& word : words) word = __builtin_bswap32(word);
  const Result<Module> swapped = Module::load(std::as_bytes(std::span(words)));
  REQUIRE(native.ok());
  REQUIRE(swapped.ok());
  CHECK(*native->disassemble() == *swapped->disassemble());
  CHECK(native->disassemble()->find("OpEntryPoint Kernel") != std::string::npos);
  const std::byte garbage[8] = {};
  CHECK_FALSE(Module::load(garbage).ok());
  CHECK_FALSE(Module::load({}).ok());
}

TEST_CASE("files that cannot be read are named") {
  CHECK(error_of(Module::load_file("/nonexistent/a.spv")) ==
        "TSP-C0001: cannot read '/nonexistent/a.spv': No such file or directory");
  CHECK(error_of(Module::load_file("/nonexistent/a.cl")) ==
        "TSP-C0001: cannot read '/nonexistent/a.cl': No such file or directory");
}

TEST_CASE("a module is validated for an environment, as producers make it") {
  CHECK(load(kSaxpy).validate("opencl2.2").empty());
  CHECK(load(kSaxpy).validate("opencl2.2-embedded").size() == 1);  // SPIRV-Tools on Int64
  const Diagnostics unknown = load(kSaxpy).validate("vulkan");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].message == "expected an environment, found 'vulkan'");

  std::string broken(kSaxpy);
  broken.replace(broken.find("OpFAdd %float"), 13, "OpFAdd %ulong");
  const Diagnostics errors = load(broken).validate();
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].rule == "TSP-UNI-24");
  CHECK(errors[0].instruction == "OpFAdd");
}

}  // namespace transpire::test
