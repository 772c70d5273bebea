// What a device refuses to launch. The driver's error codes for the same are in tests/opencl/kernels_test.cpp, what
// `transpire run` makes of them in tests/cli/transcripts/device_rules.txt.
#include "transpire/launch_rules.hpp"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

using Kind = LaunchRefusal::Kind;
using Size = std::array<std::uint64_t, 3>;

ModuleInfo module_of(std::uint32_t pointer_bits, bool uniform_groups) {
  ModuleInfo module;
  module.pointer_bits = pointer_bits;
  module.uniform_groups = uniform_groups;
  return module;
}

KernelInfo kernel_of(std::optional<Size> required = {}) {
  KernelInfo kernel;
  kernel.name = "k";
  kernel.required_local_size = required;
  return kernel;
}

std::optional<LaunchRefusal> judged(std::uint32_t dimensions, Size global, Size local,
                                    const KernelInfo& kernel = kernel_of(), Size offset = {},
                                    const ModuleInfo& module = module_of(64, true)) {
  return refusal_of(module, kernel, Geometry{dimensions, global, local, offset}, 32);
}

/// Whether it is refused so, with a rule that fits, and not to be run leniently unless it `may_run`.
bool is_refused(const std::optional<LaunchRefusal>& refusal, Kind kind, bool may_run = false) {
  return refusal && refusal->kind == kind && refusal->may_run == may_run &&
         refusal->diagnostic.rule == (may_run ? "TSP-C0005" : "TSP-C0004") &&
         refusal->diagnostic.severity == Severity::kError;
}

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TEST_CASE("sizes that no launch has") {
  CHECK(is_refused(judged(0, {1, 1, 1}, {}), Kind::kDimensions));
  CHECK(is_refused(judged(4, {1, 1, 1}, {}), Kind::kDimensions));
  CHECK(is_refused(judged(2, {1, 0, 1}, {}), Kind::kGlobalSize));
  CHECK(is_refused(judged(2, {kMost, 2, 1}, {}), Kind::kGlobalSize));
  CHECK(is_refused(judged(1, {2, 1, 1}, {}, kernel_of(), {kMost, 0, 0}), Kind::kGlobalOffset));
  const ModuleInfo small = module_of(32, true);
  CHECK(is_refused(judged(1, {1, 1, 1}, {}, kernel_of(), {1ull << 32, 0, 0}, small),
                   Kind::kGlobalOffset));
  CHECK_FALSE(judged(1, {1ull << 32, 1, 1}, {}, kernel_of(), {}, small));
  CHECK(is_refused(judged(2, {8, 8, 1}, {4, 0, 1}), Kind::kGroupSize));
  CHECK(is_refused(judged(1, {8192, 1, 1}, {8192, 1, 1}), Kind::kItemSize));
  CHECK(is_refused(judged(2, {128, 128, 1}, {128, 128, 1}), Kind::kGroupSize));
  CHECK_FALSE(judged(2, {64, 64, 1}, {64, 64, 1}));
  CHECK_FALSE(judged(1, {7, 0, 0}, {0, 0, 0}));
}

TEST_CASE("sizes that a kernel requires") {
  const KernelInfo shaped = kernel_of(Size{4, 1, 1});
  CHECK_FALSE(judged(1, {8, 1, 1}, {4, 1, 1}, shaped));
  CHECK_FALSE(judged(1, {8, 1, 1}, {}, shaped));
  CHECK(is_refused(judged(1, {8, 1, 1}, {8, 1, 1}, shaped), Kind::kGroupSize));
  CHECK(is_refused(judged(1, {8, 1, 1}, {}, kernel_of(Size{4, 2, 1})), Kind::kGroupSize));
  CHECK(is_refused(judged(1, {9, 1, 1}, {}, shaped), Kind::kGroupSize, true));
  CHECK(is_refused(judged(1, {8192, 1, 1}, {}, kernel_of(Size{8192, 1, 1})), Kind::kItemSize));
  KernelInfo in_sub_groups = kernel_of();
  in_sub_groups.subgroups_per_workgroup = 2;
  CHECK_FALSE(judged(1, {64, 1, 1}, {64, 1, 1}, in_sub_groups));
  CHECK_FALSE(judged(1, {64, 1, 1}, {}, in_sub_groups));
  CHECK(is_refused(judged(1, {64, 1, 1}, {32, 1, 1}, in_sub_groups), Kind::kGroupSize));
  KernelInfo hinted = kernel_of();
  hinted.local_size_hint = Size{16, 1, 1};
  CHECK_FALSE(judged(1, {64, 1, 1}, {32, 1, 1}, hinted));
}

