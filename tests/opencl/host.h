// What tests of the driver share: a device, a context and a queue, and programs made in one line.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace transpire::test {

struct Host {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  /// Texts that the context's error callback got.
  std::vector<std::string> notes;

  Host() {
    REQUIRE(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS);
    REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS);
    cl_int code = 0;
    const auto note = [](const char* text, const void*, std::size_t, void* host) {
      static_cast<Host*>(host)->notes.emplace_back(text);
    };
    context = clCreateContext(nullptr, 1, &device, note, this, &code);
    REQUIRE(code == CL_SUCCESS);
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
  }
  ~Host() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  cl_program source(const std::string& text) const {
    const char* pointer = text.c_str();
    cl_int code = 0;
    cl_program program = clCreateProgramWithSource(context, 1, &pointer, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    return program;
  }
  cl_int build(cl_program program, const char* options = "") const {
    return clBuildProgram(program, 1, &device, options, nullptr, nullptr);
  }
  cl_program built(const std::string& text, const char* options = "") const {
    cl_program program = source(text);
    const cl_int code = build(program, options);
    INFO(log(program));
    REQUIRE(code == CL_SUCCESS);
    return program;
  }
  cl_kernel kernel(cl_program program, const char* name) const {
    cl_int code = 0;
    cl_kernel made = clCreateKernel(program, name, &code);
    REQUIRE(code == CL_SUCCESS);
    return made;
  }
  std::string log(cl_program program) const {
    std::size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string text(size, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr);
    return text.substr(0, size - 1);
  }
  template <class T>
  T build_info(cl_program program, cl_program_build_info name) const {
    T value{};
    REQUIRE(clGetProgramBuildInfo(program, device, name, sizeof value, &value, nullptr) ==
            CL_SUCCESS);
    return value;
  }
  std::vector<unsigned char> binary(cl_program program) const {
    std::size_t size = 0;
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) ==
            CL_SUCCESS);
    std::vector<unsigned char> bytes(size);
    unsigned char* pointer = bytes.data();
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) ==
            CL_SUCCESS);
    return bytes;
  }
  cl_program from_binary(const std::vector<unsigned char>& bytes, cl_int* code) const {
    const std::size_t size = bytes.size();
    const unsigned char* pointer = bytes.data();
    return clCreateProgramWithBinary(context, 1, &device, &size, &pointer, nullptr, code);
  }
  /// The first int after a launch of one work-item with an int buffer as the only argument.
  cl_int first_int(cl_kernel kernel, cl_int start = 0) const {
    cl_int code = 0;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof start, &start, &code);
    REQUIRE(code == CL_SUCCESS);
    REQUIRE(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
    const std::size_t one = 1;
    REQUIRE(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    cl_int result = 0;
    REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof result, &result, 0, nullptr,
                                nullptr) == CL_SUCCESS);
    clReleaseMemObject(buffer);
    return result;
  }
};

/// A text that a clGet...Info function gives; `get` takes size, value and size_ret.
template <class Get>
std::string text_of(Get get) {
  std::size_t size = 0;
  REQUIRE(get(0, nullptr, &size) == CL_SUCCESS);
  std::string text(size, '\0');
  REQUIRE(get(size, text.data(), nullptr) == CL_SUCCESS);
  REQUIRE(text.back() == '\0');
  return text.substr(0, size - 1);
}

inline std::string program_text(cl_program program, cl_program_info name) {
  return text_of([=](std::size_t size, void* value, std::size_t* size_ret) {
    return clGetProgramInfo(program, name, size, value, size_ret);
  });
}

inline cl_int compile(cl_program program, const char* options = "",
                      const std::vector<cl_program>& headers = {},
                      std::vector<const char*> names = {}) {
  return clCompileProgram(program, 0, nullptr, options, static_cast<cl_uint>(headers.size()),
                          headers.empty() ? nullptr : headers.data(),
                          names.empty() ? nullptr : names.data(), nullptr, nullptr);
}

/// A kernel that stores specialisation constant 7, 42 by default.
inline std::vector<std::uint32_t> specialisable_module() {
  return {0x07230203, 0x00010000, 0,  20,         0, 0x00020011, 4,  // Addresses
          0x00020011, 6,                                             // Kernel
          0x0003000e, 2,          2,                                 // Physical64 OpenCL
          0x0004000f, 6,          10, 0x0000006b,                    // Kernel "k"
          0x00040047, 5,          1,  7,                             // SpecId 7
          0x00040015, 1,          32, 0,                             // %1 uint
          0x00040020, 2,          5,  1,                             // %2 global uint*
          0x00020013, 3,                                             // %3 void
          0x00040021, 4,          3,  2,                             // %4 void(uint*)
          0x00040032, 1,          5,  42,                            // %5 spec constant
          0x00050036, 3,          10, 0,          4,                 // %10
          0x00030037, 2,          11,                                // %11
          0x000200f8, 12,                                            // %12
          0x0005003e, 11,         5,  2,          4,                 // store aligned 4
          0x000100fd, 0x00010038};
}

}  // namespace transpire::test
