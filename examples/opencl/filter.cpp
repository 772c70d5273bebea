// A pipe between two kernels: the first one lets through what passes a test, the second one works on what came through.
// Nothing here knows which driver runs it:
//
//   c++ -std=c++17 filter.cpp -lOpenCL -o filter && OCL_ICD_VENDORS=libtranspire-opencl.so ./filter
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>
#include <algorithm>
#include <iostream>
#include <vector>

const char* const kSource = R"(
kernel void choose(global const int *numbers, write_only pipe int chosen) {
  const int number = numbers[get_global_id(0)];
  const int passes = number % 3 == 0;
  // A work-group reserves room for all that its work-items let through; each one knows its place there.
  const int place = work_group_scan_exclusive_add(passes);
  const reserve_id_t room = work_group_reserve_write_pipe(chosen, work_group_reduce_add(passes));
  if (!is_valid_reserve_id(room)) return;
  if (passes) write_pipe(chosen, room, place, &number);
  work_group_commit_write_pipe(chosen, room);
}
kernel void square(read_only pipe int chosen, global int *squares, global int *count) {
  int number;
  while (read_pipe(chosen, &number) == 0) squares[atomic_inc(count)] = number * number;
}
)";

int main() try {
  constexpr int kNumbers = 4096;
  const cl::Device device = cl::Device::getDefault();
  if (device.getInfo<CL_DEVICE_PIPE_SUPPORT>() == CL_FALSE) {
    std::cout << "the device has no pipes\n";
    return 0;
  }
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  cl::Program program(context, kSource);
  program.build("-cl-std=CL3.0");

  std::vector<int> numbers(kNumbers), squares(kNumbers), wanted;
  for (int i = 0; i < kNumbers; ++i) {
    numbers[static_cast<std::size_t>(i)] = i;
    if (i % 3 == 0) wanted.push_back(i * i);
  }
  int count = 0;
  cl::Buffer number_buffer(context, numbers.begin(), numbers.end(), true);
  cl::Buffer square_buffer(context, squares.begin(), squares.end(), false);
  cl::Buffer count_buffer(context, CL_MEM_COPY_HOST_PTR, sizeof count, &count);
  const cl::Pipe chosen(context, sizeof(int), kNumbers);

  cl::KernelFunctor<cl::Buffer, cl::Pipe> choose(program, "choose");
  choose(cl::EnqueueArgs(queue, cl::NDRange(kNumbers), cl::NDRange(64)), number_buffer, chosen);
  cl::KernelFunctor<cl::Pipe, cl::Buffer, cl::Buffer> square(program, "square");
  square(cl::EnqueueArgs(queue, cl::NDRange(32)), chosen, square_buffer, count_buffer);
  queue.enqueueReadBuffer(count_buffer, CL_TRUE, 0, sizeof count, &count);
  cl::copy(queue, square_buffer, squares.begin(), squares.end());

  // Work-groups let theirs through in any order.
  squares.resize(static_cast<std::size_t>(count));
  std::sort(squares.begin(), squares.end());
  if (squares != wanted) {
    std::cerr << count << " numbers came through, not " << wanted.size() << ", or others\n";
    return 1;
  }
  std::cout << device.getInfo<CL_DEVICE_NAME>() << ": " << count << " of " << kNumbers
            << " numbers came through\n";
  return 0;
} catch (const cl::BuildError& error) {
  for (const auto& [device, log] : error.getBuildLog()) std::cerr << log;
  return 1;
} catch (const cl::Error& error) {
  std::cerr << error.what() << ": error " << error.err() << '\n';
  return 1;
}
