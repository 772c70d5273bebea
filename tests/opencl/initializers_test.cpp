// Programs with initializer and finalizer kernels, which SPIR-V 1.1 has and OpenCL C cannot say.
#include <unistd.h>

#include <cstdio>
#include <map>

#include "tests/opencl/support.h"

namespace transpire::test::initializers_tests {
namespace {

constexpr std::uint32_t kEntryPoint = 15, kExecutionMode = 16, kInitializer = 33, kFinalizer = 34;

/// The module with execution modes for some of its kernels.
std::vector<std::uint32_t> with_modes(const std::vector<std::uint32_t>& module,
                                      const std::map<std::string, std::uint32_t>& modes) {
  std::vector<std::uint32_t> words(module.begin(), module.begin() + 5), added;
  bool among_entry_points = false;
  for (std::size_t at = 5; at < module.size(); at += module[at] >> 16) {
    const std::uint32_t op = module[at] & 0xffff;
    if (op == kEntryPoint) {
      const auto mode = modes.find(reinterpret_cast<const char*>(&module[at + 3]));
      if (mode != modes.end())
        added.insert(added.end(), {3u << 16 | kExecutionMode, module[at + 2], mode->second});
    } else if (among_entry_points) {
      words.insert(words.end(), added.begin(), added.end());
      added.clear();
    }
    among_entry_points = op == kEntryPoint;
    words.insert(words.end(), module.begin() + static_cast<std::ptrdiff_t>(at),
                 module.begin() + static_cast<std::ptrdiff_t>(at + (module[at] >> 16)));
  }
  return words;
}

Program program_with_initializer(const Host& host) {
  const std::vector<unsigned char> bytes =
      host.binary(host.built("global int counter = 40;\n"
                             "kernel void begin() { counter += 2; }\n"
                             "kernel void look(global int *a) { a[0] += counter; }\n"
                             "kernel void end() { printf(\"goodbye from %d\\n\", counter); }\n",
                             "-cl-std=CL3.0"));
  std::vector<std::uint32_t> module(bytes.size() / 4);
  std::memcpy(module.data(), bytes.data(), bytes.size());
  return host.from_il(with_modes(module, {{"begin", kInitializer}, {"end", kFinalizer}}));
}

/// What a call writes on standard output.
template <class F>
std::string printed_by(F call) {
  std::fflush(stdout);
  std::FILE* file = std::tmpfile();
  const int kept = dup(1);
  dup2(fileno(file), 1);
  call();
  std::fflush(stdout);
  dup2(kept, 1);
  close(kept);
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

cl_bool tell(cl_program program, cl_program_info name) {
  return info<cl_bool>(clGetProgramInfo, program, name);
}

TEST_CASE_FIXTURE(
    Host, "initializers run before a program's first kernel, finalizers when it is destroyed") {
  Program program = program_with_initializer(*this);
  CHECK(tell(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_FALSE);
  REQUIRE(build(program) == CL_SUCCESS);
  CHECK(tell(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_TRUE);
  CHECK(tell(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_TRUE);
  Kernel look = kernel(program, "look");
  CHECK(first_int(look) == 42);
  CHECK(first_int(look, 8) == 50);
  CHECK(printed_by([&] { program.drop(); }).empty());  // the kernel holds it
  CHECK(printed_by([&] { look.drop(); }) == "goodbye from 42\n");
}

TEST_CASE_FIXTURE(Host, "a program of which no kernel ran has nothing to finalize") {
  Program program = program_with_initializer(*this);
  REQUIRE(build(program) == CL_SUCCESS);
  CHECK(printed_by([&] { program.drop(); }).empty());
  program = built("kernel void k(global int *a) { a[0] = 1; }");
  CHECK(tell(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_FALSE);
  CHECK(tell(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_FALSE);
}

}  // namespace
}  // namespace transpire::test::initializers_tests
