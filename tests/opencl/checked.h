// A host whose launches are checked, and what is reported of it: TRANSPIRE_CL_CHECK and TRANSPIRE_CL_REPORT are set.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/opencl/support.h"

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
  Program program = built(kKernels);
  std::vector<Memory> made;
  std::vector<Event> events;
  std::array<cl_uint, kItems * 4> numbers{};  ///< memory of the host

  Checked() { rules(); }

  cl_mem buffer(cl_mem_flags flags = 0, void* bytes = nullptr) {
    made.push_back(Host::buffer(kBytes, flags, bytes));
    return made.back();
  }
  /// A buffer of zeros.
  cl_mem defined() { return buffer(CL_MEM_COPY_HOST_PTR, numbers.data()); }
  cl_mem part(cl_mem whole, std::size_t origin, std::size_t size) {
    made.push_back(sub_buffer(whole, origin, size));
    REQUIRE(made.back() != nullptr);
    return made.back();
  }
  void write(cl_mem to, std::size_t offset = 0, std::size_t size = kBytes) const {
    CHECK(issue(clEnqueueWriteBuffer, queue, to, CL_TRUE, offset, size, numbers.data()) ==
          CL_SUCCESS);
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
                 const Waits& waits = {}, std::size_t items = kItems) {
    const Kernel started = kernel(program, name);
    for (cl_uint i = 0; i < arguments.size(); ++i)
      REQUIRE(set_argument(started, i, arguments[i]) == CL_SUCCESS);
    events.emplace_back();
    REQUIRE(test::enqueue(on, started, {items}, {}, waits, &events.back()) == CL_SUCCESS);
    return events.back();
  }
  void launch(const char* name, const std::vector<cl_mem>& arguments) {
    start(queue, name, arguments);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
  }
  /// Rules of the findings when a kernel reads all of the buffer.
  std::string of_reading(cl_mem from) {
    launch("copy", {from, buffer()});
    return rules();
  }
  cl_event user_event() {
    events.emplace_back(clCreateUserEvent(context, nullptr));
    REQUIRE(events.back() != nullptr);
    return events.back();
  }
};

/// With two queues besides: one out of order, one in order.
struct Unordered : Checked {
  Queue any_order = make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
        second = make_queue(context);
  cl_mem out = buffer();

  /// Waits until all commands of a queue in order have ended, without a call that orders.
  static void settle(cl_command_queue in_order) {
    std::atomic<bool> done = false;
    const Event event = enqueue_call(in_order, [&] { done = true; });
    REQUIRE(clFlush(in_order) == CL_SUCCESS);
    while (!done) continue;
  }
  /// A kernel on the first queue that has ended, in no order with what comes on others.
  void settled(const char* name, const std::vector<cl_mem>& arguments, std::size_t items = kItems) {
    start(queue, name, arguments, {}, items);
    settle(queue);
  }
  std::string finished() {
    for (const cl_command_queue each :
         {cl_command_queue{any_order}, queue, cl_command_queue{second}})
      REQUIRE(clFinish(each) == CL_SUCCESS);
    return rules();
  }
  void* map(cl_command_queue on, cl_mem memory, cl_map_flags flags, std::size_t offset = 0,
            std::size_t size = kBytes) const {
    cl_int code = 0;
    void* const mapped =
        clEnqueueMapBuffer(on, memory, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    return mapped;
  }
  static void unmap(cl_command_queue on, cl_mem memory, void* mapped) {
    REQUIRE(issue(clEnqueueUnmapMemObject, on, memory, mapped) == CL_SUCCESS);
  }
};

}  // namespace transpire::test
