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

TEST_CASE("types open into trees") {
  const Module module = load(kShapes);
  const std::vector<ParameterInfo>& parameters = module.kernel("shapes")->parameters;
  REQUIRE(parameters.size() == 4);
  REQUIRE(parameters[0].type.elements.size() == 1);
  const TypeInfo& particle = parameters[0].type.elements[0];
  CHECK(particle.kind == TypeInfo::Kind::kStruct);
  CHECK(particle.spelling == "struct Particle");
  CHECK(particle.size_bytes == 32);
  CHECK(particle.member_names == std::vector<std::string>{"position", "id"});
  CHECK(particle.member_offsets == std::vector<std::uint64_t>{0, 16});
  CHECK(particle.elements[0].kind == TypeInfo::Kind::kVector);
  CHECK(particle.elements[0].count == 4);
  CHECK(particle.elements[0].elements[0].width_bits == 32);
  CHECK(parameters[1].type.size_bytes == 16);
  CHECK(parameters[1].type.count == 3);
  CHECK(parameters[2].by_value_struct);
  CHECK(parameters[3].type.address_space == "local");
}

TEST_CASE("integers are as signed as the source says, where the module repeats its words") {
  constexpr std::string_view kKernel = R"(
kernel f(%_ptr_CrossWorkgroup_uint a, %_ptr_Workgroup_v4uint b, %uchar c, %ulong d, %uint e, %float g, %_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint h, %uint i)
OpReturn
OpFunctionEnd
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

TEST_CASE("execution modes and specialisation constants are listed") {
  const Module module = load(kShapes);
  CHECK(module.kernel("fixed")->required_local_size == std::array<std::uint64_t, 3>{8, 4, 1});
  CHECK(module.kernel("fixed")->execution_modes == std::vector<std::string>{"LocalSize 8 4 1"});
  REQUIRE(module.info().spec_constants.size() == 1);
  const SpecConstantInfo& constant = module.info().spec_constants[0];
  CHECK(constant.spec_id == 7);
  CHECK(constant.name == "width");
  CHECK(constant.default_bits == 16);
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

TEST_CASE("modules are linked by the names they export and import") {
  const Module modules[] = {load(kSaxpy), load(kCounter)};
  const Result<Module> linked = Module::link(modules);
  REQUIRE(linked.ok());
  CHECK(linked->info().kernels.size() == 2);
}

TEST_CASE("files that cannot be read are named") {
  CHECK(error_of(Module::load_file("/nonexistent/a.spv")) ==
        "TSP-C0001: cannot read '/nonexistent/a.spv': No such file or directory");
  CHECK(error_of(Module::load_file("/nonexistent/a.cl")) ==
        "TSP-C0001: cannot read '/nonexistent/a.cl': No such file or directory");
}

TEST_CASE("OpenCL C is compiled, and its errors keep their lines") {
  const TemporaryFile good(".cl",
                           "kernel void k(global int* out) {\n  out[get_global_id(0)] = N;\n}\n");
  LoadOptions options;
  options.build_options = {"-DN=42"};
  const Result<Module> module = Module::load_file(good.path(), options);
  if (!module && module.errors()[0].rule == "TSP-C0031") return;  // no compiler on this machine
  REQUIRE(module.ok());
  REQUIRE(module->kernel("k") != nullptr);
  CHECK(module->kernel("k")->parameters[0].name == "out");
  CHECK(module->kernel("k")->parameters[0].type.spelling == "global int*");
  CHECK(module->info().source_language == "OpenCL C 1.2");
  CHECK(module->validate().empty());

  const TemporaryFile bad(".cl", "kernel void k(global int* out) {\n  *out = nope;\n}\n");
  const Result<Module> refused = Module::load_file(bad.path());
  CHECK(error_of(refused) == "TSP-C0030: use of undeclared identifier 'nope'");
  CHECK(refused.errors()[0].source.line == 2);
  CHECK(refused.errors()[0].source.column == 10);
}

TEST_CASE("blocks of OpenCL C are not kernels of the source, and queues are known as such") {
  LoadOptions options;
  options.build_options = {"-cl-std=CL2.0"};
  const auto module = Module::load_source(
      "kernel void k(queue_t q, global int *y) {\n"
      "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ y[0] = 1; });\n"
      "}\n"
      "kernel void other(global int *y) { y[0] = get_kernel_work_group_size(^{ y[1] = 2; }); }\n",
      options);
  if (!can_compile_source()) return;
  REQUIRE_MESSAGE(module.ok(), format(module.errors()[0]));
  std::vector<std::string> kernels, blocks;
  for (const KernelInfo& kernel : module->info().kernels)
    (kernel.is_enqueued ? blocks : kernels).push_back(kernel.name);
  CHECK(kernels == std::vector<std::string>{"k", "other"});
  CHECK(blocks ==
        std::vector<std::string>{"__k_block_invoke_kernel", "__other_block_invoke_kernel"});
  const std::vector<ParameterInfo>& parameters = module->kernel("k")->parameters;
  CHECK((parameters[0].is_queue && !parameters[1].is_queue));
}

TEST_CASE("a module is validated for an environment, as producers make it") {
  CHECK(load(kSaxpy).validate("opencl2.2").empty());
  CHECK(load(kSaxpy).validate("opencl2.2-embedded").size() == 1);  // SPIRV-Tools on Int64
  const Diagnostics unknown = load(kSaxpy).validate("vulkan");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].message == "expected an OpenCL environment, found 'vulkan'");

  std::string broken(kSaxpy);
  broken.replace(broken.find("OpFAdd %float"), 13, "OpFAdd %ulong");
  const Diagnostics errors = load(broken).validate();
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].rule == "TSP-UNI-24");
  CHECK(errors[0].instruction == "OpFAdd");
}

}  // namespace transpire::test
