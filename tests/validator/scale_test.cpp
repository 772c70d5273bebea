// How long a large module takes: kernels of arithmetic in loops, as many as fill the size asked for. Time
// has to grow with the size, not faster. Prints the times, without SPIRV-Tools' opinion.
//
//   validator_scale [--megabytes N]     10 when left out
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <vector>

#include "decoder/assemble.h"
#include "tests/fuzz/module_words.h"
#include "tests/patience.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::string_view kHead = R"(; Version: 1.0
OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical64 OpenCL
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%pointer = OpTypePointer CrossWorkgroup %uint
%type = OpTypeFunction %void %pointer %uint
%one = OpConstant %uint 1
%limit = OpConstant %uint 100
)";
constexpr std::uint32_t kHeadIds = 8;  ///< void .. limit

/// A function whose ids begin at `first`, by the ids of the head: a loop around 40 additions.
void add_function(Words& words, std::uint32_t first) {
  const auto add = [&](spv::Op op, const Words& operands) { fuzz::append(words, op, operands); };
  enum : std::uint32_t { kVoid = 1, kUint, kBool, kPointer, kType, kOne, kLimit };
  const std::uint32_t function = first, pointer = first + 1, start = first + 2, entry = first + 3,
                      loop = first + 4, phi = first + 5, last = first + 6, condition = first + 7,
                      sum = first + 8;
  constexpr std::uint32_t kSums = 40;
  add(spv::Op::OpFunction, {kVoid, function, 0, kType});
  add(spv::Op::OpFunctionParameter, {kPointer, pointer});
  add(spv::Op::OpFunctionParameter, {kUint, start});
  add(spv::Op::OpLabel, {entry});
  add(spv::Op::OpBranch, {loop});
  add(spv::Op::OpLabel, {loop});
  add(spv::Op::OpPhi, {kUint, phi, start, entry, sum + kSums - 1, loop});
  for (std::uint32_t n = 0; n < kSums; ++n)
    add(spv::Op::OpIAdd, {kUint, sum + n, n == 0 ? phi : sum + n - 1, kOne});
  add(spv::Op::OpULessThan, {kBool, condition, sum + kSums - 1, kLimit});
  add(spv::Op::OpBranchConditional, {condition, loop, last});
  add(spv::Op::OpLabel, {last});
  add(spv::Op::OpStore, {pointer, sum + kSums - 1, 2, 4});
  add(spv::Op::OpReturn, {});
  add(spv::Op::OpFunctionEnd, {});
}
constexpr std::uint32_t kIdsPerFunction = 50;

Words make_module(const Words& head, std::size_t bytes) {
  Words words = head;
  std::uint32_t next = kHeadIds;
  for (; words.size() * 4 < bytes; next += kIdsPerFunction) add_function(words, next);
  words[3] = next;
  return words;
}

double seconds_for(const Words& words, bool& valid) {
  ValidateOptions options;
  options.second_opinion = false;
  const double start = test::processor_seconds();
  const auto validation = validate_words(words, {}, options);
  const double seconds = test::processor_seconds() - start;
  valid = validation && validation->valid;
  if (validation)
    for (const Diagnostic& diagnostic : validation->diagnostics)
      fmt::print("{}", format(diagnostic));
  return seconds;
}

int run(int count, char** arguments) {
  std::size_t megabytes = 10;
  if (count == 3 && std::string_view(arguments[1]) == "--megabytes")
    megabytes = std::max(std::strtoul(arguments[2], nullptr, 10), 2ul);
  const auto head = decoder::assemble_from(0, kHead, "<head>");
  if (!head) return 1;
  bool small_valid = false;
  bool large_valid = false;
  const Words small = make_module(*head, megabytes * 100000);
  const Words large = make_module(*head, megabytes * 1000000);
  const double small_seconds = seconds_for(small, small_valid);
  const double large_seconds = seconds_for(large, large_valid);
  fmt::print("{:.1f} MB: {:.3f} s; {:.1f} MB: {:.3f} s\n", small.size() * 4e-6, small_seconds,
             large.size() * 4e-6, large_seconds);
  // Ten times the size; the rest is for caches.
  const bool linear = large_seconds < 40 * std::max(small_seconds, 0.005);
  if (!linear) fmt::print("expected the time to grow with the size\n");
  return small_valid && large_valid && linear ? 0 : 1;
}

}  // namespace
}  // namespace transpire::validator

int main(int count, char** arguments) { return transpire::validator::run(count, arguments); }
