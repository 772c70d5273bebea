#include "opencl/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "launch/language/asked_settings.h"
#include "launch/language/launch_writer.h"
#include "launch/language/layout.h"
#include "launch/language/pipe_argument.h"
#include "launch/language/queue_argument.h"
#include "opencl/reachable_opcodes.h"
#include "opencl/record_files.h"
#include "opencl/record_memory.h"
#include "transpire/launch_rules.hpp"

namespace transpire::opencl {
namespace {

namespace fs = std::filesystem;

/// Contents up to this size stand in the launch file itself.
constexpr std::size_t kInlineBytes = 64;

/// The bits of a constant, for signed and unsigned types.
launch::TypeWord type_word(const TypeInfo& type) {
  using launch::ScalarType;
  const bool is_float = type.kind == TypeInfo::Kind::kFloat;
  if (type.kind == TypeInfo::Kind::kBool) return {ScalarType::kBool};
  switch (type.width_bits) {
    case 8:
      return {ScalarType::kUchar};
    case 16:
      return {is_float ? ScalarType::kHalf : ScalarType::kUshort};
    case 32:
      return {is_float ? ScalarType::kFloat : ScalarType::kUint};
    default:
      return {is_float ? ScalarType::kDouble : ScalarType::kUlong};
  }
}

/// Reported once per process: a full disk would cause it for every launch.
void complain(const std::string& what) {
  static std::atomic_flag said;
  if (!said.test_and_set()) fmt::print(stderr, "transpire: launches are not recorded: {}\n", what);
}

}  // namespace

class Record::Writer {
 public:
  Writer(const std::string& folder, const Launch& launch, const Device& device);
  void finish(const Result<LaunchResult>& result, const std::string& call);

 private:
  bool is_refused(const Geometry& geometry) const;
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    out_.setting(fmt::format(format, std::forward<Values>(values)...));
  }
  void module();
  void settings();
  void memory();
  void queues();
  std::string queue_name(std::uint64_t handle) const;
  void arguments();
  launch::ValueSpec value_of(std::span<const std::byte> bytes, const std::string& name);
  launch::PipeDescription description(const RecordedMemory::Root& pipe) const;
  launch::ArgumentSpec argument(std::size_t index) const;
  std::string described_parameter(std::size_t index) const;
  void geometry(const Result<LaunchResult>& result);
  bool may_execute(spv::Op op) const {
    return opencl::may_execute(launch_.module.words(), launch_.kernel, op);
  }
  void expect_results(const LaunchResult& result);
  void expect_memory(bool has_times);
  void expect_findings(const LaunchResult& result);

  const fs::path folder_;
  const Launch launch_;
  RecordedMemory memory_;
  std::string stem_;
  launch::LaunchWriter out_;
  /// Initial contents of each root, compared with the final ones.
  std::vector<launch::ValueSpec> before_;
  std::vector<std::string> hash_before_;
};

Record::Writer::Writer(const std::string& folder, const Launch& launch, const Device& device)
    : folder_(folder), launch_(launch), memory_(launch, device) {
  fs::create_directories(folder_);
  if (!launch::is_writable_name(launch.kernel))
    throw std::runtime_error(
        fmt::format("the kernel's name {} cannot be written", launch::in_quotes(launch.kernel)));
  stem_ = fmt::format("{:04}-{}", claim_number(folder_), file_word(launch.kernel));
  out_.comment(fmt::format("recorded by transpire {} with {} and {} thread{}", version(),
                           device.isa(), device.threads(), device.threads() == 1 ? "" : "s"));
  module();
  if (device.threads() == 1) out_.setting("threads 1");  // work-groups run in order
  settings();
  memory();
  queues();
  arguments();
}

void Record::Writer::module() {
  const std::span<const std::byte> bytes = std::as_bytes(launch_.module.words());
  const std::string name = fmt::format("modules/{}.spv", content_hash(bytes));
  fs::create_directories(folder_ / "modules");
  if (!fs::exists(folder_ / name)) write_atomically(folder_ / name, bytes);
  out_.module(name);
  for (const auto& [id, bits] : launch_.module.specialisation()) {
    const auto& all = launch_.module.info().spec_constants;
    const auto known = std::find_if(
        all.begin(), all.end(), [id = id](const SpecConstantInfo& c) { return c.spec_id == id; });
    if (known == all.end()) continue;
    launch::SpecialisationSpec constant{fmt::to_string(id), {}, {}};
    constant.value.maker = launch::ValueSpec::Maker::kHex;
    constant.value.type = type_word(known->type);
    constant.value.literals.push_back({fmt::format("{:#x}", bits), {}, false});
    out_.specialise(constant);
  }
  out_.kernel(launch_.kernel);
}

