// Launches side by side: on different devices, and on one device from several threads. For the
// thread sanitizer above all. Without a compiler for OpenCL C these tests pass without running.
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "transpire/transpire.h"
#include "transpire/transpire.hpp"

namespace transpire::test {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 8;

std::optional<Module> kernels() {
  Result<Module> module = Module::load_file(TRANSPIRE_DATA "/kernels.cl");
  if (module) return *module;
  if (module.errors()[0].rule != "TSP-C0031") FAIL(format(module.errors()[0]));
  return std::nullopt;
}

/// Runs the body on several threads at once, and gives the number of failures it counted.
int side_by_side(const std::function<bool(int)>& body) {
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      if (!body(i)) ++failures;
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

/// y[i] = a * i for as many work-items.
bool saxpy_works(const Module& module, const Device& device, std::uint64_t items, float a) {
  const Result<Buffer> y = Buffer::create(items * 4, "y"), x = Buffer::create(items * 4, "x");
  for (std::uint64_t i = 0; i < items; ++i) x->as<float>()[i] = static_cast<float>(i);
  Launch launch(module, "saxpy");
  launch.geometry.global_size = {items, 1, 1};
  launch.arguments = {Argument::buffer(*y), Argument::buffer(*x), Argument::value(a)};
  const Result<LaunchResult> result = device.run(launch);
  bool good = result.ok() && result->findings.empty();
  for (std::uint64_t i = 0; i < items; ++i)
    good = good && y->as<float>()[i] == a * static_cast<float>(i);
  return good;
}

/// Groups of 16 with barriers and local memory.
bool sum_works(const Module& module, const Device& device, int first) {
  const Result<Buffer> in = Buffer::create(64 * 4), out = Buffer::create(4 * 4);
  for (int i = 0; i < 64; ++i) in->as<int>()[i] = first;
  Launch launch(module, "sum");
  launch.geometry.global_size = {64, 1, 1};
  launch.geometry.local_size = {16, 1, 1};
  launch.arguments = {Argument::buffer(*in), Argument::buffer(*out), Argument::local(16 * 4)};
  const Result<LaunchResult> result = device.run(launch);
  return result.ok() && result->findings.empty() && out->as<int>()[3] == 16 * first;
}

/// A work-item too many: every thread must get its own finding.
bool overrun_is_found(const Module& module, const Device& device, std::uint64_t items) {
  const std::string name = "y" + std::to_string(items);
  const Result<Buffer> y = Buffer::create((items - 1) * 4, name), x = Buffer::create(items * 4);
  Launch launch(module, "saxpy");
  launch.geometry.global_size = {items, 1, 1};
  launch.arguments = {Argument::buffer(*y), Argument::buffer(*x), Argument::value(1.0f)};
  const Result<LaunchResult> result = device.run(launch);
  return result.ok() && result->findings.size() == 2 && result->findings[1].allocation == name &&
         result->findings[1].global_id[0] == items - 1;
}

bool all_work(const Module& module, const Device& device, int thread) {
  bool good = true;
  for (int round = 0; round < kRounds; ++round) {
    good = saxpy_works(module, device, 512, static_cast<float>(thread + round)) && good;
    good = sum_works(module, device, 100 * thread + round) && good;
    good = overrun_is_found(module, device, static_cast<std::uint64_t>(64 + thread)) && good;
  }
  return good;
}

TEST_CASE("one device serves several threads") {
  const std::optional<Module> module = kernels();
  if (!module) return;
  for (const unsigned threads : {1u, 3u}) {
    const Result<Device> device = Device::create({"", threads});
    REQUIRE(device.ok());
    CHECK(side_by_side([&](int i) { return all_work(*module, *device, i); }) == 0);
  }
}

TEST_CASE("devices of all instruction sets work side by side on one module") {
  const std::optional<Module> module = kernels();
  if (!module) return;
  const std::vector<std::string> isas = supported_isas();
  CHECK(side_by_side([&](int i) {
          const auto at = static_cast<std::size_t>(i) % isas.size();
          const Result<Device> device = Device::create({isas[at], 2});
          return device.ok() && all_work(*module, *device, i);
        }) == 0);
}

TEST_CASE("modules are loaded, described and forgotten while others run on the device") {
  const std::optional<Module> module = kernels();
  if (!module) return;
  const Result<std::string> text = module->disassemble();
  const std::size_t findings = module->validate().size();
  const Result<Device> device = Device::create({"", 2});
  REQUIRE((text.ok() && device.ok()));
  CHECK(side_by_side([&](int i) {
          if (i == 0) return all_work(*module, *device, i);
          bool good = true;
          for (int round = 0; round < kRounds; ++round) {
            const Result<Module> own = Module::load(std::as_bytes(std::span(*text)));
            good = good && own.ok() && own->unsupported("sum").empty() &&
                   saxpy_works(*own, *device, 64, 2) && own->disassemble() &&
                   module->validate().size() == findings && module->info().kernels.size() > 2;
          }
          return good;
        }) == 0);
}

TEST_CASE("launches on one buffer meet in its atomics") {
  const std::optional<Module> module = kernels();
  if (!module) return;
  const Result<Device> device = Device::create({"", 2});
  const Result<Buffer> total = Buffer::create(4);
  Launch launch(*module, "count");
  launch.geometry.global_size = {256, 1, 1};
  launch.arguments = {Argument::buffer(*total), Argument::value(3)};
  CHECK(side_by_side([&](int) { return device->run(launch).ok(); }) == 0);  // one Launch for all
  CHECK(total->as<int>()[0] == kThreads * 256 * 3);
}

TEST_CASE("one launch is cancelled, the others on the device go on") {
  const std::optional<Module> module = kernels();
  if (!module) return;
  const Result<Device> device = Device::create({"", 2});
  CHECK(side_by_side([&](int i) {
          if (i != 0) return all_work(*module, *device, i);
          const Result<Buffer> flag = Buffer::create(4);
          Launch launch(*module, "spin");
          launch.arguments = {Argument::buffer(*flag)};
          int calls = 0;
          launch.progress = [&](std::uint64_t, std::uint64_t) { return ++calls < 3; };
          const Result<LaunchResult> result = device->run(launch);
          return result.ok() && result->end == LaunchResult::End::kCancelled;
        }) == 0);
}

TEST_CASE("shared memory is allocated and used by several threads") {
  const std::optional<Module> module = kernels();
  if (!module) return;
  const Result<Device> device = Device::create({"", 2});
  const Result<SharedMemory> memory = SharedMemory::create();
  CHECK(side_by_side([&](int i) {
          bool good = true;
          for (int round = 0; round < kRounds; ++round) {
            void* const ints = memory->allocate(64 * 4);
            Launch launch(*module, "count");
            launch.geometry.global_size = {64, 1, 1};
            launch.shared = *memory;
            launch.arguments = {Argument::shared(ints), Argument::value(i)};
            good = good && device->run(launch).ok() && *static_cast<int*>(ints) == 64 * i;
            good = good && memory->range_of(ints).size() == 64 * 4 && memory->release(ints);
          }
          return good;
        }) == 0);
}

TEST_CASE("C: errors belong to their thread, and one launch serves all") {
  transpire_module* module = nullptr;
  transpire_error* why = nullptr;
  if (transpire_module_load_file(TRANSPIRE_DATA "/kernels.cl", nullptr, &module, &why) !=
      TRANSPIRE_OK) {
    transpire_error_release(why);
    return;
  }
  transpire_device* device = nullptr;
  transpire_launch* launch = nullptr;
  const int value = 42;
  REQUIRE(transpire_device_create(nullptr, 2, &device, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_create(module, "say", &launch, nullptr) == TRANSPIRE_OK);
  REQUIRE(transpire_launch_set_value(launch, 0, &value, sizeof value, nullptr) == TRANSPIRE_OK);
  CHECK(side_by_side([&](int i) {
          transpire_error* error = nullptr;
          const transpire_kernel* kernel = nullptr;
          const std::string name = "no" + std::to_string(i);
          transpire_module_find_kernel(module, name.c_str(), &kernel, &error);
          bool good = std::string(transpire_error_text(error)).find(name) != std::string::npos;
          transpire_error_release(error);
          transpire_result* result = nullptr;
          const transpire_result_info* info = nullptr;
          const char* text = nullptr;
          good = good && transpire_launch_run(launch, device, &result, nullptr) == TRANSPIRE_OK &&
                 transpire_result_get_info(result, &info, nullptr) == TRANSPIRE_OK &&
                 transpire_module_disassemble(module, false, &text, nullptr) == TRANSPIRE_OK;
          good = good && std::string(info->printf_output) == "x=42\n" && text[0] != 0;
          transpire_result_release(result);
          return good;
        }) == 0);
  transpire_launch_release(launch);
  transpire_device_release(device);
  transpire_module_release(module);
}

}  // namespace
}  // namespace transpire::test
