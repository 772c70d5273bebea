// The smallest whole program: loads a kernel, runs it and reads a buffer.
//   first saxpy.cl
#include <cstdio>
#include <span>
#include <transpire/transpire.hpp>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto module = transpire::Module::load_file(argv[1]);
  if (!module) {
    std::puts(transpire::format(module.errors()[0]).c_str());
    return 1;
  }
  const auto device = transpire::Device::create();
  std::vector<float> numbers(1024);
  const auto y = transpire::Buffer::wrap(std::as_writable_bytes(std::span(numbers)), "y");
  const auto x = transpire::Buffer::create(1024 * sizeof(float), "x");
  if (!device || !y || !x) return 1;
  for (float& number : x->as<float>()) number = 2;

  transpire::Launch launch(*module, "saxpy");
  launch.geometry.global_size = {1024, 1, 1};
  launch.arguments = {transpire::Argument::buffer(*y), transpire::Argument::buffer(*x),
                      transpire::Argument::value(3.0f)};
  const auto result = device->run(launch);
  if (!result) {
    std::puts(transpire::format(result.errors()[0]).c_str());
    return 1;
  }
  for (const auto& finding : result->findings)
    std::puts(transpire::format(finding.diagnostic).c_str());
  std::printf("y[5] = %g\n", y->as<float>()[5]);  // and so is numbers[5]
}
