// StoreLog: the last store to a byte, of several launches and of atomics. tests/cli/fuzz_test.py has those of other schedules.
#include <string>

#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

/// kernel k(global uint* a): a[i] = i, and everybody stores to a[0] and adds to a[8].
constexpr std::string_view kStoring = R"(
kernel k(%_ptr_CrossWorkgroup_uint a)
%i32 = OpUConvert %uint %gid
%sums = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %uint_8
store %a[%gid] %i32
store %a %i32
%old = OpAtomicIAdd %uint %sums %uint_1 %uint_0 %uint_1
)";

class Watched {
 public:
  explicit Watched(std::uint64_t items) : items_(items) {}

  void watch(std::uint64_t element) { log_.watch(&a_.bytes()[4 * element]); }
  void run(Schedule schedule) {
    launch_.schedule = schedule;
    launch_.stores = log_;
    test::run(device_, launch_);
  }
  std::optional<LastStore> last(std::uint64_t element, std::uint64_t byte = 0) const {
    return log_.last(&a_.bytes()[4 * element + byte]);
  }

 private:
  std::uint64_t items_;
  StoreLog log_ = StoreLog::create();
  Module module_ = load(kStoring);
  Buffer a_ = make_buffer(4 * 16);
  Device device_ = make_device();
  Launch launch_ = make_launch(module_, "k", items_, items_, a_);
};

TEST_CASE("only bytes that are watched have a last store, and only those that somebody stores to") {
  Watched watched(8);
  for (const std::uint64_t element : {3, 8, 12}) watched.watch(element);
  watched.run(Schedule::kLockstep);
  REQUIRE(watched.last(3).has_value());
  CHECK(watched.last(3)->global_id[0] == 3);
  REQUIRE(watched.last(8).has_value());
  CHECK(watched.last(8)->action == "atomic access");
  CHECK(watched.last(8)->global_id[0] == 7);
  CHECK_FALSE(watched.last(12).has_value());
  CHECK_FALSE(watched.last(4).has_value());
  CHECK_FALSE(watched.last(3, 1).has_value());
}

TEST_CASE("a later launch has the last word") {
  Watched watched(8);
  watched.watch(0);
  watched.run(Schedule::kSerial);
  watched.run(Schedule::kReverse);
  REQUIRE(watched.last(0).has_value());
  CHECK(watched.last(0)->global_id[0] == 0);
}

}  // namespace
}  // namespace transpire::test
