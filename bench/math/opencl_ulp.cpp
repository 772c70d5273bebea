// How exact and how fast an OpenCL platform's math functions are, by the measure of `transpire
// ulp`.
//
//   transpire-opencl-ulp PLATFORM FUNCTION TYPE SAMPLES
//
// PLATFORM is a part of its name, FUNCTION one of those that `transpire ulp` measures, without its
// half_ and native_ forms. Prints one JSON object: the worst error, where it is, how many results
// are outside of the full profile's bound, and the time of one value, on one thread where the
// platform is PoCL. Ends with 3 when there is no such platform.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <fmt/format.h>

#include <CL/opencl.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "transpire/ulp.hpp"

namespace {

using transpire::FloatType;

constexpr std::size_t kTimedValues = 1 << 19;
constexpr int kRepetitions = 15;

cl::Device find_device(const std::string& part_of_name) {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {  // the loader knows no platform
  }
  for (const cl::Platform& platform : platforms) {
    if (platform.getInfo<CL_PLATFORM_NAME>().find(part_of_name) == std::string::npos) continue;
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    return devices.at(0);
  }
  fmt::print(stderr, "there is no OpenCL platform called '{}'\n", part_of_name);
  std::exit(3);
}

bool takes_integer(const std::string& function) {
  return transpire::ulp_second_operand(function) == transpire::UlpSecond::kInteger;
}

std::string source_of(const std::string& function, const std::string& type) {
  const std::string second = takes_integer(function) ? "int" : type;
  std::string call = fmt::format("{}(a[i])", function);
  if (transpire::ulp_second_operand(function) != transpire::UlpSecond::kNone)
    call = fmt::format("{}(a[i], b[i])", function);
  if (function == "divide") call = "a[i] / b[i]";
  if (function == "modf") call = "modf(a[i], &whole)";
  if (function == "frexp") call = "frexp(a[i], &exponent)";
  return fmt::format(
      "{}__kernel void each(__global const {} *a, __global const {} *b, __global {} *r) {{\n"
      "  size_t i = get_global_id(0);\n  {} whole;\n  int exponent;\n  r[i] = {};\n}}\n",
      type == "double" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "", type, second, type,
      type, call);
}

/// A kernel that makes calls, with buffers for as many as there are at a time.
class Kernel {
 public:
  /// `bytes` of an operand, `second_bytes` of a second one.
  Kernel(const cl::Device& device, const std::string& source, std::size_t bytes,
         std::size_t second_bytes)
      : context_(device),
        queue_(context_, device, CL_QUEUE_PROFILING_ENABLE),
        program_(context_, source),
        bytes_{bytes, second_bytes, bytes} {
    program_.build("-cl-std=CL1.2");
    kernel_ = cl::Kernel(program_, "each");
    for (cl_uint i = 0; i < 3; ++i) {
      buffers_[i] = cl::Buffer(context_, CL_MEM_READ_WRITE, kTimedValues * bytes_[i]);
      kernel_.setArg(i, buffers_[i]);
    }
  }

  void run(const transpire::UlpCalls& calls) {
    write(0, calls.first, calls.count);
    if (calls.second != nullptr) write(1, calls.second, calls.count);
    queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(calls.count));
    queue_.enqueueReadBuffer(buffers_[2], CL_TRUE, 0, calls.count * bytes_[2], calls.results);
    last_ = calls.count;
  }

  /// Nanoseconds of a value, at the operands of the last calls over and over: the median of some
  /// launches, by the platform's own profile.
  double time() {
    for (std::size_t filled = last_; filled < kTimedValues; filled *= 2)
      for (int i = 0; i < 2; ++i)
        queue_.enqueueCopyBuffer(buffers_[i], buffers_[i], 0, filled * bytes_[i],
                                 std::min(filled, kTimedValues - filled) * bytes_[i]);
    std::vector<double> times;
    for (int i = 0; i < kRepetitions; ++i) {
      cl::Event event;
      queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(kTimedValues), cl::NullRange,
                                  nullptr, &event);
      queue_.finish();
      times.push_back(static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                          event.getProfilingInfo<CL_PROFILING_COMMAND_START>()));
    }
    std::ranges::sort(times);
    return times[kRepetitions / 2] / static_cast<double>(kTimedValues);
  }

 private:
  void write(std::size_t i, const void* operands, std::size_t count) {
    queue_.enqueueWriteBuffer(buffers_[i], CL_TRUE, 0, count * bytes_[i], operands);
  }

  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Program program_;
  cl::Kernel kernel_;
  cl::Buffer buffers_[3];
  std::size_t bytes_[3], last_ = 1;
};

int measure(const std::string& platform, const std::string& function, const std::string& type,
            std::uint64_t samples) {
  const std::vector<std::string> known = transpire::measurable_functions();
  if (std::ranges::find(known, function) == known.end()) {
    fmt::print(stderr, "there is no measure for a function '{}'\n", function);
    return 2;
  }
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
  transpire::UlpOptions options;
  options.function = function;
  options.type = type == "double" ? FloatType::kDouble : FloatType::kFloat;
  options.samples = samples;
  options.mode = transpire::UlpOptions::Mode::kOwn;
  const std::size_t bytes = type == "double" ? 8 : 4;
  Kernel kernel(find_device(platform), source_of(function, type), bytes,
                takes_integer(function) ? 4 : bytes);
  options.own = [&kernel](const transpire::UlpCalls& calls) { return kernel.run(calls), true; };
  const auto report = transpire::measure_ulp(options);
  if (!report) {
    fmt::print(stderr, "{}", transpire::format(report.errors()[0]));
    return 1;
  }
  std::string at;
  for (const std::uint64_t operand : report->worst_operands)
    at += fmt::format("{}\"{:#x}\"", at.empty() ? "" : ", ", operand);
  const std::string worst =
      std::isfinite(report->worst_ulp) ? fmt::format("{}", report->worst_ulp) : "\"inf\"";
  fmt::print(
      "{{\"function\": \"{}\", \"type\": \"{}\", \"calls\": {}, \"worst_ulp\": {}, \"at\": [{}], "
      "\"result\": \"{:#x}\", \"correct\": \"{:#x}\", \"outside_full\": {}, \"ns_per_value\": "
      "{}}}\n",
      function, type, report->calls, worst, at, report->worst_result, report->worst_expected,
      report->outside_full, kernel.time());
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5) {
    fmt::print(stderr, "usage: transpire-opencl-ulp PLATFORM FUNCTION float|double SAMPLES\n");
    return 2;
  }
  return measure(argv[1], argv[2], argv[3], std::strtoull(argv[4], nullptr, 10));
} catch (const cl::BuildError& error) {
  for (const auto& [device, log] : error.getBuildLog()) fmt::print(stderr, "{}\n", log);
  return 4;
} catch (const cl::Error& error) {
  fmt::print(stderr, "{} failed with code {}\n", error.what(), error.err());
  return error.err() == CL_BUILD_PROGRAM_FAILURE ? 4 : 1;
}
