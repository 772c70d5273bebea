// What the seed of a random schedule chooses, and what it leaves alone: sub-groups, programs and what is kept of launches.
#include "scheduler/schedule.h"

#include <fmt/format.h>

#include <set>

#include "runtime/device.h"
#include "runtime/state.h"
#include "tests/runtime/support.h"
#include "transpire/launch_rules.hpp"

namespace transpire::test {
namespace {

/// kernel size(global uint* out): out[0] = get_max_sub_group_size(), with this execution mode.
Module with_mode(const std::string& mode) {
  return load(mode + R"(
OpCapability SubgroupDispatch
kernel size(%_ptr_CrossWorkgroup_uint out)
%items = OpLoad %uint %SubgroupMaxSize
store %out %items
)");
}

class Runs {
 public:
  explicit Runs(const std::string& mode, std::uint64_t local = 64)
      : module_(with_mode(mode)), out_(make_buffer(4)) {
    launch_.emplace(make_launch(module_, "size", 128, local, out_));
  }
  Launch& launch() { return *launch_; }
  /// The size of sub-groups that the kernel finds.
  std::uint32_t size(Schedule schedule, std::uint32_t seed) {
    launch_->schedule = schedule;
    launch_->seed = seed;
    test::run(device_, *launch_);
    const std::uint32_t found = out_.as<std::uint32_t>()[0];
    CHECK(subgroup_items(module_.info().kernels[0], *launch_) == found);
    return found;
  }
  std::set<std::uint32_t> sizes_of_20_seeds() {
    std::set<std::uint32_t> found;
    for (std::uint32_t seed = 0; seed < 20; ++seed) found.insert(size(Schedule::kRandom, seed));
    return found;
  }
  std::size_t programs() const { return module_.state()->made().size(); }
  std::size_t prepared() const { return device_.state()->prepared_launches(); }

 private:
  Module module_;
  Buffer out_;
  Device device_ = make_device();
  std::optional<Launch> launch_;
};

using Sizes = std::set<std::uint32_t>;

TEST_CASE("seeds with the same sub-groups share a program, and one of them is kept ready") {
  Runs runs("");
  CHECK(runs.sizes_of_20_seeds() == Sizes{8, 16, 32, 64});
  CHECK(runs.programs() == kSubgroupSizes.size());
  CHECK(runs.prepared() == 1);
  // The orders without a seed share that of sub-groups of 32.
  CHECK(runs.size(Schedule::kSerial, 0) == kSubgroupItems);
  CHECK(runs.size(Schedule::kReverse, 1) == kSubgroupItems);
  CHECK(runs.programs() == kSubgroupSizes.size());
  CHECK(runs.prepared() == 3);
}

TEST_CASE("a seed does not choose the size of sub-groups where the launch or the kernel says it") {
  for (const std::size_t size : kSubgroupSizes) {
    INFO(size);
    const auto items = static_cast<std::uint32_t>(size);
    Runs by_launch("");
    by_launch.launch().subgroup_size = items;
    CHECK(by_launch.sizes_of_20_seeds() == Sizes{items});
    CHECK(by_launch.programs() == 1);
    Runs by_kernel(fmt::format("OpExecutionMode %size SubgroupSize {}", size));
    CHECK(by_kernel.sizes_of_20_seeds() == Sizes{items});
    CHECK(by_kernel.programs() == 1);
  }
}

TEST_CASE("a seed leaves sub-groups as they are where the kernel requires a number of them") {
  for (const std::uint64_t local : {0, 64}) {  // chosen to fit, and given
    INFO(local);
    Runs runs("OpExecutionMode %size SubgroupsPerWorkgroup 2", local);
    CHECK(runs.sizes_of_20_seeds() == Sizes{kSubgroupItems});
    CHECK(runs.programs() == 1);
  }
}

}  // namespace
}  // namespace transpire::test
