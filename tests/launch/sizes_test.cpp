// Sizes and counts in launch descriptions, around the numbers where sums and products of them leave
// 31, 32, 63 and 64 bits: values are made or refused, whatever the numbers are.
#include <fmt/format.h>

#include <array>

#include "launch/language/plan_builder.h"
#include "launch/language/queue_argument.h"
#include "launch/runner/run_plan.h"
#include "launch/runner/sim_value.h"
#include "launch/runner/value_maker.h"
#include "tests/launch/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

constexpr std::uint64_t kLargest = ~std::uint64_t{0};
constexpr std::uint64_t k31 = std::uint64_t{1} << 31, k63 = std::uint64_t{1} << 63;
constexpr std::array<std::uint64_t, 16> kSizes{0,
                                               1,
                                               1000,
                                               k31 - 1,
                                               k31,
                                               2 * k31 - 1,
                                               2 * k31,
                                               std::uint64_t{1} << 48,
                                               k63 - 1,
                                               k63,
                                               k63 + 1,
                                               kLargest / 4,
                                               kLargest / 4 + 1,
                                               kLargest - 127,
                                               kLargest - 1,
                                               kLargest};
constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;

const Module& module_of_sizes() {
  static const Module module = [] {
    const std::string text = shorthand::declare(R"(
OpDecorate %by FuncParamAttr ByVal
%array = OpTypeArray %uint %ulong_70368744177664
%struct = OpTypeStruct %array
kernel k(%_ptr_CrossWorkgroup_uint y, %_ptr_Workgroup_uint near, %_ptr_Function_struct by)
kernel none()
)");
    auto loaded = Module::load(std::as_bytes(std::span(text)));
    REQUIRE_MESSAGE(loaded.ok(), errors_of(loaded));
    return std::move(loaded).value();
  }();
  return module;
}

/// A launch of the kernel without arguments.
constexpr const char* kNone = "kernel none\nglobal 1\n";

/// The rule that a launch of the kernel with these statements ends with; "" when it ran.
std::string outcome(const std::string& statements) {
  const auto plan = parse_launch_text("module none\n" + statements, "sizes.launch");
  if (!plan) return plan.errors()[0].rule;
  RunOverrides overrides;
  overrides.module = module_of_sizes();
  overrides.settings.max_memory_bytes = kLimit;
  overrides.settings.timeout_seconds = 120;  // only a hang takes so long
  overrides.settings.threads = 1;
  const RunReport report = run_plan(*plan, overrides);
  if (!report.errors.empty()) return report.errors[0].rule;
  return report.findings.empty() ? "" : report.findings[0].finding.diagnostic.rule;
}

bool is_refusal(const std::string& rule) {
  return rule == "TSP-L0004" || rule.starts_with("TSP-C00");
}

TEST_CASE("counts of elements meet the limit of memory, not the end of 64 bits") {
  for (const std::uint64_t count : kSizes) {
    for (const char* type : {"uchar", "uint", "double16", "bytes"}) {
      for (const char* maker : {"zero", "uninit", "fill:1", "range:0:1", "random:1:0:9"}) {
        const auto spec = parse_value_spec(fmt::format("{}:{}:{}", type, maker, count));
        REQUIRE(spec.ok());
        const auto made = evaluate(*spec, {nullptr, std::nullopt, kLimit});
        CHECK(made.ok() == (count <= 1000));
        if (!made) CHECK(made.errors()[0].rule == "TSP-L0004");
      }
    }
    SimArgument sim;
    sim.type = ScalarType::kUchar;
    sim.size_bytes = count;
    sim.noinit = true;
    const auto made = evaluate_sim(sim, std::nullopt, kLimit);
    CHECK(made.ok() == (count <= 1000));
  }
}

TEST_CASE("elements of any size are counted before they are made") {
  TypeInfo large;
  large.kind = TypeInfo::Kind::kArray;
  large.elements = {type_of({ScalarType::kUint, 1})};
  for (const std::uint64_t size : kSizes) {
    CAPTURE(size);
    large.count = size / 4;
    large.size_bytes = size / 4 * 4;
    large.align_bytes = 4;
    CHECK(leaves_of(large).size() == (large.count <= kMaxLeaves ? large.count : 0));
    for (const char* text : {"data:(1)", "data:1,2", "hex:1", "zero:3", "fill:1:2"}) {
      const auto spec = parse_value_spec(text);
      REQUIRE(spec.ok());
      const auto made = evaluate(*spec, {&large, std::nullopt, kLimit});
      if (size > kLimit) CHECK(!made.ok());
    }
  }
}

