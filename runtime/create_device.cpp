// Choosing a device: its instruction set and its number of threads.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <thread>

#include "base/environment.h"
#include "runtime/device.h"
#include "transpire/version.h"

namespace transpire {
namespace {

using vm::Isa;

constexpr unsigned kMaxThreads = 1024;

Diagnostic invalid(std::string message, std::string help) {
  Diagnostic error = make_diagnostic(Rule::kC0033, std::move(message));
  error.help = std::move(help);
  return error;
}

Result<Isa> choose_isa(std::string name) {
  if (name.empty()) name = environment_variable("TRANSPIRE_ISA");
  const std::vector<std::string> supported = supported_isas();
  if (supported.empty())
    return invalid(
        fmt::format("this machine cannot run the instruction set '{}', and this build has no other",
                    vm::isa_name(vm::exec::built_isas()[0])),
        "build with -DTRANSPIRE_INSTRUCTION_SETS=all");
  if (name.empty()) name = supported.back();
  const std::optional<Isa> isa = vm::isa_named(name);
  if (isa && vm::exec::supported(*isa)) return *isa;
  const auto built = vm::exec::built_isas();
  const bool is_built = isa && std::ranges::find(built, *isa) != built.end();
  if (isa)
    return invalid(fmt::format("this {} the instruction set '{}'",
                               is_built ? "machine cannot run" : "build lacks", name),
                   fmt::format("it can run {}", fmt::join(supported, ", ")));
  return invalid(fmt::format("expected an instruction set, found '{}'", name),
                 fmt::format("this machine can run {}", fmt::join(supported, ", ")));
}

/// Number of processors that the calling thread may use; threads that it starts inherit them. On a
/// machine with more than CPU_SETSIZE, all.
unsigned usable_processors() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
    return static_cast<unsigned>(CPU_COUNT(&usable));
  return std::max(1u, std::thread::hardware_concurrency());
}

Result<unsigned> choose_threads(unsigned threads) {
  if (threads != 0) return std::min(threads, kMaxThreads);
  const std::string text = environment_variable("TRANSPIRE_THREADS");
  if (text.empty()) return std::min(usable_processors(), kMaxThreads);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error != std::errc() || end != text.data() + text.size())
    return invalid(
        fmt::format("expected a number of threads in TRANSPIRE_THREADS, found '{}'", text),
        "0 means one for every core that may be used");
  if (threads == 0) threads = usable_processors();
  return std::min(threads, kMaxThreads);
}

}  // namespace

std::string_view version() { return TRANSPIRE_VERSION; }

std::vector<std::string> supported_isas() {
  std::vector<std::string> names;
  for (const Isa known : vm::exec::built_isas())
    if (vm::exec::supported(known)) names.emplace_back(vm::isa_name(known));
  return names;
}

std::vector<std::string> known_isas() {
  return {std::begin(vm::kIsaNames), std::end(vm::kIsaNames)};
}

Result<Device> Device::create(const DeviceOptions& options) {
  TRANSPIRE_TRY(const Isa isa, choose_isa(options.isa));
  TRANSPIRE_TRY(const unsigned threads, choose_threads(options.threads));
  Device device;
  device.state_ = std::make_shared<runtime::DeviceState>(vm::exec::handlers(isa), threads);
  return device;
}

const std::string& Device::isa() const { return state_->isa; }

unsigned Device::threads() const { return state_->threads; }

std::uint32_t Device::lanes() const { return state_->handlers.lanes; }

Result<LaunchResult> Device::run(const Launch& launch) const { return state_->run(launch); }

Result<LaunchResult> Device::finish(const Launch& launch) const { return state_->finish(launch); }

Result<Buffer> Device::program_variable(const Module& module, std::size_t index) const {
  return state_->program_variable(module, index);
}

}  // namespace transpire
