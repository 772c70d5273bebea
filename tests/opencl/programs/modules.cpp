// Host programs by what their programs are made of: SPIR-V of a file, parts that are linked, binaries.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/opencl/programs/programs.h"

namespace transpire::test {
namespace {

std::vector<char> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  CHECK(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Prints a call that failed; true if it did.
bool failed(const char* call, cl_int code) {
  if (code != CL_SUCCESS) std::printf("%s: %d\n", call, code);
  return code != CL_SUCCESS;
}

/// Two sources, each with a header "put.h" of its own.
Program linked_of_two(const Application& host) {
  const char* const sources[] = {
      "#include \"put.h\"\nkernel void first(global int* y) { put(y); }\n",
      "#include \"put.h\"\n\nkernel void second(global int* y) { put(y); }\n"};
  const char* const headers[] = {"static void put(global int* y) { y[10] = 1; }\n",
                                 "static void put(global int* y) {\n  y[20] = 2;\n}\n"};
  Program objects[2];
  for (int i = 0; i < 2; ++i) {
    const Program header = host.source(headers[i]);
    objects[i] = host.source(sources[i]);
    CHECK(compile(objects[i], "", {header}, {"put.h"}) == CL_SUCCESS);
  }
  Program whole =
      clLinkProgram(host.context, 0, nullptr, "", 2, &objects[0], nullptr, nullptr, nullptr);
  CHECK(whole != nullptr);
  return whole;
}

}  // namespace

/// Two sources, each with a header "put.h" of its own that stores behind the buffer, linked; the same from the binaries of
/// that and of one of the sources. 4 launches. Exits with an error when a binary is not the same the second time.
HOST_PROGRAM(linked) {
  const Program whole = linked_of_two(host);
  const std::vector<unsigned char> once = host.binary(whole);
  CHECK(host.binary(linked_of_two(host)) == once);
  const Program simple = host.built("kernel void third(global int* y) {\n  y[30] = 3;\n}\n");
  const std::vector<unsigned char> alone = host.binary(simple);
  const auto run = [&](cl_program program, const char* name) {
    const Kernel kernel = host.kernel(program, name);
    const Memory y = host.buffer(40);
    set(kernel, y);
    host.launch(kernel, 1, 1);
    host.finish();
  };
  const auto run_binary = [&](const std::vector<unsigned char>& binary, const char* name) {
    const Program program = host.from_binary(binary);
    CHECK(host.build(program) == CL_SUCCESS);
    run(program, name);
  };
  run(whole, "first");
  run(whole, "second");
  run_binary(once, "second");
  run_binary(alone, "third");
}

/// Loads and builds the SPIR-V that words[0] names, and launches its kernel `test` with a buffer. With words[1], a
/// specialisation constant of 64 bits. Prints which call failed; ends well all the same.
HOST_PROGRAM(load_il) {
  const std::vector<char> il = content_of(words[0]);
  cl_int code = 0;
  const Program program = clCreateProgramWithIL(host.context, il.data(), il.size(), &code);
  if (failed("clCreateProgramWithIL", code)) return;
  if (!words[1].empty()) {
    const cl_ulong value = std::strtoull(words[1].c_str(), nullptr, 0);
    CHECK(clSetProgramSpecializationConstant(program, 0, sizeof value, &value) == CL_SUCCESS);
  }
  if (failed("clBuildProgram", host.build(program))) return;
  const Kernel test = host.kernel(program, "test");
  const Memory out = host.buffer(4);
  set(test, out);
  host.launch(test, 1);
  std::printf("found %u\n", host.read<cl_uint>(out, 1)[0]);
}

/// A SPIR-V module with specialisation constants, named by words[0]: 2 launches of 2 programs.
HOST_PROGRAM(specialised) {
  const std::vector<char> il = content_of(words[0]);
  for (const bool is_special : {false, true}) {
    const Program program = host.from_il(il);
    const cl_uint value = 31;
    if (is_special)
      CHECK(clSetProgramSpecializationConstant(program, 3, sizeof value, &value) == CL_SUCCESS);
    CHECK(host.build(program) == CL_SUCCESS);
    const Memory out = host.buffer(4);
    const Kernel kernel = host.kernel(program, "f");
    set(kernel, out);
    host.launch(kernel, 1);
    CHECK(host.read<cl_uint>(out, 1)[0] == (is_special ? 31u : 1u));
  }
}

/// A SPIR-V module with a pipe at program scope, named by words[0]: 3 launches, which put packets in, take them out, and use
/// no pipe.
HOST_PROGRAM(kept_packets) {
  const Program program = host.from_il(content_of(words[0]));
  CHECK(host.build(program) == CL_SUCCESS);
  for (const auto& [name, expected] : {std::pair{"put", 0}, {"take", 5}, {"plain", 3}}) {
    const Memory y = host.buffer_of<cl_int>({9, 9});
    const Kernel kernel = host.kernel(program, name);
    set(kernel, y);
    host.launch(kernel, 2);
    CHECK(host.read<cl_int>(y, 2) == std::vector<cl_int>(2, expected));
  }
}

}  // namespace transpire::test