TEST_CASE("shared memory at any address is made there, or refused") {
  for (const std::uint64_t address : kSizes) {
    CAPTURE(address);
    for (const std::uint64_t count :
         {std::uint64_t{0}, std::uint64_t{1}, k31, kLargest / 4, kLargest}) {
      CAPTURE(count);
      const std::string rule =
          outcome(fmt::format("{}shared a at {} = uint:zero:{}\nlaunch\n", kNone, address, count));
      CHECK((is_refusal(rule) || (rule.empty() && count == 1)));
      if (address >= k63) CHECK(rule == "TSP-L0004");  // no process has such addresses
    }
    CHECK(is_refusal(outcome(fmt::format("{}shared-base {}\nshared a at {} = uint:zero:1\nlaunch\n",
                                         kNone, address, kLargest))));
  }
}

TEST_CASE("numbers of bytes with units") {
  for (const std::uint64_t count : kSizes) {
    for (const auto& [unit, scale] :
         {std::pair{"KiB", 10}, std::pair{"MiB", 20}, std::pair{"GiB", 30}}) {
      const auto bytes = parse_bytes(fmt::format("{}{}", count, unit));
      CHECK(bytes.ok() == (count <= kLargest >> scale));
      if (bytes) CHECK(*bytes == count << scale);
    }
  }
  CHECK(!parse_bytes("18446744073709551616").ok());
  CHECK(!parse_bytes("99999999999999999999999999999").ok());
}

TEST_CASE("queues of any size and with any handle") {
  for (const std::uint64_t count : kSizes) {
    CAPTURE(count);
    const auto sized = parse_queue(fmt::format("q {}", count));
    CHECK(sized.ok() == (count != 0 && count <= DeviceQueue::kMaxBytes));
    if (sized) CHECK(sized->size_bytes == count);
    const auto handled = parse_queue(fmt::format("q 1 handle {}", count));
    CHECK(handled.ok() == (count != 0 && count < 2 * k31));
    if (handled) CHECK(handled->handle == count);
  }
}

TEST_CASE("launches with any sizes and offsets") {
  const std::string rest = "arg near = local:16\narg by = bytes:zero:4\n";
  for (const std::uint64_t size : kSizes) {
    CAPTURE(size);
    // The structure has 2^48 bytes: it cannot be given at all.
    CHECK(is_refusal(
        outcome(fmt::format("kernel k\nglobal {}\narg y = uint:zero:4\n{}launch\n", size, rest))));
    CHECK(is_refusal(
        outcome(fmt::format("kernel k\nglobal 1\narg y = uint:zero:{}\n{}launch\n", size, rest))));
    CHECK(is_refusal(
        outcome(fmt::format("kernel k\nglobal 1\narg y = uint:zero:4\narg near = local:{}\n"
                            "arg by = bytes:zero:{}\nlaunch\n",
                            size, size))));
    CHECK(
        is_refusal(outcome(fmt::format("kernel k\nglobal 1\narg by = zero\narg near = local:{}\n"
                                       "arg y = null\nlaunch\n",
                                       size))));
    for (const std::uint64_t offset : kSizes) {
      const std::string slice = fmt::format(
          "buffer b = uint:zero:8\nbuffer s = buffer b offset {} size {}\n", offset, size);
      const std::string rule = outcome(kNone + slice);
      CHECK(rule == (offset <= 32 && size <= 32 - offset ? "" : "TSP-C0003"));
      const std::string print =
          fmt::format("buffer b = uint:zero:8\nprint b[{}..{}]\n", offset, size);
      const std::string printed = outcome(kNone + print);
      CHECK((printed.empty() || is_refusal(printed)));
    }
  }
}

TEST_CASE("buffers together are no larger than the limit of memory") {
  const std::string none = kNone, half = fmt::format("bytes:zero:{}", kLimit / 2);
  CHECK(outcome(none + "buffer a = " + half + "\nbuffer b = " + half + "\n").empty());
  CHECK(outcome(none + "buffer a = " + half + "\nbuffer b = " + half +
                "\nbuffer c = bytes:zero:1\n") == "TSP-L0004");
  // A slice takes no room of its own.
  CHECK(outcome(none + "buffer a = " + half +
                "\nbuffer s = buffer a offset 0 size 16\nbuffer b = " + half + "\n")
            .empty());
}

}  // namespace
}  // namespace transpire::test
