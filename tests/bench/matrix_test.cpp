// Runs the cases of bench/ in every configuration: OpenCL C and GLSL, each optimisation level, instruction set of this
// machine, number of threads, and work-group size that the case declares. Every run must meet the case's native reference,
// and all runs of a case must agree bit for bit in every buffer, those included whose distance from the reference has a
// tolerance.
//
//   transpire_bench_matrix [--flip N] [CASE...]     only these cases
//
// `--flip` flips a bit of the Nth run's result, which must be noticed. Prints the configurations of
// each case and what deviates; the exit code is 1 if anything does.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/check.h"
#include "bench/kernel_files.h"
#include "bench/registry.h"
#include "bench/transpire_case.h"
#include "transpire/transpire.hpp"

namespace transpire::bench {
namespace {

using Contents = std::vector<std::vector<std::byte>>;  // of each buffer of a case

/// A form of a case's kernels, as the compilers of its language make it.
struct Form {
  Flavour flavour = Flavour::kOpenCl;
  OptimisationLevel level = OptimisationLevel::kO2;
  const char* text = "";
};
constexpr Form kForms[] = {{Flavour::kOpenCl, OptimisationLevel::kO0, "-O0"},
                           {Flavour::kOpenCl, OptimisationLevel::kO2, "-O2"},
                           {Flavour::kGlsl, OptimisationLevel::kO0, "GLSL"},
                           {Flavour::kGlsl, OptimisationLevel::kO2, "optimised GLSL"}};
constexpr unsigned kThreads[] = {1, 2, 3};

/// For cases that work with any size: many groups in a batch, groups that just do not fit a batch
/// of 64 or 128 work-items, groups of several batches. Only 1 divides a power of two: with the
/// others the last groups are smaller.
constexpr std::array<std::size_t, 3> kGroups1D[] = {
    {1, 1, 1}, {7, 1, 1}, {13, 1, 1}, {33, 1, 1}, {100, 1, 1}, {129, 1, 1}, {257, 1, 1}};
constexpr std::array<std::size_t, 3> kGroups2D[] = {{1, 1, 1},  {7, 1, 1},  {5, 7, 1}, {13, 3, 1},
                                                    {33, 5, 1}, {3, 43, 1}, {7, 37, 1}};

// ---- Configurations ---------------------------------------------------------------------------

/// "33", or "13 x 3" in two dimensions.
std::string GroupText(const BenchCase& bench) {
  const Launch& launch = bench.launches.front();
  std::string text = std::to_string(launch.local[0]);
  for (std::uint32_t d = 1; d < launch.dimensions; ++d)
    text += " x " + std::to_string(launch.local[d]);
  return text;
}

struct Configuration {
  const char* form = "";
  const Device* device = nullptr;
  std::string groups;

  std::string text() const {
    std::ostringstream text;
    text << form << ", " << device->isa() << ", " << device->threads()
         << (device->threads() == 1 ? " thread" : " threads") << ", groups of " << groups;
    return text.str();
  }
};

/// The case as it is, and once for every other work-group size.
std::vector<BenchCase> Variants(const CaseEntry& entry) {
  std::vector<BenchCase> variants{MakeCase(entry, Size::kSmall)};
  const WorkGroupSizes sizes = variants.front().work_group_sizes;
  if (sizes.allowed == WorkGroupSizes::Allowed::kAny) {
    const bool is_flat = variants.front().launches.front().dimensions == 1;
    for (const auto& local : is_flat ? kGroups1D : kGroups2D) {
      variants.push_back(variants.front());
      for (Launch& launch : variants.back().launches) launch.local = local;
    }
  }
  for (const std::uint32_t local : sizes.listed) variants.push_back(sizes.make(local));
  return variants;
}

// ---- Comparison -------------------------------------------------------------------------------

std::string Hexadecimal(const std::byte* element, std::size_t size) {
  std::string text = "0x";
  for (std::size_t i = size; i-- > 0;) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[std::to_integer<unsigned>(element[i]) >> 4];
    text += kDigits[std::to_integer<unsigned>(element[i]) & 15];
  }
  return text;
}

/// Says which element has other bits than in an earlier run, or nothing.
std::optional<std::string> FirstBitsOff(const std::vector<Buffer>& buffers, const Contents& earlier,
                                        const Contents& actual) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto off = std::mismatch(earlier[i].begin(), earlier[i].end(), actual[i].begin());
    if (off.first == earlier[i].end()) continue;
    const std::size_t size = SizeOf(buffers[i].type);
    const std::size_t element = static_cast<std::size_t>(off.first - earlier[i].begin()) / size;
    std::ostringstream text;
    text << "buffer '" << buffers[i].name << "', element " << element << ": bits "
         << Hexadecimal(&earlier[i][element * size], size) << " became "
         << Hexadecimal(&actual[i][element * size], size);
    return text.str();
  }
  return std::nullopt;
}

