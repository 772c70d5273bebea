// Buffers made of others' bytes, and memory that host and kernels address alike.
#include <cstdint>
#include <cstring>

#include "tests/runtime/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

/// kernel walk(global struct Node { struct Node* next; ulong value; }* list, global ulong* sum):
/// follows the list, doubles every value, adds the old ones up and says where it ended.
const std::string kWalk = shorthand::declare(R"(
kernel walk(%_ptr_CrossWorkgroup_ulong list sum)
%first = OpConvertPtrToU %ulong %list
%loop = OpLabel
%node = OpPhi %ulong %first %entry_of_walk %next %body
%total = OpPhi %ulong %ulong_0 %entry_of_walk %new_total %body
%end = OpIEqual %bool %node %ulong_0
OpBranchConditional %end %exit %body
%body = OpLabel
%p_next = OpConvertUToPtr %_ptr_CrossWorkgroup_ulong %node
%next = load %p_next
%p_value = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ulong %p_next %ulong_1
%value = load %p_value
%twice = OpIAdd %ulong %value %value
store %p_value %twice
%new_total = OpIAdd %ulong %total %value
OpBranch %loop
%exit = OpLabel
store %sum %total
)");

struct Node {
  Node* next = nullptr;
  std::uint64_t value = 0;
};

Launch walk(const SharedMemory& memory, const Node* first, const Buffer& sum) {
  Launch launch(load(kWalk), "walk");
  launch.shared = memory;
  launch.arguments = args_of(Argument::shared(first), sum);
  return launch;
}

TEST_CASE("kernels follow pointers that the host stored in shared memory") {
  const SharedMemory memory = SharedMemory::create().value();
  auto* first = static_cast<Node*>(memory.allocate(3 * sizeof(Node)));
  auto* last = static_cast<Node*>(memory.allocate(sizeof(Node)));
  *last = {nullptr, 7};
  first[2] = {last, 5};
  first[0] = {&first[2], 3};
  const Buffer sum = make_buffer(8, "sum");
  const Device device = make_device();
  auto result = device.run(walk(memory, first, sum));
  REQUIRE(result.ok());
  CHECK(result->findings.empty());
  CHECK(sum.as<std::uint64_t>()[0] == 15);
  CHECK(last->value == 14);

  // The same launch again, after more was allocated: the new node is reachable too.
  auto* more = static_cast<Node*>(memory.allocate(sizeof(Node)));
  *more = {nullptr, 100};
  last->next = more;
  result = device.run(walk(memory, first, sum));
  REQUIRE(result.ok());
  CHECK(result->findings.empty());
  CHECK(sum.as<std::uint64_t>()[0] == 130);
}

TEST_CASE("what is outside of shared allocations is found") {
  const SharedMemory memory = SharedMemory::create().value();
  auto* first = static_cast<Node*>(memory.allocate(sizeof(Node), 128, "nodes"));
  auto* gone = static_cast<Node*>(memory.allocate(sizeof(Node)));
  *gone = {nullptr, 1};
  *first = {gone, 1};
  CHECK(memory.release(gone));
  CHECK_FALSE(memory.release(gone));
  const Buffer sum = make_buffer(8);
  const Device device = make_device();
  const LaunchResult freed = test::run(device, walk(memory, first, sum));
  REQUIRE_FALSE(freed.findings.empty());
  CHECK(freed.findings[0].is_error());

  Node on_the_stack{nullptr, 1};
  first->next = &on_the_stack;
  const LaunchResult wild = test::run(device, walk(memory, first, sum));
  CHECK_FALSE(wild.findings.empty());
  CHECK(on_the_stack.value == 1);

  first->next = first + 1;  // just behind the allocation
  const LaunchResult behind = test::run(device, walk(memory, first, sum));
  REQUIRE_FALSE(behind.findings.empty());
  CHECK(behind.findings[0].allocation == "nodes");
  CHECK(behind.findings[0].offset_bytes.value_or(-1) == std::int64_t{sizeof(Node)});
}

TEST_CASE("shared allocations are apart, zeroed, and their rooms used again") {
  const SharedMemory memory = SharedMemory::create().value();
  auto* a = static_cast<std::byte*>(memory.allocate(100));
  auto* b = static_cast<std::byte*>(memory.allocate(std::uint64_t{3} << 20));
  REQUIRE(a != nullptr);
  REQUIRE(b != nullptr);
  CHECK(b - a >= 100 + (1 << 20));
  CHECK(memory.range_of(a + 99).data() == a);
  CHECK(memory.range_of(a + 100).empty());
  CHECK(memory.range_of(b + (2 << 20)).size() == std::size_t{3} << 20);
  CHECK(memory.range_of(&memory).empty());
  CHECK(memory.allocate(0) == nullptr);
  CHECK(memory.allocate(std::uint64_t{1} << 40) == nullptr);
  CHECK(memory.allocate(1, 3) == nullptr);
  CHECK(memory.allocate(1, std::uint64_t{1} << 21) == nullptr);
  for (int i = 0; i < 40000; ++i) {  // more than there is room for at once
    auto* again = static_cast<std::byte*>(memory.allocate(64));
    REQUIRE(again != nullptr);
    REQUIRE(again[63] == std::byte{0});
    again[63] = std::byte{1};
    REQUIRE(memory.release(again));
  }
  int live = 0;
  while (memory.allocate(1) != nullptr) ++live;
  CHECK(live == 32764);  // of two slots each; 65,536 less the 2 of a and the 5 of b
}

