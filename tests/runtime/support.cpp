#include "tests/runtime/support.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <tuple>

#include "tests/shorthand/shorthand.h"

namespace transpire::test {

const std::string kSaxpy = shorthand::declare(R"(
OpSource OpenCL_C 102000
%file = OpString "saxpy.cl"
OpDecorate %x FuncParamAttr NoWrite
kernel saxpy(%_ptr_CrossWorkgroup_float y x, %float a)
OpLine %file 3 5
%vx = load %x[%gid]
%vy = load %y[%gid]
%ax = OpFMul %float %a %vx
%sum = OpFAdd %float %vy %ax
store %y[%gid] %sum
)");

const std::string kShapes = shorthand::declare(R"(
OpExecutionMode %fixed LocalSize 8 4 1
OpSource OpenCL_C 200000
OpName %Particle "struct.Particle"
OpMemberName %Particle 0 "position"
OpMemberName %Particle 1 "id"
OpName %width "width"
OpDecorate %by_value FuncParamAttr ByVal
OpDecorate %width SpecId 7
%width = OpSpecConstant %uint 16
%Particle = OpTypeStruct %v4float %uchar
kernel shapes(%_ptr_CrossWorkgroup_Particle p, %v3uint v, %_ptr_Function_Particle by_value, %_ptr_Workgroup_uint scratch)
kernel fixed()
)");

const std::string kCounter = shorthand::declare(R"(
OpName %counter "counter"
%counter = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_5
kernel count(%_ptr_CrossWorkgroup_uint total)
%value = load %counter
store %total %value
%next = OpIAdd %uint %value %uint_1
store %counter %next
)");

Module load(std::string_view text, LoadOptions options) {
  const bool is_short = text.find("OpMemoryModel") == text.npos;
  const std::string whole = is_short ? shorthand::declare(text) : std::string(text);
  Result<Module> module = Module::load(std::as_bytes(std::span(whole)), options);
  if (!module) FAIL(format(module.errors()[0]));
  return std::move(module).value();
}

Buffer make_buffer(std::uint64_t bytes, std::string name) {
  return Buffer::create(bytes, std::move(name)).value();
}

TemporaryFile::TemporaryFile(const std::string& suffix, std::string_view text)
    : path_((std::filesystem::temp_directory_path() / "transpire-test-XXXXXX").string() + suffix) {
  const int descriptor = mkstemps(path_.data(), static_cast<int>(suffix.size()));
  REQUIRE(descriptor >= 0);
  close(descriptor);
  std::ofstream(path_, std::ios::binary) << text;
}

TemporaryFile::~TemporaryFile() { std::filesystem::remove(path_); }

SilentPipe::SilentPipe() : path_(TemporaryFile(".spv", "").path()) {
  REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
  writer_ = std::fopen(path_.c_str(), "r+");
  REQUIRE(writer_ != nullptr);
}

SilentPipe::~SilentPipe() {
  std::fclose(writer_);
  unlink(path_.c_str());
}

Device make_device(unsigned threads, std::string isa) {
  Result<Device> device = Device::create({std::move(isa), threads});
  if (!device) FAIL(format(device.errors()[0]));
  return std::move(device).value();
}

std::vector<std::string> isas_of_each_width() {
  const std::vector<std::string> all = supported_isas();
  return all.size() < 2 ? all : std::vector<std::string>{all.front(), all.back()};
}

std::optional<Module> compile(std::string_view source, LoadOptions options) {
  using Key = std::tuple<std::string, std::string, std::vector<std::string>, bool>;
  static std::map<Key, Module> known;
  const Key key{source, options.name, options.build_options, options.optimise_source};
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const TemporaryFile file(".cl", source);
  Result<Module> loaded = Module::load_file(file.path(), options);
  if (loaded.ok()) return known.emplace(key, *loaded).first->second;
  if (loaded.errors()[0].rule != "TSP-C0031") FAIL(format(loaded.errors()[0]));
  return std::nullopt;
}

std::optional<Module> compile(std::string name, std::string_view source) {
  LoadOptions options;
  options.name = std::move(name);
  options.build_options = {"-cl-std=CL2.0"};
  return compile(source, options);
}

std::optional<Module> compile_at(const char* option, std::string_view source) {
  LoadOptions options;
  options.build_options = {"-cl-std=CL2.0", option};
  return compile(source, options);
}

Launch make_launch(const Module& module, const std::string& kernel, std::uint64_t global,
                   std::uint64_t local, std::vector<Argument> arguments) {
  Launch launch(module, kernel);
  launch.geometry.global_size = {global, 1, 1};
  if (local != 0) launch.geometry.local_size = {local, 1, 1};
  launch.arguments = std::move(arguments);
  return launch;
}

LaunchResult run(const Device& device, const Launch& launch) {
  Result<LaunchResult> result = device.run(launch);
  if (!result) FAIL(format(result.errors()[0]));
  return std::move(result).value();
}

Rules rules_of(const LaunchResult& result) {
  Rules rules;
  for (const Finding& finding : result.findings) rules.push_back(finding.diagnostic.rule);
  return rules;
}

}  // namespace transpire::test
