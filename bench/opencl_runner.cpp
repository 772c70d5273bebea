// Runs a case through an OpenCL platform, from OpenCL C source.
// Kernel objects and arguments are made once; a run only enqueues the launches and waits.
#include "bench/runner.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "bench/kernel_files.h"

namespace transpire::bench {
namespace {

void Check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with code " + std::to_string(code));
}

/// An OpenCL object that is released with its owner.
template <typename Object, cl_int (*Release)(Object)>
class Handle {
 public:
  explicit Handle(Object object = nullptr) : object_(object) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ != nullptr) Release(object_);
  }
  Object get() const { return object_; }

 private:
  Object object_;
};

using Context = Handle<cl_context, clReleaseContext>;
using Queue = Handle<cl_command_queue, clReleaseCommandQueue>;
using Program = Handle<cl_program, clReleaseProgram>;
using Kernel = Handle<cl_kernel, clReleaseKernel>;
using Memory = Handle<cl_mem, clReleaseMemObject>;

std::string PlatformName(cl_platform_id platform) {
  std::size_t size = 0;
  Check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &size), "clGetPlatformInfo");
  std::string name(size, '\0');
  Check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, name.data(), nullptr),
        "clGetPlatformInfo");
  return name;
}

cl_platform_id FindPlatform(const std::string& part_of_name) {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) count = 0;
  std::vector<cl_platform_id> platforms(count);
  if (count > 0) Check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    if (PlatformName(platform).find(part_of_name) != std::string::npos) return platform;
  }
  throw NotAvailable("expected an OpenCL platform called '" + part_of_name + "', found none");
}

/// Platforms read their number of threads from the environment when they are first called. PoCL
/// then runs kernels on one worker while its caller waits; Oclgrind does likewise.
void LimitThreads(unsigned threads) {
  if (threads == 0) return;
  const std::string text = std::to_string(threads);
  setenv("POCL_MAX_PTHREAD_COUNT", text.c_str(), 1);
  setenv("OCLGRIND_NUM_THREADS", text.c_str(), 1);
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr std::size_t kOrigin[3] = {};

std::array<std::size_t, 3> Region(const ImageSize& image) { return {image.width, image.height, 1}; }

class OpenClRunner final : public Runner {
 public:
  OpenClRunner(const BenchCase& bench, const std::string& platform) : bench_(bench) {
    OpenDevice(platform);
    BuildProgram();
    for (const Buffer& buffer : bench.buffers) AddBuffer(buffer);
    for (const Launch& launch : bench.launches) AddKernel(launch);
  }

  void Restore() override {
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (bench_.buffers[i].access == Access::kWrite) Write(i);
    }
  }

  void Run() override {
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      const Launch& launch = bench_.launches[i];
      Check(clEnqueueNDRangeKernel(queue_.get(), kernels_[i].get(), launch.dimensions, nullptr,
                                   launch.global.data(), launch.local.data(), 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    }
    Check(clFinish(queue_.get()), "clFinish");
  }

  std::vector<std::vector<std::byte>> Results() override {
    std::vector<std::vector<std::byte>> results(memories_.size());
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (bench_.buffers[i].access != Access::kWrite) continue;
      results[i].resize(bench_.buffers[i].data.size());
      Read(i, results[i]);
    }
    return results;
  }

 private:
  void OpenDevice(const std::string& platform) {
    Check(clGetDeviceIDs(FindPlatform(platform), CL_DEVICE_TYPE_ALL, 1, &device_, nullptr),
          "clGetDeviceIDs");
    cl_int code = CL_SUCCESS;
    context_ = Context(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    Check(code, "clCreateContext");
    queue_ = Queue(clCreateCommandQueue(context_.get(), device_, 0, &code));
    Check(code, "clCreateCommandQueue");
  }

  void BuildProgram() {
    const std::string source = ReadText(SourcePath(bench_.kernel_file));
    const char* text = source.c_str();
    cl_int code = CL_SUCCESS;
    program_ = Program(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
    Check(code, "clCreateProgramWithSource");
    const std::string options = "-cl-std=CL1.2 " + bench_.build_options;
    code = clBuildProgram(program_.get(), 1, &device_, options.c_str(), nullptr, nullptr);
    if (code != CL_SUCCESS) throw std::runtime_error("clBuildProgram failed:\n" + BuildLog());
  }

  std::string BuildLog() {
    std::size_t size = 0;
    clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    return log;
  }

  void AddBuffer(const Buffer& buffer) {
    cl_int code = CL_SUCCESS;
    if (buffer.image) {
      const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
      cl_image_desc shape{};
      shape.image_type = CL_MEM_OBJECT_IMAGE2D;
      shape.image_width = buffer.image->width;
      shape.image_height = buffer.image->height;
      memories_.emplace_back(
          clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &shape, nullptr, &code));
      Check(code, "clCreateImage");
    } else {
      memories_.emplace_back(
          clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, buffer.data.size(), nullptr, &code));
      Check(code, "clCreateBuffer");
    }
    Write(memories_.size() - 1);
  }

  void AddKernel(const Launch& launch) {
    cl_int code = CL_SUCCESS;
    kernels_.emplace_back(clCreateKernel(program_.get(), launch.kernel.c_str(), &code));
    Check(code, "clCreateKernel");
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      SetArgument(static_cast<cl_uint>(i), launch.arguments[i]);
  }

  /// Sets argument `index` of the kernel added last.
  void SetArgument(cl_uint index, const Argument& argument) {
    std::size_t size = 0;
    const void* value = nullptr;
    cl_mem memory = nullptr;
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      memory = memories_[buffer->index].get();
      size = sizeof(memory);
      value = &memory;
    } else if (const auto* scalar = std::get_if<ScalarArgument>(&argument)) {
      size = scalar->size_bytes;
      value = scalar->bytes.data();
    } else {
      size = std::get<LocalArgument>(argument).size_bytes;
    }
    Check(clSetKernelArg(kernels_.back().get(), index, size, value), "clSetKernelArg");
  }

  void Write(std::size_t index) {
    const Buffer& buffer = bench_.buffers[index];
    if (buffer.image)
      Check(clEnqueueWriteImage(queue_.get(), memories_[index].get(), CL_TRUE, kOrigin,
                                Region(*buffer.image).data(), 0, 0, buffer.data.data(), 0, nullptr,
                                nullptr),
            "clEnqueueWriteImage");
    else
      Check(clEnqueueWriteBuffer(queue_.get(), memories_[index].get(), CL_TRUE, 0,
                                 buffer.data.size(), buffer.data.data(), 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
  }

  void Read(std::size_t index, std::vector<std::byte>& data) {
    const Buffer& buffer = bench_.buffers[index];
    if (buffer.image)
      Check(
          clEnqueueReadImage(queue_.get(), memories_[index].get(), CL_TRUE, kOrigin,
                             Region(*buffer.image).data(), 0, 0, data.data(), 0, nullptr, nullptr),
          "clEnqueueReadImage");
    else
      Check(clEnqueueReadBuffer(queue_.get(), memories_[index].get(), CL_TRUE, 0, data.size(),
                                data.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
  }

  const BenchCase& bench_;
  cl_device_id device_ = nullptr;
  Context context_;
  Queue queue_;
  Program program_;
  std::vector<Kernel> kernels_;  // one per launch, its arguments set
  std::vector<Memory> memories_;
};

}  // namespace

std::unique_ptr<Runner> MakeOpenClRunner(const BenchCase& bench, const std::string& platform,
                                         unsigned threads) {
  LimitThreads(threads);
  return std::make_unique<OpenClRunner>(bench, platform);
}

}  // namespace transpire::bench
