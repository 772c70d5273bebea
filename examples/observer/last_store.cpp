// Watches a launch: prints each store to y[1], stops at the third, goes back to the one before, and runs to the end.
//
//   last_store examples/observer/steps.spvasm
#include <cstdio>
#include <cstring>
#include <vector>

#include "transpire/transpire.hpp"

using namespace transpire;

class Stores final : public Watch {
 public:
  explicit Stores(const std::byte* byte) : byte_(byte) {}
  const WatchedRun* run = nullptr;
  std::vector<std::uint64_t> events;  ///< numbers of the stores to the byte

  Answer access(const WatchAccess& access) override {
    if (!access.writes() || access.host == nullptr || byte_ < access.host ||
        byte_ >= access.host + access.size_bytes)
      return Answer::kGoOn;
    events.push_back(run->position() - 1);  // the number of this event
    std::uint32_t old = 0;
    access.read(std::as_writable_bytes(std::span(&old, 1)));
    std::printf("event %llu: work-item %llu stores to %.*s at byte %llu, which is %u, at %s\n",
                static_cast<unsigned long long>(events.back()),
                static_cast<unsigned long long>(access.item.global_id[0]),
                static_cast<int>(access.allocation.size()), access.allocation.data(),
                static_cast<unsigned long long>(access.offset_bytes), old,
                access.place.spell().c_str());
    return events.size() == 3 ? Answer::kStop : Answer::kGoOn;
  }

 private:
  const std::byte* byte_;
};

int main(int argc, char** argv) {
  const Result<Module> module =
      Module::load_file(argc > 1 ? argv[1] : "examples/observer/steps.spvasm");
  const Result<Device> device = Device::create();
  const Result<Buffer> y = Buffer::create(16, "y");
  if (!module || !device || !y) return 2;
  Launch launch(*module, "steps");
  launch.geometry.global_size = {4, 1, 1};
  launch.arguments = {Argument::buffer(*y)};
  Stores stores(&y->bytes()[4]);
  launch.watch = &stores;
  Result<WatchedRun> run = WatchedRun::create(*device, launch);
  if (!run) return 2;
  stores.run = &*run;

  if (!run->go_on()) return 1;  // stops before the third store
  std::printf("stopped: y[1] is %u\n", y->as<std::uint32_t>()[1]);
  if (!run->go_to(stores.events[1])) return 1;  // before the second one
  std::printf("back at event %llu: y[1] is %u\n", static_cast<unsigned long long>(run->position()),
              y->as<std::uint32_t>()[1]);
  while (run->go_on()) continue;
  std::printf("ended: y[1] is %u\n", y->as<std::uint32_t>()[1]);
  return 0;
}
