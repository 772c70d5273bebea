// Shared by the tests of the driver: a device with a context and queues, and what is done with them in one line.
#pragma once

#include <CL/cl_ext.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/opencl/handles.h"

namespace transpire::test {

constexpr cl_command_queue_properties kOnDevice =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr cl_command_queue_properties kDefaultOnDevice = kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT;

/// The answer to a clGet...Info call, of type T. `of` are the arguments before the size.
template <class T, class Function, class... Of>
T info(Function function, const Of&... of) {
  T answer{};
  std::size_t size = 0;
  CHECK(function(of..., sizeof answer, &answer, &size) == CL_SUCCESS);
  CHECK(size == sizeof answer);
  return answer;
}

/// An answer of several T.
template <class T, class Function, class... Of>
std::vector<T> list_info(Function function, const Of&... of) {
  std::size_t size = 0;
  REQUIRE(function(of..., 0, nullptr, &size) == CL_SUCCESS);
  std::vector<T> list(size / sizeof(T));
  REQUIRE(function(of..., size, list.data(), nullptr) == CL_SUCCESS);
  return list;
}

/// An answer that is a text.
template <class Function, class... Of>
std::string text_info(Function function, const Of&... of) {
  const std::vector<char> text = list_info<char>(function, of...);
  REQUIRE((!text.empty() && text.back() == '\0'));
  return {text.begin(), text.end() - 1};
}

/// The error of a call that makes something, with which it makes nothing. An object that is made is released.
template <class Make>
cl_int error_of(Make make) {
  cl_int error = 1000;
  const auto made = make(&error);
  CHECK((made != nullptr) == (error == CL_SUCCESS));
  if constexpr (!std::is_same_v<decltype(make(&error)), void*>)
    if (made != nullptr) release(made);
  return error;
}

inline cl_int status_of(cl_event event) {
  cl_int status = 1000;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

/// Arguments of kernels that are no values: local memory of so many bytes, and a pointer to shared virtual memory.
struct Local {
  std::size_t bytes;
};
struct Shared {
  const void* pointer;
};

template <class T>
cl_int set_argument(cl_kernel kernel, cl_uint index, const T& value) {
  if constexpr (std::is_same_v<T, Local>)
    return clSetKernelArg(kernel, index, value.bytes, nullptr);
  else if constexpr (std::is_same_v<T, Shared>)
    return clSetKernelArgSVMPointer(kernel, index, value.pointer);
  else if constexpr (std::is_null_pointer_v<T>)
    return clSetKernelArg(kernel, index, sizeof(cl_mem), nullptr);
  else
    return clSetKernelArg(kernel, index, sizeof value, &value);
}

/// Sets all arguments of a kernel, or its first ones.
template <class... Arguments>
void set(cl_kernel kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  const auto one = [&](const auto& argument) {
    CAPTURE(index);
    REQUIRE(set_argument(kernel, index++, argument) == CL_SUCCESS);
  };
  (one(arguments), ...);
}

/// A function's command, with neither a wait list nor an event.
template <class Function, class... Arguments>
cl_int issue(Function function, Arguments&&... arguments) {
  return function(std::forward<Arguments>(arguments)..., 0, nullptr, nullptr);
}

/// The sizes of a launch in each dimension.
using Range = std::vector<std::size_t>;

inline cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const Range& global,
                      const Range& local = {}, const Waits& waits = {}, cl_event* event = nullptr,
                      const Range& offset = {}) {
  return clEnqueueNDRangeKernel(queue, kernel, static_cast<cl_uint>(global.size()),
                                offset.empty() ? nullptr : offset.data(), global.data(),
                                local.empty() ? nullptr : local.data(), count_of(waits),
                                data_of(waits), event);
}

/// The first values of a buffer, once the commands before in the queue have ended.
template <class T>
std::vector<T> read(cl_command_queue queue, cl_mem buffer, std::size_t count,
                    const Waits& waits = {}) {
  std::vector<T> values(count);
  REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(),
                              count_of(waits), data_of(waits), nullptr) == CL_SUCCESS);
  return values;
}

inline Memory sub_buffer(cl_mem of, std::size_t origin, std::size_t size, cl_mem_flags flags = 0) {
  const cl_buffer_region region{origin, size};
  return clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
}

/// A device, a context and a queue.
struct Host {
  cl_platform_id platform = the_platform();
  cl_device_id device = the_device();
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  /// Texts that the context's error callback got.
  mutable std::vector<std::string> notes;