TEST_CASE("work-groups that do not divide") {
  CHECK(is_refused(judged(1, {10, 1, 1}, {4, 1, 1}), Kind::kGroupSize, true));
  CHECK(is_refused(judged(2, {8, 9, 1}, {4, 2, 1}), Kind::kGroupSize, true));
  CHECK_FALSE(judged(1, {10, 1, 1}, {4, 1, 1}, kernel_of(), {}, module_of(64, false)));
  for (const char* const old : {"OpenCL C 1.0", "OpenCL C 1.1", "OpenCL C 1.2"})
    CHECK(has_only_uniform_groups(old));
  for (const char* const other : {"OpenCL C 2.0", "OpenCL C 3.0", "OpenCL C++ 1.0", ""})
    CHECK_FALSE(has_only_uniform_groups(other));
}

TEST_CASE("more images, samplers and pipes than the device takes") {
  const auto kernel_with = [](std::size_t read, std::size_t written, std::size_t samplers) {
    KernelInfo kernel = kernel_of();
    ParameterInfo image, sampler;
    image.image.emplace();
    image.access = "read_only";
    sampler.is_sampler = true;
    kernel.parameters.assign(read, image);
    image.access = "write_only";
    kernel.parameters.insert(kernel.parameters.end(), written, image);
    if (written != 0) kernel.parameters.back().access = "read_write";
    kernel.parameters.insert(kernel.parameters.end(), samplers, sampler);
    return judged(1, {8, 1, 1}, {}, kernel);
  };
  CHECK_FALSE(kernel_with(128, 128, 32));
  CHECK(is_refused(kernel_with(129, 0, 0), Kind::kParameters, true));
  CHECK(is_refused(kernel_with(0, 129, 0), Kind::kParameters, true));
  const auto samplers = kernel_with(0, 0, 33);
  CHECK(is_refused(samplers, Kind::kParameters, true));
  CHECK(samplers->diagnostic.message == "kernel 'k' has 33 parameters that are samplers");
  KernelInfo piped = kernel_of();
  piped.parameters.resize(64);
  for (ParameterInfo& parameter : piped.parameters) parameter.pipe.emplace();
  CHECK_FALSE(judged(1, {8, 1, 1}, {}, piped));
  piped.parameters.push_back(piped.parameters[0]);
  CHECK(is_refused(judged(1, {8, 1, 1}, {}, piped), Kind::kParameters, true));
}

TEST_CASE("local memory beyond the device's") {
  KernelInfo kernel = kernel_of();
  kernel.local_bytes = 60'000;
  CHECK_FALSE(refusal_of(kernel, 5'536));
  CHECK(is_refused(refusal_of(kernel, 5'537), Kind::kLocalMemory, true));
  CHECK(is_refused(refusal_of(kernel, kMost), Kind::kLocalMemory, true));
}

TEST_CASE("sizes of queues, and their number in a launch, have limits") {
  CHECK(refusal_of_queue_size(0));
  CHECK_FALSE(refusal_of_queue_size(1));
  CHECK_FALSE(refusal_of_queue_size(DeviceQueue::kMaxBytes));
  CHECK(refusal_of_queue_size(DeviceQueue::kMaxBytes + 1));
  CHECK(refusal_of_queue_size(kMost)->message ==
        "expected 1 to 1073741824 bytes as the size of a queue, found 18446744073709551615");
  CHECK_FALSE(refusal_of_queue_count(0));
  CHECK_FALSE(refusal_of_queue_count(kMaxDeviceQueues));
  CHECK(refusal_of_queue_count(kMaxDeviceQueues + 1));
}

}  // namespace
}  // namespace transpire::test
