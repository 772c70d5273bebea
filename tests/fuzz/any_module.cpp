#include "tests/fuzz/any_module.h"

#include "tests/fuzz/small_launch.h"

namespace transpire::fuzz {
namespace {

constexpr std::size_t kMaxKernels = 3;

const Device& device(std::size_t number) {
  static const std::vector<Device> devices = [] {
    std::vector<Device> all;
    for (const std::string& isa : supported_isas()) all.push_back(*Device::create({isa, 1}));
    return all;
  }();
  return devices[number % devices.size()];
}

/// Two runs must agree on all of it.
struct Effect {
  bool completed = false;
  bool too_large = false;  ///< refused for its memory, of which the paths need different amounts
  std::vector<std::vector<std::byte>> buffers{};
  std::string text{};
  bool operator==(const Effect&) const = default;
};

std::optional<Effect> run(const Device& on, const Module& module, const KernelInfo& kernel,
                          const Geometry& geometry, bool reference) {
  std::optional<Launch> launch = small_launch(module, kernel);
  if (!launch) return std::nullopt;
  launch->geometry = geometry;
  launch->reference = reference;
  const Result<LaunchResult> result = on.run(*launch);
  // Variables of the module keep their values otherwise, and the next run would begin with others.
  static_cast<void>(on.finish(*launch));
  if (!result.ok()) {
    require(!result.errors().empty() && !format(result.errors()[0]).empty(), "no reason was given");
    if (result.errors()[0].rule == "TSP-L0004") return Effect{.too_large = true};
    return std::nullopt;
  }
  Effect effect;
  effect.completed = result->end == LaunchResult::End::kCompleted;
  const auto keep = [&](std::span<const std::byte> bytes) {
    effect.buffers.emplace_back(bytes.begin(), bytes.end());
  };
  for (const Argument& argument : launch->arguments) {
    if (argument.memory) keep(argument.memory->bytes());
    if (argument.texels) keep(argument.texels->bytes());
  }
  effect.text = result->printf_output;
  for (const Finding& finding : result->findings)
    require(!format(finding.diagnostic).empty(), "a finding says nothing");
  return effect;
}

void check_kernel(const Device& on, const Module& module, const KernelInfo& kernel) {
  const Diagnostics refusals = module.unsupported(kernel.name);
  Geometry one;
  if (kernel.required_local_size) one.global_size = *kernel.required_local_size;
  one.dimensions = 3;
  const auto plain = run(on, module, kernel, one, true);
  const auto optimised = run(on, module, kernel, one, false);
  const auto ran = [](const std::optional<Effect>& effect) { return effect && !effect->too_large; };
  require(refusals.empty() || (!ran(plain) && !ran(optimised)), "an unsupported kernel ran");
  require(plain.has_value() == optimised.has_value(), "only one path refused");
  const bool alone = !kernel.required_local_size ||
                     *kernel.required_local_size == std::array<std::uint64_t, 3>{1, 1, 1};
  if (alone && plain && plain->completed && optimised->completed)
    require(*plain == *optimised, "the reference path differs");
  if (kernel.required_local_size) return;
  Geometry many;
  many.dimensions = 2;
  many.global_size = {70, 3, 1};
  many.local_size = {10, 2, 1};
  run(on, module, kernel, many, false);
}

}  // namespace

bool load_any(std::span<const std::byte> bytes, std::size_t number) {
  const Result<Module> module = Module::load(bytes);
  if (!module.ok()) {
    require(!module.errors().empty() && !format(module.errors()[0]).empty(), "no reason was given");
    return false;
  }
  const std::vector<KernelInfo>& kernels = module->info().kernels;
  for (std::size_t i = 0; i < kernels.size() && i < kMaxKernels; ++i)
    check_kernel(device(number + i), *module, kernels[i]);
  return true;
}

}  // namespace transpire::fuzz
