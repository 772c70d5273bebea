#include "tests/hostile/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace transpire::hostile {
namespace {

using oracle::Setup;

constexpr unsigned kSeveralThreads = 3;
constexpr std::size_t kBufferAlign = 16, kEdgeBytes = 128;
constexpr std::byte kEdge{0xA5};

/// A finding as runs are compared by it.
struct Found {
  std::string rule, instruction, allocation;
  std::uint32_t line = 0;
  std::uint64_t word_offset = 0, count = 0, item = 0, access_bytes = 0;
  std::optional<std::int64_t> offset{};

  auto operator<=>(const Found&) const = default;
};

Found found_of(const Finding& finding) {
  const Diagnostic& diagnostic = finding.diagnostic;
  return {.rule = diagnostic.rule,
          .instruction = diagnostic.instruction,
          .allocation = finding.allocation,
          .line = diagnostic.source.line,
          .word_offset = diagnostic.word_offset.value_or(0),
          .count = finding.count,
          .item = finding.global_id[0],
          .access_bytes = finding.access_bytes,
          .offset = finding.offset_bytes};
}

std::string spell(const Found& found) {
  std::string text = fmt::format("{} at line {} ({}), {} times, first {}", found.rule, found.line,
                                 found.instruction, found.count, found.item);
  if (!found.allocation.empty()) text += fmt::format(", on '{}'", found.allocation);
  if (found.offset) text += fmt::format(" + {}", *found.offset);
  return text + fmt::format(", {} bytes", found.access_bytes);
}

std::string spell(const ExpectedFinding& expected) {
  std::string text =
      fmt::format("{} at line {} ({}), {} times, first {}", fmt::join(expected.rules, " or "),
                  expected.line, expected.instruction, expected.count, expected.first_item);
  if (expected.allocation) text += fmt::format(", on '{}'", *expected.allocation);
  if (expected.offset) text += fmt::format(" + {}", *expected.offset);
  return text;
}

// ---- Memory -----------------------------------------------------------------------------------

/// The buffers of a run. Either side by side in one block of the host, each the others' guard, or
/// each by itself, as a sanitizer wants them.
class HostMemory {
 public:
  HostMemory(const Case& made, bool in_block) : made_(made), in_block_(in_block) {
    if (made.by_reference) shared_ = *SharedMemory::create();
    std::size_t bytes = kEdgeBytes;
    for (const BufferSpec& spec : made.buffers) {
      offsets_.push_back(bytes);
      bytes += (spec.initial.size() + kBufferAlign - 1) / kBufferAlign * kBufferAlign;
    }
    block_.resize((bytes + kEdgeBytes + kBufferAlign) / kBufferAlign);
    std::memset(block_.data(), static_cast<int>(kEdge), block_.size() * kBufferAlign);
  }

  /// Makes and releases what the launch `number` begins with.
  void begin_launch(int number) {
    for (std::size_t i = 0; i < made_.buffers.size(); ++i) {
      const BufferSpec& spec = made_.buffers[i];
      if (spec.released_after >= 0 && spec.released_after < number) release(spec.name);
    }
    for (std::size_t i = 0; i < made_.buffers.size(); ++i)
      if (made_.buffers[i].created_for == number) create(i);
  }

  const Buffer& buffer(const std::string& name) const { return buffers_.at(name); }
  const std::optional<SharedMemory>& shared() const { return shared_; }

  /// What differs from the expectation; empty when nothing does.
  std::string difference() const {
    for (const BufferSpec& spec : made_.buffers) {
      const auto buffer = buffers_.find(spec.name);
      if (!spec.is_compared || buffer == buffers_.end()) continue;
      const std::span<const std::byte> bytes = buffer->second.bytes();
      const auto at = std::mismatch(bytes.begin(), bytes.end(), spec.expected.begin());
      if (at.first == bytes.end()) continue;
      return fmt::format("buffer '{}' differs at byte {}: expected {:02x}, found {:02x}", spec.name,
                         at.first - bytes.begin(), static_cast<unsigned>(*at.second),
                         static_cast<unsigned>(*at.first));
    }
    return edges_are_whole() ? std::string() : "the host's memory beside a buffer was written";
  }

 private:
  std::byte* start() { return reinterpret_cast<std::byte*>(block_.data()); }

