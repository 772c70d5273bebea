// Every size and offset that a module, a launch or a caller chooses, around the numbers where sums
// of them leave 31, 32, 63 and 64 bits: each gives a launch that ends, or an error of a rule.
#include <fmt/format.h>

#include <array>

#include "scheduler/geometry.h"
#include "scheduler/launch.h"
#include "tests/patience.h"
#include "tests/random_cases.h"
#include "tests/runtime/support.h"
#include "tests/sanitized.h"
#include "tests/shorthand/shorthand.h"
#include "transpire/transpire.h"
#include "vm/lower/lower.h"

namespace transpire::test {
namespace {

constexpr std::uint64_t kLargest = ~std::uint64_t{0};
constexpr std::uint64_t k31 = std::uint64_t{1} << 31, k32 = k31 << 1, k48 = std::uint64_t{1} << 48,
                        k63 = std::uint64_t{1} << 63;
constexpr std::array<std::uint64_t, 17> kSizes{0,
                                               1,
                                               127,
                                               1 << 24,
                                               k31 - 1,
                                               k31,
                                               k32 - 1,
                                               k32,
                                               k32 + 1,
                                               k48,
                                               k63 - 1,
                                               k63,
                                               k63 + 1,
                                               kLargest - 4096,
                                               kLargest - 127,
                                               kLargest - 3,
                                               kLargest};

/// kernel locals(local uint* a, local uint* b, global uint* out): out[0] = (*a = 1) + (*b = 2),
/// with an array of each storage class whose numbers of bytes are filled in.
constexpr std::string_view kLocals = R"(
OpCapability Addresses Linkage Kernel Int64 Int8
OpMemoryModel Physical{bits} OpenCL
OpName %in_group "in_group"
OpName %in_module "in_module"
%a_group = OpTypeArray %uchar %ulong_{group}
%a_module = OpTypeArray %uchar %ulong_{module}
%a_item = OpTypeArray %uchar %ulong_{item}
%in_group = OpVariable %_ptr_Workgroup_a_group Workgroup
%in_group_2 = OpVariable %_ptr_Workgroup_a_group Workgroup
%no_bytes = OpConstantNull %a_module
%in_module = OpVariable %_ptr_CrossWorkgroup_a_module CrossWorkgroup %no_bytes
{variables}
kernel locals(%_ptr_Workgroup_uint a b, %_ptr_CrossWorkgroup_uint out, %ulong at)
%in_item = OpVariable %_ptr_Function_a_item Function
%in_item_2 = OpVariable %_ptr_Function_a_item Function
%g = OpInBoundsAccessChain %_ptr_Workgroup_uchar %in_group %at
%g2 = OpInBoundsAccessChain %_ptr_Workgroup_uchar %in_group_2 %at
%m = OpInBoundsAccessChain %_ptr_CrossWorkgroup_uchar %in_module %at
%i = OpInBoundsAccessChain %_ptr_Function_uchar %in_item %at
%i2 = OpInBoundsAccessChain %_ptr_Function_uchar %in_item_2 %at
OpStore %g %uchar_3
OpStore %g2 %uchar_3
OpStore %i %uchar_3
OpStore %i2 %uchar_3
OpStore %m %uchar_3
store %a %uint_1
store %b %uint_2
%va = load %a
%vb = load %b
%vi = OpLoad %uchar %i
%wi = OpUConvert %uint %vi
%sum = OpIAdd %uint %va %vb
%all = OpIAdd %uint %sum %wi
store %out %all
OpReturn
OpFunctionEnd
)";

/// The module with so many bytes in each of its arrays, and with more variables.
Result<Module> locals(std::uint64_t group, std::uint64_t module, std::uint64_t item,
                      unsigned bits = 64, std::string_view variables = "") {
  const std::string text = shorthand::declare(fmt::format(
      kLocals, fmt::arg("bits", bits), fmt::arg("group", group), fmt::arg("module", module),
      fmt::arg("item", item), fmt::arg("variables", variables)));
  return Module::load(std::as_bytes(std::span(text)));
}

/// The launch with nothing in it that is large, but for what a test changes.
Launch small_launch(const Module& module) {
  Launch launch(module, "locals");
  launch.arguments =
      args_of(Argument::local(4), Argument::local(4), make_buffer(64), std::uint64_t{0});
  launch.limits.max_memory_bytes = kLargest;
  launch.limits.timeout_seconds = kPatience.count();
  return launch;
}

/// Whether it ran to a sum that is right, or was refused by one of `rules`.
void check_end(const Device& device, const Launch& launch,
               std::initializer_list<std::string_view> rules) {
  const auto result = device.run(launch);
  if (result) {
    CHECK(result->end == LaunchResult::End::kCompleted);
    CHECK(result->findings.empty());
    CHECK(launch.arguments[2].memory->as<std::uint32_t>()[0] == 6);
    return;
  }
  CAPTURE(format(result.errors()[0]));
  CHECK(std::find(rules.begin(), rules.end(), result.errors()[0].rule) != rules.end());
}

template <class Body>
void for_each_width(const Body& body) {
  for (const std::string& isa : isas_of_each_width()) {
    CAPTURE(isa);
    body(make_device(1, isa));
  }
}

TEST_CASE("sizes of local arguments and of local variables meet in no sum that wraps") {
  for_each_width([](const Device& device) {
    for (const std::uint64_t variable : {std::uint64_t{4}, std::uint64_t{1} << 23, k48}) {
      const auto module = locals(variable, 4, 4);
      REQUIRE(module.ok());
      for (const std::uint64_t a : kSizes) {
        for (const std::uint64_t b : {std::uint64_t{4}, a, kLargest - a, kLargest - a + 1}) {
          CAPTURE(variable);
          CAPTURE(a);
          CAPTURE(b);
          Launch launch = small_launch(*module);
          launch.arguments[0] = Argument::local(a);
          launch.arguments[1] = Argument::local(b);
          // Of no or of one byte there is none to store four to.
          if (a > 3 && b > 3) check_end(device, launch, {"TSP-L0004"});
          launch.limits.max_memory_bytes = 1 << 20;
          if (a > 3 && b > 3) check_end(device, launch, {"TSP-L0004"});
        }
      }
    }
  });
}

TEST_CASE("local memory ends a little below 16 MiB") {
  const auto module = locals(4, 4, 4);
  REQUIRE(module.ok());
  Launch launch = small_launch(*module);
  launch.lenient = true;  // a device has 64 KiB
  // The other argument and the variables take 128 bytes each, as far as they are apart.
  launch.arguments[0] = Argument::local(scheduler::kMaxWorkgroupBytes - 256);
  check_end(make_device(), launch, {});
  launch.arguments[0] = Argument::local(scheduler::kMaxWorkgroupBytes - 255);
  CHECK(error_of(make_device().run(launch)) ==
        "TSP-L0004: a work-group needs 16777216 bytes of local memory");
}

TEST_CASE("private memory is bounded for a work-item, and for all of them by the launch") {
  for_each_width([](const Device& device) {
    for (const std::uint64_t item :
         {std::uint64_t{4}, vm::kMaxPrivateBytes / 2, vm::kMaxPrivateBytes / 2 + 1, k31, k32 - 4,
          k32, k32 + 8, k48}) {
      CAPTURE(item);
      const auto module = locals(4, 4, item);
      REQUIRE(module.ok());
      Launch launch = small_launch(*module);
      launch.arguments[3] = Argument::value(std::uint64_t{item - 1});
      launch.limits.max_memory_bytes = std::uint64_t{1} << 30;
      check_end(device, launch, {"TSP-L0004"});
      CHECK(device.run(launch).ok() == (item == 4));
    }
  });
}

TEST_CASE("variables of a module have as many bytes as the limit of memory, not more") {
  for_each_width([](const Device& device) {
    for (const unsigned bits : {32u, 64u}) {
      for (const std::uint64_t size : {std::uint64_t{4}, k31, k32 - 1, k32, k48}) {
        CAPTURE(bits);
        CAPTURE(size);
        const auto module = locals(4, size, 4, bits);
        REQUIRE(module.ok());
        Launch launch = small_launch(*module);
        launch.limits.max_memory_bytes = std::uint64_t{1} << 30;
        check_end(device, launch, {"TSP-L0004"});
      }
    }
  });
  // Made once for all instruction sets, which have nothing to do with it. Storage of 4 GiB takes seconds to clear: one
  // size beyond 32 bits, with one width of pointers, is enough, in scripts/check-long.
  for (const unsigned bits : {32u, 64u}) {
    for (const std::uint64_t size : {std::uint64_t{4}, k32 + 4, k48}) {
      CAPTURE(bits);
      CAPTURE(size);
      if (size == k32 + 4 && (kSanitized || bits == 32 || !takes_long_cases())) continue;
      const auto module = locals(4, size, 4, bits);
      REQUIRE(module.ok());
      const auto variable = make_device().program_variable(*module, 0);
      if (variable) CHECK(variable->bytes().size() == size);
      if (!variable) CHECK(variable.errors()[0].rule == "TSP-L0004");
      if (size == 4) CHECK(variable.ok());
      if (size == k48) CHECK_FALSE(variable.ok());
    }
  }
}

TEST_CASE("what a module says it needs in all stops at 2^64 - 1") {
  std::string variables;
  for (int i = 0; i < 65536; ++i)
    variables += fmt::format("%v{} = OpVariable %_ptr_CrossWorkgroup_a_module CrossWorkgroup\n", i);
  const auto module = locals(k48, k48, k48, 64, variables);
  REQUIRE(module.ok());
  CHECK(module->info().global_bytes == kLargest);
  CHECK(module->info().kernels[0].local_bytes == 2 * k48);
  CHECK(module->info().kernels[0].private_bytes == 2 * k48);
}

TEST_CASE("the bytes of wrapped buffers, which may not exist, are summed safely") {
  std::array<std::byte, 64> bytes{};
  for_each_width([&](const Device& device) {
    const Module module = load(kSaxpy);
    for (const std::uint64_t size : kSizes) {
      for (const std::uint64_t other :
           {std::uint64_t{4}, size, kLargest - size, kLargest - size + 1}) {
        CAPTURE(size);
        CAPTURE(other);
        const Buffer y = *Buffer::wrap(std::span(bytes.data(), size), "y");
        const Buffer x = *Buffer::wrap(std::span(bytes.data(), other), "x");
        Launch launch = make_launch(module, "saxpy", 1, 1, y, x, 2.0f);
        for (const std::uint64_t most : {std::uint64_t{1} << 30, kLargest}) {
          launch.limits.max_memory_bytes = most;
          const auto result = device.run(launch);
          if (!result) CHECK(result.errors()[0].rule == "TSP-L0004");
          const bool sum_fits = size <= most && other <= most - size && size + other < most - k31;
          if (size < k48 && other < k48 && sum_fits) CHECK(result.ok());
          if (size > k48 + k48 || other > k48 + k48) CHECK(!result.ok());
        }
      }
      Launch shifted = make_launch(module, "saxpy", 1, 1, Argument::buffer(make_buffer(64), size),
                                   make_buffer(64), 2.0f);
      const auto result = device.run(shifted);
      CHECK(result.ok() == (size <= 64));
      if (!result) CHECK(result.errors()[0].rule == "TSP-C0003");
    }
  });
}

TEST_CASE("launches of any size end by a limit, or are refused") {
  for_each_width([](const Device& device) {
    const Module module = load(kSaxpy);
    const auto try_launch = [&](const Geometry& geometry) {
      Launch launch(module, "saxpy");
      launch.geometry = geometry;
      launch.arguments = args_of(make_buffer(64), make_buffer(64), 2.0f);
      launch.limits.max_findings = 1;  // all but the first work-items fault
      launch.limits.timeout_seconds = 0.002;
      const auto result = device.run(launch);
      if (!result) {
        const std::string& rule = result.errors()[0].rule;
        CHECK((rule == "TSP-C0004" || rule == "TSP-L0002"));
      } else if (result->work_items > 1 << 20) {
        CHECK(result->end != LaunchResult::End::kCompleted);
      }
    };
    for (const std::uint64_t x : kSizes) {
      for (const std::uint64_t y : {std::uint64_t{1}, std::uint64_t{4}, k31, kLargest}) {
        for (const std::uint64_t local : {std::uint64_t{0}, std::uint64_t{1}, k32 + 1, kLargest}) {
          CAPTURE(x);
          CAPTURE(y);
          CAPTURE(local);
          try_launch({3, {x, y, 1}, {local, local == 0 ? 0 : 1u, local == 0 ? 0 : 1u}, {}});
          try_launch({2, {16, y, 1}, {local, 1, 1}, {x, y, 0}});
          try_launch({3, {y, x, y}, {1, 1, 1}, {0, x, 0}});
        }
      }
    }
  });
}

TEST_CASE("numbers of units do not wrap where a launch has nearly 2^64 groups") {
  vm::exec::LaunchIds ids;
  ids.global_size[0] = k31 - 1;
  ids.global_size[1] = k31 - 1;
  ids.global_size[2] = 4;
  for (int d = 0; d < 3; ++d) ids.num_groups[d] = ids.global_size[d];
  const scheduler::GeometryPlan packed(ids, 128, scheduler::Filling::kPacked);
  CHECK(packed.group_count() == (k31 - 1) * (k31 - 1) * 4);
  CHECK(packed.unit_count() == packed.group_count() / 128 + 1);
  CHECK(scheduler::divide_up(kLargest, 128) == kLargest / 128 + 1);
  CHECK(scheduler::divide_up(256, 128) == 2);
}

TEST_CASE("shared memory gives no range that is not there") {
  const auto memory = SharedMemory::create();
  REQUIRE(memory.ok());
  for (const std::uint64_t size : kSizes) {
    CAPTURE(size);
    void* const bytes = memory->allocate(size);
    CHECK((bytes != nullptr) == (size != 0 && size < k48));
    if (bytes != nullptr) CHECK(memory->release(bytes));
    CHECK(memory->range_of(reinterpret_cast<const void*>(size)).empty());
    if (size != 1) CHECK(memory->allocate(64, size) == nullptr);
    for (const std::uint64_t address : kSizes) {
      const Status made = memory->allocate_at(memory->address() + address, size);
      // 64 GiB of slots of 1 MiB.
      const bool is_slot = address < k32 + 1 && address % (1 << 20) == 0;
      CHECK(made.ok() == (is_slot && size != 0 && size < k48));
      if (made) CHECK(memory->release(reinterpret_cast<void*>(memory->address() + address)));
      if (!made) CHECK(made.errors()[0].rule == "TSP-L0004");
    }
    const auto elsewhere = SharedMemory::create_at(size);
    if (!elsewhere) CHECK(elsewhere.errors()[0].rule == "TSP-L0004");
  }
}

TEST_CASE("the C interface takes any size") {
  transpire_buffer* whole = nullptr;
  REQUIRE(transpire_buffer_create(4096, "whole", &whole, nullptr) == TRANSPIRE_OK);
  transpire_shared_memory* shared = nullptr;
  REQUIRE(transpire_shared_memory_create(&shared, nullptr) == TRANSPIRE_OK);
  for (const std::uint64_t size : kSizes) {
    CAPTURE(size);
    transpire_buffer* made = nullptr;
    if (size < k31 || size > k48) {
      CHECK((transpire_buffer_create(size, nullptr, &made, nullptr) == TRANSPIRE_OK) ==
            (size < k31));
      transpire_buffer_release(made);
    }
    std::byte byte{};
    const transpire_status wrapped = transpire_buffer_wrap(&byte, size, nullptr, &made, nullptr);
    CHECK((wrapped == TRANSPIRE_OK) ==
          (size <= kLargest - reinterpret_cast<std::uintptr_t>(&byte)));
    transpire_buffer_release(made);
    for (const std::uint64_t offset : kSizes) {
      const transpire_status sliced =
          transpire_buffer_slice(whole, offset, size, nullptr, &made, nullptr);
      CHECK((sliced == TRANSPIRE_OK) == (offset <= 4096 && size <= 4096 - offset));
      transpire_buffer_release(made);
    }
    void* bytes = nullptr;
    const transpire_status got =
        transpire_shared_memory_allocate(shared, size, 0, nullptr, &bytes, nullptr);
    CHECK((got == TRANSPIRE_OK) == (size != 0 && size < k48));
    if (got == TRANSPIRE_OK) transpire_shared_memory_free(shared, bytes, nullptr);
    CHECK((transpire_shared_memory_allocate(shared, 64, size, nullptr, &bytes, nullptr) ==
           TRANSPIRE_OK) == (size <= 1));
  }
  transpire_shared_memory_release(shared);
  transpire_buffer_release(whole);
}

}  // namespace
}  // namespace transpire::test
