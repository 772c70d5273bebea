// y = a * x + y by OpenCL's C++ bindings. Nothing here knows which driver runs it:
//
//   c++ -std=c++17 saxpy.cpp -lOpenCL -o saxpy && OCL_ICD_VENDORS=libtranspire-opencl.so ./saxpy
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>
#include <iostream>
#include <vector>

const char* const kSource = R"(
kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
)";

int main() try {
  const cl::Device device = cl::Device::getDefault();
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program(context, kSource, true);

  std::vector<float> x(1024), y(1024, 1.0f);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  cl::Buffer x_buffer(context, x.begin(), x.end(), true);
  cl::Buffer y_buffer(context, y.begin(), y.end(), false);

  cl::KernelFunctor<cl::Buffer, cl::Buffer, float> saxpy(program, "saxpy");
  saxpy(cl::EnqueueArgs(queue, cl::NDRange(x.size())), y_buffer, x_buffer, 3.0f);
  cl::copy(queue, y_buffer, y.begin(), y.end());

  for (std::size_t i = 0; i < y.size(); ++i)
    if (y[i] != 3.0f * x[i] + 1.0f) {
      std::cerr << "y[" << i << "] is " << y[i] << '\n';
      return 1;
    }
  std::cout << device.getInfo<CL_DEVICE_NAME>() << ": y[1023] = " << y[1023] << '\n';
  return 0;
} catch (const cl::BuildError& error) {
  for (const auto& log : error.getBuildLog()) std::cerr << log.second;
  return 1;
} catch (const cl::Error& error) {
  std::cerr << error.what() << ": error " << error.err() << '\n';
  return 1;
}
