// Runs the launches of a shader that clspv made of a kernel, and puts their results together.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/clspv_printf.h"
#include "runtime/device.h"
#include "runtime/memory_use.h"
#include "runtime/watch_observer.h"
#include "scheduler/geometry.h"

namespace transpire::runtime {
namespace {

/// Bytes that may be printed besides the result's.
std::uint64_t room_for_text(const Launch& launch, const LaunchResult& result) {
  const std::uint64_t most = launch.limits.max_printf_bytes;
  return most - std::min<std::uint64_t>(most, result.printf_output.size());
}

/// Adds the text that the kernel left in its buffer of printf.
void print(const Launch& launch, std::span<const std::byte> buffer, const WorkLimit& limit,
           LaunchResult& result) {
  const ModuleState& module = *launch.module.state();
  const PrintedText printed =
      read_clspv_printf(module.module, *module.clspv, buffer, room_for_text(launch, result), limit);
  result.printf_output += printed.text;
  if (printed.cut_by.empty()) return;
  Finding& finding = result.findings.emplace_back();
  finding.diagnostic = make_diagnostic(Rule::kL0005, std::string(printed.cut_by));
  finding.diagnostic.help = "print less";
}

std::uint64_t groups_of(const Launch& shader) {
  const Geometry& geometry = shader.geometry;
  std::uint64_t groups = 1;
  for (std::size_t d = 0; d < 3; ++d)
    groups *= scheduler::divide_up(geometry.global_size[d], geometry.local_size[d]);
  return groups;
}

/// The result of a launch, of which its parts' results are added in their order.
class Whole {
 public:
  Whole(const Launch& launch, const std::vector<ShaderLaunch>& parts)
      : launch_(launch),
        part_count_(parts.size()),
        finds_races_(launch.looks_for_races() && parts.size() > 1) {
    for (const ShaderLaunch& part : parts) groups_ += groups_of(part.launch);
  }

  /// The part as it is to run next.
  Launch next(Launch part, const WorkLimit& limit) const;
  /// Time that it took before the first part.
  void add_lowering(std::chrono::duration<double> time) { all_.lower_seconds += time.count(); }
  void add(const ShaderLaunch& part, LaunchResult result);
  /// A part that did not begin ends the launch. Returns its errors, which say how many parts ran before it.
  Diagnostics refused(Diagnostics errors) const;
  bool goes_on() const { return all_.end == LaunchResult::End::kCompleted; }
  LaunchResult take() &&;

 private:
  /// A finding's rule, place, memory and calls.
  using Key = std::tuple<std::string, std::optional<std::uint64_t>, std::string>;
  struct Known {
    std::size_t index = 0;   ///< into the result's findings
    std::size_t part = 0;    ///< the last one that had it
    std::size_t others = 0;  ///< parts behind the first that had it
  };

  void add_findings(std::vector<Finding> findings);
  std::size_t add_finding(Finding finding);
  void find_races(const std::vector<MemoryUse>& uses);
  void cut_findings();
  void tell_end() const;