TEST_CASE("shared memory comes back at the addresses that it had") {
  Result<SharedMemory> first = SharedMemory::create();
  REQUIRE(first.ok());
  const std::uint64_t base = first->address();
  auto* node = static_cast<Node*>(first->allocate(sizeof(Node)));
  *node = {node, 7};
  CHECK(
      error_of(SharedMemory::create_at(base)).starts_with("TSP-L0004: the addresses for shared "));
  const SharedMemory second = SharedMemory::create().value();
  CHECK(second.address() != base);
  first = second;  // gives the first one's addresses back

  const SharedMemory again = SharedMemory::create_at(base).value();
  const auto address = reinterpret_cast<std::uint64_t>(node);
  REQUIRE(again.allocate_at(address, sizeof(Node), "node").ok());
  CHECK(node->next == nullptr);
  *node = {nullptr, 5};
  const Buffer sum = make_buffer(8);
  REQUIRE(make_device().run(walk(again, node, sum)).ok());
  CHECK(sum.as<std::uint64_t>()[0] == 5);
  REQUIRE(again.ranges().size() == 1);
  CHECK(again.ranges()[0].bytes.data() == reinterpret_cast<std::byte*>(node));
  CHECK(again.ranges()[0].name == "node");
}

TEST_CASE("shared memory at an address that cannot be had") {
  CHECK(error_of(SharedMemory::create_at(12345)) ==
        "TSP-L0004: shared virtual memory begins at a multiple of 1 MiB, found 0x3039");
  CHECK_FALSE(SharedMemory::create_at(0).ok());
  const SharedMemory memory = SharedMemory::create().value();
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
  const std::uint64_t base = memory.address();
  REQUIRE(memory.allocate_at(base + 4 * kMegabyte, kMegabyte + 1).ok());
  for (const std::uint64_t taken :
       {base + 3 * kMegabyte, base + 4 * kMegabyte, base + 5 * kMegabyte, base + 6 * kMegabyte - 1,
        base - kMegabyte, base + 64, base + (std::uint64_t{64} << 30) - kMegabyte})
    CHECK_FALSE(memory.allocate_at(taken, 64).ok());
  CHECK(memory.allocate_at(base + 2 * kMegabyte, 64).ok());
  CHECK(memory.allocate_at(base + 7 * kMegabyte, 64).ok());
  CHECK_FALSE(memory.allocate_at(base + 20 * kMegabyte, 0).ok());
  CHECK_FALSE(memory.allocate_at(base, std::uint64_t{1} << 40).ok());
}

TEST_CASE("shared memory is refused where pointers have 32 bits") {
  std::string text(kWalk);
  text.replace(text.find("Physical64"), 10, "Physical32");
  Launch launch(load(text), "walk");
  launch.shared = SharedMemory::create().value();
  launch.arguments = args_of(Argument::null(), make_buffer(8));
  CHECK(error_of(make_device().run(launch)) ==
        "TSP-C0003: shared memory needs a module with 64-bit pointers (Physical64)");
  launch.shared.reset();
  launch.arguments[0] = Argument::shared(nullptr);
  CHECK_FALSE(make_device().run(launch).ok());
}

TEST_CASE("a slice ends where it says, and keeps the whole alive") {
  Result<Buffer> whole = Buffer::create(1024, "whole");
  REQUIRE(whole.ok());
  const Buffer y = whole->slice(256, 128, "part").value();
  CHECK(error_of(whole->slice(1000, 25)) ==
        "TSP-C0003: expected a slice within the 1024 bytes of buffer 'whole', found 25 bytes from "
        "byte 1000 on");
  CHECK(whole->slice(1024, 0).ok());
  CHECK_FALSE(whole->slice(1025, 0).ok());
  whole = Buffer::create(16);
  const Buffer x = make_buffer(256);
  std::fill(x.as<float>().begin(), x.as<float>().end(), 3.0f);
  const Launch launch = make_launch(load(kSaxpy), "saxpy", 33, 0, y, x, 2.0f);
  const LaunchResult result = test::run(make_device(), launch);
  CHECK(y.as<float>()[31] == 6.0f);
  REQUIRE_FALSE(result.findings.empty());
  CHECK(result.findings[0].allocation == "part");
  CHECK(result.findings[0].offset_bytes == 128);
}

}  // namespace
}  // namespace transpire::test