  explicit Host(cl_command_queue_properties bits = 0, bool has_callback = true) {
    cl_int code = 0;
    const auto note = [](const char* text, const void*, std::size_t, void* host) {
      static_cast<Host*>(host)->notes.emplace_back(text);
    };
    context = has_callback ? clCreateContext(nullptr, 1, &device, note, this, &code)
                           : clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    queue = make_queue(context, bits);
    REQUIRE(queue != nullptr);
  }
  ~Host() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  Program source(const std::string& text) const {
    const char* pointer = text.c_str();
    cl_int code = 0;
    Program program = clCreateProgramWithSource(context, 1, &pointer, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    return program;
  }
  cl_int build(cl_program program, const char* options = "") const {
    return clBuildProgram(program, 1, &device, options, nullptr, nullptr);
  }
  Program built(const std::string& text, const char* options = "") const {
    Program program = source(text);
    const cl_int code = build(program, options);
    INFO(log(program));
    REQUIRE(code == CL_SUCCESS);
    return program;
  }
  Kernel kernel(cl_program program, const char* name) const {
    cl_int code = 0;
    Kernel made = clCreateKernel(program, name, &code);
    REQUIRE(code == CL_SUCCESS);
    return made;
  }
  std::string log(cl_program program) const {
    return text_info(clGetProgramBuildInfo, program, device, CL_PROGRAM_BUILD_LOG);
  }
  template <class T>
  T build_info(cl_program program, cl_program_build_info name) const {
    return info<T>(clGetProgramBuildInfo, program, device, name);
  }
  cl_program_binary_type binary_type(cl_program program) const {
    return build_info<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE);
  }
  std::vector<unsigned char> binary(cl_program program) const {
    std::vector<unsigned char> bytes(
        info<std::size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES));
    unsigned char* pointer = bytes.data();
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) ==
            CL_SUCCESS);
    return bytes;
  }
  Program from_binary(const std::vector<unsigned char>& bytes) const {
    const std::size_t size = bytes.size();
    const unsigned char* pointer = bytes.data();
    cl_int code = 0;
    Program made = clCreateProgramWithBinary(context, 1, &device, &size, &pointer, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    return made;
  }
  /// A program of a module's words or bytes, not built.
  template <class Words>
  Program from_il(const Words& words) const {
    cl_int code = 0;
    Program made = clCreateProgramWithIL(context, words.data(),
                                         words.size() * sizeof(typename Words::value_type), &code);
    INFO((notes.empty() ? std::string() : notes[0]));
    REQUIRE(code == CL_SUCCESS);
    return made;
  }
  Memory buffer(std::size_t bytes, cl_mem_flags flags = 0, void* data = nullptr) const {
    cl_int code = 0;
    Memory made = clCreateBuffer(context, flags, bytes, data, &code);
    REQUIRE(code == CL_SUCCESS);
    return made;
  }
  template <class T>
  Memory buffer_of(std::vector<T> values) const {
    return buffer(values.size() * sizeof(T), CL_MEM_COPY_HOST_PTR, values.data());
  }
  template <class T>
  std::vector<T> read(cl_mem memory, std::size_t count) const {
    return test::read<T>(queue, memory, count);
  }
  cl_int enqueue(cl_kernel launched, const Range& global, const Range& local = {},
                 const Range& offset = {}) const {
    return test::enqueue(queue, launched, global, local, {}, nullptr, offset);
  }
  /// The first int after a launch of one work-item with an int buffer as the only argument.
  cl_int first_int(cl_kernel launched, cl_int start = 0) const {
    const Memory memory = buffer_of<cl_int>({start});
    set(launched, memory);
    REQUIRE(enqueue(launched, {1}) == CL_SUCCESS);
    return read<cl_int>(memory, 1)[0];
  }
  /// Launches the program's kernel `k` so.
  cl_int first_int(cl_program program, cl_int start = 0) const {
    return first_int(kernel(program, "k"), start);
  }
};

/// A queue in order and one out of order, both with profiling, and one of the device; and a stranger to them.
struct Setup : Host {
  cl_command_queue any_order =
      make_queue(context, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue on_device = make_queue(context, kOnDevice);
  cl_context other_context = make_context();
  cl_event foreign_event = clCreateUserEvent(other_context, nullptr);
  cl_mem foreign_buffer = clCreateBuffer(other_context, 0, 64, nullptr, nullptr);

  Setup() : Host(CL_QUEUE_PROFILING_ENABLE) {}
  ~Setup() {
    clReleaseMemObject(foreign_buffer);
    clReleaseEvent(foreign_event);
    clReleaseContext(other_context);
    clReleaseCommandQueue(on_device);
    clReleaseCommandQueue(any_order);
  }
  Event user_event() const { return clCreateUserEvent(context, nullptr); }
};

/// The device divided into parts of so many threads.
struct Parts {
  std::vector<cl_device_id> devices;

  explicit Parts(std::vector<cl_device_partition_property> threads) : devices(threads.size()) {
    threads.insert(threads.begin(), CL_DEVICE_PARTITION_BY_COUNTS);
    threads.insert(threads.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
    REQUIRE(clCreateSubDevices(the_device(), threads.data(), static_cast<cl_uint>(devices.size()),
                               devices.data(), nullptr) == CL_SUCCESS);
  }
  ~Parts() {
    for (const cl_device_id device : devices) clReleaseDevice(device);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
};

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
