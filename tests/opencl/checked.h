// A host whose launches are checked, and what is reported of it: TRANSPIRE_CL_CHECK and TRANSPIRE_CL_REPORT are set.
#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/opencl/host.h"

namespace transpire::test {

inline constexpr std::size_t kItems = 64, kBytes = kItems * sizeof(cl_uint);

inline constexpr const char* kKernels = R"(
kernel void copy(global const uint* in, global uint* out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}
kernel void number(global uint* out) { out[get_global_id(0)] = get_global_id(0); }
kernel void count(global uint* counter) { atomic_inc(counter); }
kernel void count_apart(global uint* out, global uint* counter) {
  out[get_global_id(0)] = get_global_id(0);
  atomic_inc(counter);
}
kernel void texels(write_only image2d_t to) {
  write_imageui(to, (int2)(get_global_id(0), 0), (uint4)(1));
}
kernel void texels_below(write_only image2d_t to) {
  write_imageui(to, (int2)(get_global_id(0), 1), (uint4)(1));
}
kernel void pick(read_only image2d_t from, global uint* out) {
  out[get_global_id(0)] = read_imageui(from, (int2)(get_global_id(0), 0)).x;
}
constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void pick_near(read_only image2d_t from, global uint* out) {
  out[get_global_id(0)] = read_imageui(from, near, (float2)(get_global_id(0) + 0.5f, 0.5f)).x;
}
kernel void shade(write_only image2d_t to) {
  write_imagef(to, (int2)(get_global_id(0), 0), (float4)(1));
}
constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
kernel void blend_below(read_only image2d_t from, global uint* out) {
  out[get_global_id(0)] = read_imagef(from, smooth, (float2)(get_global_id(0) + 0.5f, 2.0f)).x;
}
kernel void blend(read_only image2d_t from, global uint* out) {
  out[get_global_id(0)] = read_imagef(from, smooth, (float2)(get_global_id(0) + 0.5f, 1.0f)).x;
}
kernel void follow(global const ulong* from) { ++*(global uint*)from[0]; }
)";

/// A host, its kernels, and what was reported since somebody asked last.
struct Checked : Host {
  cl_program program = built(kKernels);
  std::vector<cl_mem> made;
  std::vector<cl_event> events;

  Checked() { rules(); }
  ~Checked() {
    for (const cl_event each : events) clReleaseEvent(each);
    for (const cl_mem each : made) clReleaseMemObject(each);
    clReleaseProgram(program);
  }

  cl_mem buffer(cl_mem_flags flags = 0, void* bytes = nullptr) {
    cl_int code = 0;
    made.push_back(clCreateBuffer(context, flags, kBytes, bytes, &code));
    REQUIRE(code == CL_SUCCESS);
    return made.back();
  }
  cl_mem part(cl_mem whole, std::size_t origin, std::size_t size) {
    cl_int code = 0;
    const cl_buffer_region region{origin, size};
    made.push_back(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    REQUIRE(code == CL_SUCCESS);
    return made.back();
  }

  /// The rules of all findings in TRANSPIRE_CL_REPORT that are new.
  std::string rules() {
    const char* const path = std::getenv("TRANSPIRE_CL_REPORT");
    REQUIRE(path != nullptr);
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    file.close();
    std::filesystem::remove(path);
    std::string found;
    const std::string all = text.str(), key = "\"rule\":\"";
    for (std::size_t at = all.find(key); at != all.npos; at = all.find(key, at + 1)) {
      const std::size_t begin = at + key.size();
      found += (found.empty() ? "" : " ") + all.substr(begin, all.find('"', begin) - begin);
    }
    return found;
  }

  /// The event is one of `events`.
  cl_event start(cl_command_queue on, const char* name, const std::vector<cl_mem>& arguments,
                 const std::vector<cl_event>& waits = {}, std::size_t items = kItems) {
    const cl_kernel made_kernel = kernel(program, name);
    for (cl_uint i = 0; i < arguments.size(); ++i)
      REQUIRE(clSetKernelArg(made_kernel, i, sizeof(cl_mem), &arguments[i]) == CL_SUCCESS);
    cl_event event = nullptr;
    REQUIRE(clEnqueueNDRangeKernel(on, made_kernel, 1, nullptr, &items, nullptr,
                                   static_cast<cl_uint>(waits.size()),
                                   waits.empty() ? nullptr : waits.data(), &event) == CL_SUCCESS);
    clReleaseKernel(made_kernel);
    events.push_back(event);
    return event;
  }
  void launch(const char* name, const std::vector<cl_mem>& arguments) {
    start(queue, name, arguments);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
  }
  /// What is found when a kernel reads all of the buffer.
  std::string of_reading(cl_mem from) {
    launch("copy", {from, buffer()});
    return rules();
  }
};

/// With two queues besides: one out of order, one in order.
struct Unordered : Checked {
  cl_command_queue any_order = make(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), second = make(0);
  ~Unordered() {
    clReleaseCommandQueue(any_order);
    clReleaseCommandQueue(second);
  }
  cl_command_queue make(cl_queue_properties bits) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    cl_int code = 0;
    const cl_command_queue made_queue =
        clCreateCommandQueueWithProperties(context, device, list, &code);
    REQUIRE(code == CL_SUCCESS);
    return made_queue;
  }
  /// Waits until all commands of a queue in order have ended, without a call that orders.
  static void settle(cl_command_queue in_order) {
    std::atomic<bool> done = false;
    std::atomic<bool>* pointer = &done;
    const auto tell = [](void* arguments) { **static_cast<std::atomic<bool>**>(arguments) = true; };
    REQUIRE(clEnqueueNativeKernel(in_order, tell, &pointer, sizeof pointer, 0, nullptr, nullptr, 0,
                                  nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFlush(in_order) == CL_SUCCESS);
    while (!done) continue;
  }
  cl_event user_event() {
    cl_int code = 0;
    events.push_back(clCreateUserEvent(context, &code));
    REQUIRE(code == CL_SUCCESS);
    return events.back();
  }
  std::string finished() {
    for (const cl_command_queue each : {any_order, queue, second})
      REQUIRE(clFinish(each) == CL_SUCCESS);
    return rules();
  }
};

}  // namespace transpire::test