void Record::Writer::settings() {
  LaunchSettings settings = launch_;
  settings.lenient = false;  // geometry() sets it if the launch needs it
  for (const std::string& statement : launch::statements_of(settings)) out_.setting(statement);
  const Limits usual;
  Limits limits = launch_.limits;
  limits.max_children = usual.max_children;  // geometry() sets it if the launch needs more
  // The driver allows the machine's memory; the limit is written only for launches that need so
  // much.
  std::uint64_t bytes = 0;
  for (const RecordedMemory::Root& root : memory_.roots)
    bytes += root.pipe ? root.pipe->size_bytes() : root.bytes.size();
  if (limits.max_memory_bytes > usual.max_memory_bytes && bytes <= usual.max_memory_bytes / 2)
    limits.max_memory_bytes = usual.max_memory_bytes;
  for (const std::string& statement : launch::limit_statements_of(limits)) out_.setting(statement);
  if (launch_.shared) line("shared-base {:#x}", launch_.shared->address());
}

/// A value of raw bytes; long ones go to a file.
launch::ValueSpec Record::Writer::value_of(std::span<const std::byte> bytes,
                                           const std::string& name) {
  const bool zero =
      std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
  if (zero) return launch::zero_bytes(bytes.size());
  if (bytes.size() <= kInlineBytes) return launch::raw_bytes(bytes);
  fs::create_directories(folder_ / stem_);
  write_bytes(folder_ / stem_ / name, bytes);
  return launch::bytes_of_file(fmt::format("{}/{}", stem_, name));
}

launch::PipeDescription Record::Writer::description(const RecordedMemory::Root& pipe) const {
  launch::PipeDescription made;
  made.packet_bytes = pipe.pipe->packet_bytes();
  made.max_packets = pipe.pipe->max_packets();
  // Stated if the source's type is known; the packets left in the pipe are shown with it.
  const KernelInfo* const kernel = launch_.module.kernel(launch_.kernel);
  if (kernel == nullptr || pipe.argument >= kernel->parameters.size()) return made;
  const auto type = launch::packet_type_of(kernel->parameters[pipe.argument]);
  if (type && launch::type_of(*type).size_bytes == made.packet_bytes) made.type = type;
  return made;
}

void Record::Writer::memory() {
  using Kind = RecordedMemory::Root::Kind;
  for (std::size_t i = 0; i < memory_.roots.size(); ++i) {
    const RecordedMemory::Root& root = memory_.roots[i];
    before_.push_back(value_of(root.bytes, root.name + ".in.bin"));
    hash_before_.push_back(content_hash(root.bytes));
    launch::BufferSpec spec;
    spec.name = root.name;
    spec.value = before_[i];
    if (root.kind == Kind::kShared) {
      spec.kind = launch::BufferSpec::Kind::kShared;
      spec.address = reinterpret_cast<std::uintptr_t>(root.bytes.data());
    } else if (root.kind == Kind::kVariable) {
      spec.kind = launch::BufferSpec::Kind::kVariable;
    } else if (root.kind == Kind::kImage) {
      spec.kind = launch::BufferSpec::Kind::kImage;
      spec.image = root.image->description();
      spec.value.read_only = root.image->read_only();
      spec.value.write_only = root.image->write_only();
    } else if (root.kind == Kind::kPipe) {
      spec.kind = launch::BufferSpec::Kind::kPipe;
      spec.pipe = description(root);
    }
    const auto whole = std::find_if(
        memory_.parts.begin(), memory_.parts.end(),
        [&](const RecordedMemory::Part& part) { return part.is_whole && part.root == i; });
    if (whole != memory_.parts.end()) {
      spec.value.read_only = whole->buffer.read_only();
      spec.value.write_only = whole->buffer.write_only();
    }
    if (launch_.check_uninit) spec.value.undefined = memory_.undefined_bytes(root);
    out_.memory(spec);
  }
  for (const RecordedMemory::Part& part : memory_.parts) {
    if (part.is_whole) continue;
    launch::BufferSpec spec;
    spec.name = part.name;
    spec.kind = launch::BufferSpec::Kind::kSlice;
    spec.slice = {memory_.roots[part.root].name, part.offset_bytes, part.buffer.bytes().size(),
                  part.buffer.read_only(), part.buffer.write_only()};
    out_.memory(spec);
  }
}