// ---- Running ----------------------------------------------------------------------------------

class Matrix {
 public:
  /// `flip` is the number of the run whose result is to be spoilt; 0 for none.
  Matrix(std::vector<Device> devices, std::uint64_t flip)
      : devices_(std::move(devices)), flip_(flip) {}

  void RunCase(const CaseEntry& entry) {
    const std::uint64_t runs_before = runs_;
    const std::vector<BenchCase> variants = Variants(entry);
    const WorkGroupSizes& sizes = variants.front().work_group_sizes;
    if (sizes.allowed == WorkGroupSizes::Allowed::kUndeclared)
      Deviates(std::string(entry.name), "does not declare its work-group sizes");
    First first;
    std::string groups;
    for (const BenchCase& bench : variants) {
      if (sizes.allowed != WorkGroupSizes::Allowed::kAny) first = {};
      RunVariant(entry, bench, first);
      groups += (groups.empty() ? "" : ", ") + GroupText(bench);
    }
    std::cout << entry.name << ": " << runs_ - runs_before << " configurations, groups of "
              << groups;
    if (!sizes.reason.empty()) std::cout << " (" << sizes.reason << ")";
    std::cout << std::endl;
  }

  std::uint64_t runs() const { return runs_; }
  std::uint64_t deviations() const { return deviations_; }

 private:
  /// What the other runs' bits are compared with.
  struct First {
    std::string text;
    Contents contents;
  };

  void RunVariant(const CaseEntry& entry, const BenchCase& bench, First& first) {
    const std::vector<Buffer> expected = ExpectedBuffers(bench);
    for (const Form& form : kForms) {
      if (form.flavour == Flavour::kGlsl && !HasShaders(bench)) continue;
      TranspireCase runnable(bench, form.flavour, form.level);
      for (const Device& device : devices_) {
        const Configuration configuration{form.text, &device, GroupText(bench)};
        const std::string name = std::string(entry.name) + ": " + configuration.text();
        try {
          const Contents contents = Run(bench, runnable, device);
          Check(name, expected, contents, first);
          if (first.contents.empty()) first = {configuration.text(), contents};
        } catch (const std::exception& error) {
          Deviates(name, error.what());
        }
      }
    }
  }

  Contents Run(const BenchCase& bench, TranspireCase& runnable, const Device& device) {
    ++runs_;
    runnable.Restore();
    runnable.Run(device);
    Contents contents = runnable.Results();
    if (runs_ == flip_) {
      const auto written =
          std::find_if(bench.buffers.begin(), bench.buffers.end(),
                       [](const Buffer& buffer) { return buffer.access == Access::kWrite; });
      contents[static_cast<std::size_t>(written - bench.buffers.begin())][0] ^= std::byte{1};
    }
    return contents;
  }

  void Check(const std::string& name, const std::vector<Buffer>& expected, const Contents& contents,
             const First& first) {
    if (const auto mismatch = FirstMismatch(expected, contents))
      Deviates(name, *mismatch + ", by the reference");
    if (first.contents.empty()) return;
    if (const auto off = FirstBitsOff(expected, first.contents, contents))
      Deviates(name, *off + ", against " + first.text);
  }

  void Deviates(const std::string& name, const std::string& how) {
    ++deviations_;
    std::cout << "DEVIATION " << name << ": " << how << std::endl;
  }

  std::vector<Device> devices_;
  std::uint64_t flip_;
  std::uint64_t runs_ = 0;
  std::uint64_t deviations_ = 0;
};

/// One for each instruction set of this machine and number of threads.
std::vector<Device> MakeDevices() {
  std::vector<Device> devices;
  for (const std::string& isa : supported_isas())
    for (const unsigned threads : kThreads) devices.push_back(MakeDevice(isa, threads));
  return devices;
}

int Main(std::vector<std::string_view> words) {
  std::uint64_t flip = 0;
  if (words.size() >= 2 && words[0] == "--flip") {
    flip = std::strtoull(words[1].data(), nullptr, 10);
    words.erase(words.begin(), words.begin() + 2);
  }
  Matrix matrix(MakeDevices(), flip);
  std::size_t cases = 0;
  for (const CaseEntry& entry : AllCases()) {
    if (!words.empty() && std::find(words.begin(), words.end(), entry.name) == words.end())
      continue;
    matrix.RunCase(entry);
    ++cases;
  }
  std::cout << cases << " cases, " << matrix.runs() << " configurations, " << matrix.deviations()
            << " deviations\n";
  return matrix.deviations() == 0 && matrix.runs() > 0 ? 0 : 1;
}

}  // namespace
}  // namespace transpire::bench

int main(int count, char** arguments) {
  try {
    return transpire::bench::Main({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
    return 1;
  }
}