  const Launch& launch_;
  const std::size_t part_count_;
  const bool finds_races_;
  std::uint64_t groups_ = 0, groups_done_ = 0;
  std::optional<findings::Part>
      open_;               ///< the last part, if the watch still waits for launch_ends()
  std::size_t parts_ = 0;  ///< how many are added
  std::map<Key, Known> known_;
  LaunchResult all_;
};

Launch Whole::next(Launch part, const WorkLimit& limit) const {
  part.limits.timeout_seconds = limit.seconds_left();
  part.limits.max_printf_bytes = room_for_text(launch_, all_);
  part.wants_memory_use = part.wants_memory_use || finds_races_;
  if (launch_.progress)
    part.progress = [this](std::uint64_t done, std::uint64_t /*of_part*/) {
      return launch_.progress(groups_done_ + done, groups_);
    };
  if (launch_.executing)
    part.executing = [this](std::uint64_t instructions) {
      launch_.executing(all_.instructions + instructions);
    };
  return part;
}

/// Returns the finding's index. Findings of several parts that are equal are one, as those of several work-items.
std::size_t Whole::add_finding(Finding finding) {
  const Diagnostic& diagnostic = finding.diagnostic;
  std::string about = diagnostic.word_offset ? finding.allocation : diagnostic.message;  // a limit
  for (const Frame& frame : diagnostic.frames)
    about += fmt::format("\n{} {}:{}", frame.word_offset.value_or(0), frame.where.line,
                         frame.where.column);
  const auto [at, is_new] = known_.try_emplace({diagnostic.rule, diagnostic.word_offset, about},
                                               Known{all_.findings.size(), parts_});
  Known& known = at->second;
  if (is_new) {
    all_.findings.push_back(std::move(finding));
    return known.index;
  }
  all_.findings[known.index].count += finding.count;
  if (std::exchange(known.part, parts_) != parts_) ++known.others;
  return known.index;
}

void Whole::add_findings(std::vector<Finding> findings) {
  std::vector<std::size_t> places;  // a finding comes behind its cause
  for (Finding& finding : findings) {
    if (finding.follows_from) finding.follows_from->finding = places[finding.follows_from->finding];
    places.push_back(add_finding(std::move(finding)));
  }
}

/// Nothing orders the parts of a launch, whose work-groups they have.
void Whole::find_races(const std::vector<MemoryUse>& uses) {
  for (const MemoryUse& own : uses)
    for (const MemoryUse& other : all_.memory_uses)
      add_findings(describe_conflicts(own.state()->footprint.conflicts(other.state()->footprint),
                                      *own.state(), *other.state(), Enqueued::kAsParts));
}

void Whole::add(const ShaderLaunch& part, LaunchResult result) {
  open_.reset();
  if (result.end == LaunchResult::End::kCompleted && !part.part.place.is_last)
    open_ = part.part.place;
  add_findings(std::move(result.findings));
  if (finds_races_) find_races(result.memory_uses);
  std::ranges::move(result.memory_uses, std::back_inserter(all_.memory_uses));
  all_.end = result.end;
  all_.printf_output += result.printf_output;
  all_.work_items += result.work_items;
  all_.instructions += result.instructions;
  add_counts(result.instruction_counts, all_);
  all_.wall_seconds += result.wall_seconds;
  all_.lower_seconds += result.lower_seconds;
  if (parts_++ == 0) all_.local_size = result.local_size;
  groups_done_ += groups_of(part.launch);
  cut_findings();
}

Diagnostics Whole::refused(Diagnostics errors) const {
  tell_end();
  if (parts_ != 0)
    errors[0].notes.push_back(
        fmt::format("{} of {} regions of the launch had run", parts_, part_count_));
  return errors;
}

/// Tells the watch that the launch has ended between two parts.
void Whole::tell_end() const {
  if (open_ && launch_.watch != nullptr)
    launch_.watch->launch_ends(whole_launch(launch_.kernel, *open_));
}

/// Findings of limits come last, and stay.
void Whole::cut_findings() {
  const std::uint64_t most = launch_.limits.max_findings;
  if (most == 0 || all_.findings.size() < most) return;
  const auto is_limit = [](const Finding& finding) {
    return finding.diagnostic.rule.starts_with("TSP-L");
  };
  const auto behind = all_.findings.begin() + static_cast<std::ptrdiff_t>(most);
  all_.findings.erase(std::remove_if(behind, all_.findings.end(), std::not_fn(is_limit)),
                      all_.findings.end());
  if (goes_on()) all_.end = LaunchResult::End::kTooManyFindings;
}

LaunchResult Whole::take() && {
  tell_end();
  for (const auto& [_, known] : known_) {
    if (known.others == 0 || known.index >= all_.findings.size()) continue;
    Finding& finding = all_.findings[known.index];
    if (finding.diagnostic.word_offset)
      finding.diagnostic.notes.push_back(
          fmt::format("{} more region{} of the launch had it, {} times in all", known.others,
                      known.others == 1 ? "" : "s", finding.count));
  }
  if (!launch_.wants_memory_use) all_.memory_uses.clear();
  return std::move(all_);
}

}  // namespace

Result<std::optional<ShaderLaunches>> DeviceState::shaders_of(const Launch& launch,
                                                              const WorkLimit& limit) {
  const std::shared_ptr<ModuleState>& module = launch.module.state();
  std::optional<ShaderLaunches> shaders;
  if (module == nullptr || !module->clspv || module->clspv->kernel(launch.kernel) == nullptr)
    return shaders;
  const std::shared_ptr<ModuleOnDevice> on_device = module_on_device(module);
  TRANSPIRE_TRY(shaders, shader_launches(launch, on_device->clspv_buffers, limit));
  // Addresses in memory must lead to the same buffers in launches of all shaders.
  for (const ShaderLaunch& shader : shaders->launches)
    module_on_device(shader.launch.module.state(), on_device.get());
  return shaders;
}

Result<LaunchResult> DeviceState::run_shaders(const Launch& launch, const ShaderLaunches& shaders,
                                              const WorkLimit& limit, vm::Observer* observer) {
  Whole whole(launch, shaders.launches);
  // All parts are lowered before one runs: a launch that is refused has run nothing.
  const auto start = std::chrono::steady_clock::now();
  if (shaders.launches.size() > 1)
    for (const ShaderLaunch& shader : shaders.launches)
      if (const auto lowered = lower(whole.next(shader.launch, limit), limit); !lowered)
        return lowered.errors();
  whole.add_lowering(std::chrono::steady_clock::now() - start);
  for (const ShaderLaunch& shader : shaders.launches) {
    if (!whole.goes_on()) break;
    Result<LaunchResult> result =
        run_kernel(whole.next(shader.launch, limit), observer, &shader.part);
    if (!result) return whole.refused(result.errors());
    whole.add(shader, *std::move(result));
  }
  LaunchResult all = std::move(whole).take();
  if (shaders.printf) print(launch, shaders.printf->bytes(), limit, all);
  return all;
}

}  // namespace transpire::runtime