/// The record's name of a queue; empty: the default queue, as any run has it.
std::string Record::Writer::queue_name(std::uint64_t handle) const {
  const DeviceQueue usual, &first = launch_.queues.front();
  const bool is_usual = launch_.has_default_queue && handle == first.handle &&
                        handle == usual.handle && first.size_bytes == usual.size_bytes;
  return is_usual ? std::string() : fmt::format("queue{}", handle);
}

/// Declares all queues of the device if the module can use queues, because a kernel may keep
/// handles in memory.
void Record::Writer::queues() {
  const auto& capabilities = launch_.module.info().capabilities;
  if (std::ranges::find(capabilities, "DeviceEnqueue") == capabilities.end()) return;
  for (const DeviceQueue& queue : launch_.queues)
    if (std::string name = queue_name(queue.handle); !name.empty())
      out_.queue({std::move(name), queue.size_bytes, queue.handle});
  if (!launch_.has_default_queue) return out_.default_queue(launch::kNoDefaultQueue);
  if (const std::string name = queue_name(launch_.queues.front().handle); !name.empty())
    out_.default_queue(name);
}

launch::ArgumentSpec Record::Writer::argument(std::size_t index) const {
  using Kind = launch::ArgumentSpec::Kind;
  const Argument& given = launch_.arguments[index];
  launch::ArgumentSpec argument;
  argument.target = fmt::to_string(index);
  argument.kind = Kind::kNull;
  if (given.kind == Argument::Kind::kBuffer) {
    argument.kind = Kind::kBuffer;
    argument.buffer.name = memory_.parts[memory_.part_of_argument[index]].name;
    argument.buffer.offset_bytes = given.offset_bytes;
  } else if (given.kind == Argument::Kind::kValue) {
    argument.kind = Kind::kValue;
    argument.value = launch::raw_bytes(given.bytes);
  } else if (given.kind == Argument::Kind::kLocal) {
    argument.kind = Kind::kLocal;
    argument.local_bytes = given.local_bytes;
  } else if (given.kind == Argument::Kind::kImage || given.kind == Argument::Kind::kPipe) {
    argument.kind = Kind::kBuffer;
    argument.buffer.name = memory_.roots[memory_.root_of_argument[index]].name;
  } else if (given.kind == Argument::Kind::kSampler) {
    argument.kind = Kind::kSampler;
    argument.sampler = given.sampling;
  } else if (given.kind == Argument::Kind::kQueue) {
    argument.kind = Kind::kQueue;
    argument.queue = queue_name(given.address);
  } else if (given.kind == Argument::Kind::kShared && given.address != 0) {
    argument.kind = Kind::kShared;
    argument.shared.address = given.address;
  }
  return argument;
}

/// The parameter's type and name; empty if the module lacks them.
std::string Record::Writer::described_parameter(std::size_t index) const {
  const KernelInfo* const kernel = launch_.module.kernel(launch_.kernel);
  if (kernel == nullptr || index >= kernel->parameters.size()) return {};
  const ParameterInfo& parameter = kernel->parameters[index];
  const bool by_pointer = parameter.by_value_struct && !parameter.type.elements.empty();
  const TypeInfo& type = by_pointer ? parameter.type.elements[0] : parameter.type;
  return fmt::format("{} {}", type.spelling, parameter.name);
}

void Record::Writer::arguments() {
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i)
    out_.argument(argument(i), described_parameter(i));
}

