// Host programs for `transpire cl`: each is a function of a name, which is the first word of the command.
#pragma once

#include "tests/opencl/support.h"

namespace transpire::test {

/// A context without a callback for errors, and a queue. The checks of tests/opencl/support.h end a program with code 9.
struct Application : Host {
  Application() : Host(0, false) {}

  /// A kernel of a program with this one text.
  Kernel kernel_of(const char* text, const char* name = "k", const char* options = "") const {
    return kernel(built(text, options), name);
  }
  void launch(cl_kernel kernel, std::size_t global, std::size_t local = 0) const {
    CHECK(enqueue(kernel, {global}, local == 0 ? Range{} : Range{local}) == CL_SUCCESS);
  }
  void finish() const { CHECK(clFinish(queue) == CL_SUCCESS); }
  Queue device_queue(cl_command_queue_properties bits, cl_uint bytes = 0) const {
    std::vector<cl_queue_properties> list{CL_QUEUE_PROPERTIES, kOnDevice | bits};
    if (bytes != 0) list.insert(list.end(), {CL_QUEUE_SIZE, bytes});
    list.push_back(0);
    Queue made = clCreateCommandQueueWithProperties(context, device, list.data(), nullptr);
    CHECK(made != nullptr);
    return made;
  }
};

/// The words behind the program's name; what is behind them is empty.
struct Words {
  std::vector<std::string> words;
  std::string operator[](std::size_t i) const { return i < words.size() ? words[i] : ""; }
};

/// Makes `run` the program of a name.
struct HostProgram {
  HostProgram(const char* name, int (*run)(const Words&));
};

}  // namespace transpire::test

/// A program that begins as it likes, and gives the exit code.
#define HOST_PROGRAM_ALONE(name)                                            \
  static int name(const transpire::test::Words&);                           \
  static const transpire::test::HostProgram name##_registered(#name, name); \
  static int name([[maybe_unused]] const transpire::test::Words& words)

/// A program with an application `host`, and exit code 0.
#define HOST_PROGRAM(name)                                                              \
  static void name(const transpire::test::Application&, const transpire::test::Words&); \
  static const transpire::test::HostProgram name##_registered(                          \
      #name, [](const transpire::test::Words& words) { return name({}, words), 0; });   \
  static void name([[maybe_unused]] const transpire::test::Application& host,           \
                   [[maybe_unused]] const transpire::test::Words& words)
