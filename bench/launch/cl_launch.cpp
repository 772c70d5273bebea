// transpire-cl-launch: what one small launch costs a host program, through the OpenCL API.
//
//   transpire-cl-launch [DRIVER...]     DRIVER: a driver's .so or .icd file; the first is the reference
//
// Each driver runs in child processes, in turn, several times; medians are printed.
//
//   launch   CPU time of the process (all threads) per clEnqueueNDRangeKernel of 64 work-items with the
//            clFinish behind it
//   batch    the same for 100 launches and one clFinish, per launch
//   first    CPU time of a whole process that loads a module (SPIR-V where the driver takes it, else its
//            source), launches it once and reads the result
#include <CL/cl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kRepeats = 7;
constexpr int kLaunches = 20000;
constexpr std::size_t kItems = 64;
constexpr const char* kSource =
    "kernel void tiny(global uint* y) { size_t i = get_global_id(0); y[i] = y[i] + 1; }";

[[noreturn]] void fail(const char* what, cl_int error) {
  std::fprintf(stderr, "transpire-cl-launch: %s gives %d\n", what, error);
  std::exit(1);
}

void require(cl_int error, const char* what) {
  if (error != CL_SUCCESS) fail(what, error);
}

double process_cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

/// A context with the kernel and its buffer.
struct Host {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  cl_mem buffer = nullptr;

  explicit Host(const std::string& module) {
    cl_int error = CL_SUCCESS;
    cl_platform_id platform = nullptr;
    require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    require(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    require(error, "clCreateCommandQueue");
    const cl_program program = make_program(module);
    require(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    kernel = clCreateKernel(program, "tiny", &error);
    require(error, "clCreateKernel");
    std::vector<cl_uint> zeros(kItems, 0);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kItems * 4,
                            zeros.data(), &error);
    require(error, "clCreateBuffer");
    require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  }

  cl_program make_program(const std::string& module) const {
    cl_int error = CL_SUCCESS;
    if (!module.empty()) {
      std::ifstream file(module, std::ios::binary);
      const std::vector<char> words{std::istreambuf_iterator<char>(file), {}};
      const cl_program program = clCreateProgramWithIL(context, words.data(), words.size(), &error);
      if (error == CL_SUCCESS) return program;
    }
    const char* source = kSource;
    const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    require(error, "clCreateProgramWithSource");
    return program;
  }

  void launch() const {
    const std::size_t items = kItems;
    require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
  }
  void finish() const { require(clFinish(queue), "clFinish"); }

  cl_uint first_value() const {
    cl_uint value = 0;
    require(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    return value;
  }
};

/// CPU microseconds per launch, with a clFinish behind every `group` of them.
double time_launches(const Host& host, int group) {
  const cl_uint before = host.first_value();
  const double start = process_cpu_us();
  for (int i = 0; i < kLaunches; i += group) {
    for (int j = 0; j < group; ++j) host.launch();
    host.finish();
  }
  const double taken = process_cpu_us() - start;
  if (host.first_value() - before != kLaunches) {
    std::fprintf(stderr, "transpire-cl-launch: wrong result\n");
    std::exit(1);
  }
  return taken / kLaunches;
}

int child(const std::string& what, const std::string& module) {
  const Host host(module);
  host.launch();
  if (host.first_value() != 1) return 1;
  if (what == "first") return 0;
  for (int i = 0; i < 1000; ++i) host.launch();
  host.finish();
  const double single = time_launches(host, 1);
  std::printf("%f %f\n", single, time_launches(host, 100));
  return 0;
}

struct Sample {
  double launch = 0, batch = 0, first_ms = 0;
};

double children_cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) * 1e-3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

std::string run_child(const char* self, const std::string& driver, const char* what,
                      const std::string& module) {
  const std::string command =
      "OCL_ICD_VENDORS='" + driver + "' '" + self + "' --child " + what + " '" + module + "'";
  std::string output;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) std::exit(1);
  char block[256];
  while (std::fgets(block, sizeof block, pipe) != nullptr) output += block;
  if (pclose(pipe) != 0) {
    std::fprintf(stderr, "transpire-cl-launch: '%s' failed\n", driver.c_str());
    std::exit(1);
  }
  return output;
}

Sample measure(const char* self, const std::string& driver, const std::string& module) {
  Sample sample;
  const std::string output = run_child(self, driver, "launch", module);
  if (std::sscanf(output.c_str(), "%lf %lf", &sample.launch, &sample.batch) != 2) std::exit(1);
  const double before = children_cpu_ms();
  run_child(self, driver, "first", module);
  sample.first_ms = children_cpu_ms() - before;
  return sample;
}

double median(std::vector<Sample> samples, double Sample::*member) {
  std::sort(samples.begin(), samples.end(),
            [member](const Sample& a, const Sample& b) { return a.*member < b.*member; });
  return samples[samples.size() / 2].*member;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--child") == 0) return child(argv[2], argv[3]);
  std::vector<std::string> drivers(argv + 1, argv + argc);
  if (drivers.empty()) drivers = {TRANSPIRE_BENCH_DRIVER, "pocl.icd"};
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) return 1;
  const std::string self = path;
  std::vector<std::vector<Sample>> samples(drivers.size());
  for (int repeat = 0; repeat < kRepeats; ++repeat)
    for (std::size_t i = 0; i < drivers.size(); ++i)
      samples[i].push_back(measure(self.c_str(), drivers[i], TRANSPIRE_BENCH_TINY_MODULE));
  std::printf("%-28s %12s %12s %12s\n", "driver", "launch (us)", "batch (us)", "first (ms)");
  for (std::size_t i = 0; i < drivers.size(); ++i)
    std::printf("%-28s %12.2f %12.2f %12.1f\n",
                drivers[i].substr(drivers[i].rfind('/') + 1).c_str(),
                median(samples[i], &Sample::launch), median(samples[i], &Sample::batch),
                median(samples[i], &Sample::first_ms));
  return 0;
}