  void create(std::size_t i) {
    const BufferSpec& spec = made_.buffers[i];
    std::byte* const at = start() + offsets_[i];
    const std::uint64_t size = spec.initial.size();
    std::byte* const kept =
        shared_     ? static_cast<std::byte*>(shared_->allocate(size, kBufferAlign, spec.name))
        : in_block_ ? at
                    : nullptr;
    Buffer buffer =
        kept != nullptr ? *Buffer::wrap({kept, size}, spec.name) : *Buffer::create(size, spec.name);
    std::copy(spec.initial.begin(), spec.initial.end(), buffer.bytes().begin());
    buffer.set_read_only(spec.read_only);
    buffer.set_write_only(spec.write_only);
    if (spec.holds_host_addresses) write_addresses(buffer);
    buffers_.insert_or_assign(spec.name, buffer);
  }

  void release(const std::string& name) {
    const auto found = buffers_.find(name);
    if (found == buffers_.end()) return;
    if (shared_) shared_->release(found->second.bytes().data());
    buffers_.erase(found);
  }

  /// Of the target's bytes, which are made before.
  void write_addresses(const Buffer& buffer) {
    const auto base = reinterpret_cast<std::uintptr_t>(this->buffer("target").bytes().data());
    for (std::uint64_t& number : buffer.as<std::uint64_t>()) number += base;
  }

  /// The bytes between buffers and around them.
  bool edges_are_whole() const {
    const auto* const bytes = reinterpret_cast<const std::byte*>(block_.data());
    const auto whole = [&](std::size_t from, std::size_t to) {
      return std::all_of(bytes + from, bytes + to, [](std::byte b) { return b == kEdge; });
    };
    std::size_t end = 0;
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      if (!whole(end, offsets_[i])) return false;
      end = offsets_[i] + made_.buffers[i].initial.size();
    }
    return whole(end, block_.size() * kBufferAlign);
  }

  struct alignas(kBufferAlign) Unit {
    std::byte bytes[kBufferAlign];
  };
  const Case& made_;
  bool in_block_;
  std::vector<std::size_t> offsets_;
  std::vector<Unit> block_;
  std::map<std::string, Buffer> buffers_;
  std::optional<SharedMemory> shared_;  ///< has all of them
};

Argument argument_of(const ArgumentSpec& spec, const HostMemory& memory) {
  switch (spec.kind) {
    case ArgumentSpec::Kind::kBuffer:
      return Argument::buffer(memory.buffer(spec.buffer));
    case ArgumentSpec::Kind::kLocal:
      return Argument::local(spec.bytes);
    case ArgumentSpec::Kind::kValue:
      return Argument::raw(spec.value);
    case ArgumentSpec::Kind::kNull:
      break;
  }
  return Argument::null();
}

/// The addresses of all arguments, as push constants.
Argument addresses_of(const std::vector<ArgumentSpec>& arguments, const HostMemory& memory) {
  std::vector<const std::byte*> addresses;
  for (const ArgumentSpec& argument : arguments)
    addresses.push_back(memory.buffer(argument.buffer).bytes().data());
  return Argument::raw(std::as_bytes(std::span(addresses)));
}

// ---- Findings ---------------------------------------------------------------------------------

bool has_rule(const ExpectedFinding& expected, const Found& found) {
  return found.line == expected.line &&
         std::find(expected.rules.begin(), expected.rules.end(), found.rule) !=
             expected.rules.end() &&
         (!expected.allocation || found.allocation == *expected.allocation);
}

/// What of the findings is not as expected; `rest` loses those that belong to it. Where the
/// expectation names no allocation, those on several count as one.
std::string take_expected(const ExpectedFinding& expected, std::vector<Found>& rest) {
  const std::string instead = rest.empty() ? "none" : spell(rest.front());
  Found sum;
  for (auto at = rest.begin(); at != rest.end();) {
    if (!has_rule(expected, *at)) {
      ++at;
      continue;
    }
    const std::uint64_t count = sum.count + at->count;
    if (sum.count == 0 || at->item < sum.item) sum = *at;
    sum.count = count;
    at = rest.erase(at);
  }
  if (sum.count == 0) return "expected " + spell(expected) + "\n    found    " + instead;
  const bool same = (expected.count == 0 || sum.count == expected.count) &&
                    (expected.line == 0 || sum.item == expected.first_item) &&
                    sum.instruction == expected.instruction &&
                    (!expected.offset || sum.offset == expected.offset);
  return same ? std::string() : "expected " + spell(expected) + "\n    found    " + spell(sum);
}