/// True if a run of the module alone refuses these sizes. Such a run decides about kernels by the language of the source, the driver
/// by how the program was made; both decide alike about shaders that clspv made of kernels.
bool Record::Writer::is_refused(const Geometry& geometry) const {
  const KernelInfo* const kernel = launch_.module.kernel(launch_.kernel);
  if (kernel == nullptr) return false;
  ModuleInfo info = launch_.module.info();
  if (std::ranges::find(info.capabilities, "Kernel") != info.capabilities.end())
    info.uniform_groups = transpire::has_only_uniform_groups(info.source_language);
  const auto refusal = refusal_of(info, *kernel, geometry, subgroup_items(*kernel, launch_));
  return refusal && refusal->may_run;
}

void Record::Writer::geometry(const Result<LaunchResult>& result) {
  Geometry given = launch_.geometry;
  const bool is_chosen = given.local_size[0] == 0;
  out_.global({given.global_size, given.dimensions});
  if (result) given.local_size = result->local_size;
  const bool is_free = is_refused(given);
  if (is_free && is_chosen) given.local_size = {};  // the run chooses the same size again
  const bool writes_const =
      launch_.lenient && !launch_.module.stores_through_const(launch_.kernel).empty();
  if ((is_free && !is_chosen) || writes_const) out_.setting("lenient");
  if (given.local_size[0] != 0) out_.local({given.local_size, given.dimensions});
  if (given.global_offset != std::array<std::uint64_t, 3>{})
    out_.offset({given.global_offset, given.dimensions});
  if (result && result->child_count > Limits{}.max_children)
    line("max-children {}", launch_.limits.max_children);
  out_.launch();
}

/// Expectations for a launch that has run to its end.
void Record::Writer::expect_results(const LaunchResult& result) {
  if (may_execute(spv::Op::OpCreatePipeFromPipeStorage))
    return out_.comment(
        "what was in pipes at program scope is not recorded: the launch may leave something else");
  const bool has_times = may_execute(spv::Op::OpCaptureEventProfilingInfo);
  if (has_times)
    out_.comment(
        "times are captured, which are others every time: what has changed is not expected");
  expect_memory(has_times);
  if (!has_times) out_.expect_printf(result.printf_output);
  expect_findings(result);
  out_.setting("expect no faults");  // else: warnings as well
}

/// With timing in a result, only memory that did not change is expected.
void Record::Writer::expect_memory(bool has_times) {
  memory_.look_at_pipes();
  for (std::size_t i = 0; i < memory_.roots.size(); ++i) {
    const RecordedMemory::Root& root = memory_.roots[i];
    const bool same = content_hash(root.bytes) == hash_before_[i];
    if (has_times && !same) continue;
    out_.expect_value(root.name, same ? before_[i] : value_of(root.bytes, root.name + ".out.bin"));
  }
}

void Record::Writer::expect_findings(const LaunchResult& result) {
  std::set<std::tuple<std::string, std::string, std::optional<std::array<std::uint64_t, 3>>>> said;
  for (const Finding& finding : result.findings) {
    launch::ExpectedFault fault;
    fault.rule = finding.diagnostic.rule;
    fault.buffer = memory_.name_of(finding.allocation);
    // The position of work-items when a limit ended them differs from run to run.
    if (!fault.rule.starts_with("TSP-L")) fault.at = finding.global_id;
    if (said.insert({fault.rule, fault.buffer, fault.at}).second) out_.expect(fault);
  }
}

void Record::Writer::finish(const Result<LaunchResult>& result, const std::string& call) {
  geometry(result);
  if (!result) {
    out_.expect(launch::ExpectedRefusal{result.errors()[0].rule, {}});
  } else if (result->end != LaunchResult::End::kCompleted) {
    out_.comment(
        "the launch was ended before all of it had run: what it left is different every time");
    expect_findings(*result);
  } else {
    expect_results(*result);
  }
  launch::LaunchWriter head;
  head.comment(call);
  const std::string text = head.text() + out_.text();
  write_atomically(folder_ / (stem_ + ".launch"), std::as_bytes(std::span(text)));
}

Record::Record(const std::string& folder, const Launch& launch, const Device& device) {
  try {
    writer_ = std::make_unique<Writer>(folder, launch, device);
  } catch (const std::exception& error) {
    complain(error.what());
  }
}

Record::~Record() = default;

void Record::finish(const Result<LaunchResult>& result, const std::string& call) {
  if (writer_ == nullptr) return;
  try {
    writer_->finish(result, call);
  } catch (const std::exception& error) {
    complain(error.what());
  }
}

}  // namespace transpire::opencl