std::string compare_findings(const std::vector<ExpectedFinding>& expected,
                             std::vector<Found> found) {
  for (const ExpectedFinding& one : expected) {
    std::string difference = take_expected(one, found);
    if (!difference.empty()) return difference;
  }
  return found.empty() ? std::string() : "unexpected finding " + spell(found.front());
}

std::string spell_different(const std::vector<std::vector<Found>>& some,
                            const std::vector<std::vector<Found>>& others) {
  std::string text;
  for (std::size_t i = 0; i < std::min(some.size(), others.size()); ++i) {
    if (some[i] == others[i]) continue;
    for (const Found& found : some[i]) text += "\n      " + spell(found);
    text += "\n    instead of";
    for (const Found& found : others[i]) text += "\n      " + spell(found);
  }
  return text;
}

// ---- Runs -------------------------------------------------------------------------------------

struct Run {
  std::string difference;                    ///< from the expectation
  std::vector<std::vector<Found>> findings;  ///< of each launch
};

Run run_once(const Device& device, const Module& module, const Case& made, const Setup& setup,
             bool in_block) {
  Run run;
  HostMemory memory(made, in_block);
  for (std::size_t i = 0; i < made.launches.size(); ++i) {
    memory.begin_launch(static_cast<int>(i));
    const LaunchSpec& spec = made.launches[i];
    Launch launch(module, spec.kernel);
    launch.reference = setup.reference;
    launch.limits.timeout_seconds = 120;  // only a hang takes so long
    launch.limits.max_findings = 0;
    launch.geometry.global_size = {std::uint64_t{made.local} * made.groups, 1, 1};
    launch.geometry.local_size = {made.local, 1, 1};
    launch.shared = memory.shared();
    if (made.by_reference) launch.arguments.push_back(addresses_of(spec.arguments, memory));
    for (const ArgumentSpec& argument : spec.arguments)
      if (!made.by_reference) launch.arguments.push_back(argument_of(argument, memory));
    const Result<LaunchResult> result = device.run(launch);
    if (!result || result->end != LaunchResult::End::kCompleted) {
      run.difference = result ? "not completed" : "refused: " + result.errors().front().message;
      return run;
    }
    std::vector<Found>& found = run.findings.emplace_back();
    for (const Finding& finding : result->findings) found.push_back(found_of(finding));
    std::sort(found.begin(), found.end());
    run.difference = compare_findings(spec.findings, found);
    if (!run.difference.empty()) return run;
  }
  run.difference = memory.difference();
  return run;
}

}  // namespace

std::vector<Setup> setups(const std::string& isa, std::uint64_t index) {
  std::vector<Setup> all;
  std::vector<std::string> isas = supported_isas();
  if (!isa.empty()) isas = {isa};
  for (const std::string& each : isas)
    for (const bool reference : {true, false}) all.push_back({each, reference, 1});
  all.push_back({isas[index % isas.size()], index % 4 == 3, kSeveralThreads});
  return all;
}

std::string run_case(oracle::Devices& devices, const Case& made, const std::vector<Setup>& all) {
  const auto assembled = Module::load(std::as_bytes(std::span(made.text)));
  // As words, so that findings tell of the lines that instructions say.
  const auto module = assembled ? Module::load(std::as_bytes(assembled->words())) : assembled;
  if (!module) return "  not loaded: " + format(module.errors().front());
  std::string text;
  std::vector<std::vector<Found>> first;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Run run = run_once(devices.get(all[i]), *module, made, all[i], i % 2 == 1);
    if (i == 0) first = run.findings;
    if (run.difference.empty() && run.findings != first)
      run.difference = "other findings than " + oracle::describe(all[0]) + ": " +
                       spell_different(run.findings, first);
    if (!run.difference.empty())
      text += "  " + oracle::describe(all[i]) + ":\n    " + run.difference + "\n";
  }
  return text;
}

void tamper(Case& made, std::uint64_t index) {
  std::vector<ExpectedFinding>& findings = made.launches.back().findings;
  if (findings.empty() || index % 4 == 0) {
    for (BufferSpec& buffer : made.buffers)
      if (buffer.name == "after") buffer.expected[index % buffer.expected.size()] ^= std::byte{1};
    return;
  }
  ExpectedFinding& finding = findings[index / 4 % findings.size()];
  switch (index % 4) {
    case 1:
      finding.rules = {"TSP-R0028"};
      return;
    case 2:
      if (finding.count != 0) {
        ++finding.count;
        return;
      }
      [[fallthrough]];
    default:
      findings.pop_back();
  }
}

}  // namespace transpire::hostile
