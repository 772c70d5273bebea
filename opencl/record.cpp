#include "opencl/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "opencl/record_files.h"
#include "opencl/record_memory.h"
#include "transpire/setting_table.hpp"

namespace transpire::opencl {
namespace {

namespace fs = std::filesystem;

/// What is not longer stands in the launch file itself.
constexpr std::size_t kInlineBytes = 64;

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(b));
  return text;
}

/// A string of the launch language.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (byte < 0x20 || byte >= 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + "\"";
}

/// In a comment or behind a keyword: what would end the line or begin a comment is no part of it.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

std::string sizes(const std::array<std::uint64_t, 3>& size, std::uint32_t dimensions) {
  std::string text;
  for (std::uint32_t i = 0; i < dimensions && i < 3; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ",", size[i]);
  return text;
}

std::string type_word(const TypeInfo& type) {
  const bool is_float = type.kind == TypeInfo::Kind::kFloat;
  if (type.kind == TypeInfo::Kind::kBool) return "bool";
  switch (type.width_bits) {
    case 8:
      return "uchar";
    case 16:
      return is_float ? "half" : "ushort";
    case 32:
      return is_float ? "float" : "uint";
    default:
      return is_float ? "double" : "ulong";
  }
}

/// Said once in a process: a full disk would say it for every launch.
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
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(format, std::forward<Values>(values)...) + '\n';
  }
  void module();
  void settings();
  void memory();
  void arguments();
  std::string value_of(std::span<const std::byte> bytes, const std::string& name);
  void geometry(const Result<LaunchResult>& result);
  void expect_memory();
  void expect_findings(const LaunchResult& result);
  void expect_printf(const std::string& text);

  const fs::path folder_;
  const Launch launch_;
  RecordedMemory memory_;
  std::string stem_;
  std::string text_;
  /// Of each root, what it held: compared with what it holds afterwards.
  std::vector<std::string> before_, hash_before_;
};

Record::Writer::Writer(const std::string& folder, const Launch& launch, const Device& device)
    : folder_(folder), launch_(launch), memory_(launch, device) {
  fs::create_directories(folder_);
  if (launch.kernel.find_first_of("#\"\n\t") != std::string::npos)
    throw std::runtime_error(
        fmt::format("the kernel's name {} cannot be written", in_quotes(launch.kernel)));
  stem_ = fmt::format("{:04}-{}", claim_number(folder_), file_word(launch.kernel));
  line("# recorded by transpire {} with {} and {} thread{}", version(), device.isa(),
       device.threads(), device.threads() == 1 ? "" : "s");
  module();
  if (device.threads() == 1) line("threads 1");  // work-groups run in order
  settings();
  memory();
  arguments();
}

void Record::Writer::module() {
  const std::span<const std::byte> bytes = std::as_bytes(launch_.module.words());
  const std::string name = fmt::format("modules/{}.spv", content_hash(bytes));
  fs::create_directories(folder_ / "modules");
  if (!fs::exists(folder_ / name)) write_in_place(folder_ / name, bytes);
  line("module {}", name);
  for (const auto& [id, bits] : launch_.module.specialisation()) {
    const auto& all = launch_.module.info().spec_constants;
    const auto known = std::find_if(
        all.begin(), all.end(), [id = id](const SpecConstantInfo& c) { return c.spec_id == id; });
    if (known != all.end()) line("spec {} = {}:hex:{:#x}", id, type_word(known->type), bits);
  }
  line("kernel {}", launch_.kernel);
}

void Record::Writer::settings() {
  const Limits usual, &limits = launch_.limits;
  for (const std::string& statement : statements_of(launch_)) line("{}", statement);
  if (limits.max_steps != 0) line("max-steps {}", limits.max_steps);
  if (limits.timeout_seconds != 0) line("timeout {}", limits.timeout_seconds);
  if (limits.max_findings != usual.max_findings) line("max-errors {}", limits.max_findings);
  // The driver allows what the machine has; that matters only to launches that need so much.
  std::uint64_t bytes = 0;
  for (const RecordedMemory::Root& root : memory_.roots) bytes += root.bytes.size();
  if (limits.max_memory_bytes < usual.max_memory_bytes || bytes > usual.max_memory_bytes / 2)
    line("max-memory {}", limits.max_memory_bytes);
  if (limits.max_printf_bytes != usual.max_printf_bytes)
    line("max-printf {}", limits.max_printf_bytes);
  if (launch_.shared) line("shared-base {:#x}", launch_.shared->address());
}

/// A value of raw bytes; the long ones in a file of their own.
std::string Record::Writer::value_of(std::span<const std::byte> bytes, const std::string& name) {
  const bool zero =
      std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
  if (zero) return fmt::format("bytes:zero:{}", bytes.size());
  if (bytes.size() <= kInlineBytes) return "bytes:hex:" + hex(bytes);
  fs::create_directories(folder_ / stem_);
  write_bytes(folder_ / stem_ / name, bytes);
  return fmt::format("bytes:file:{}/{}", stem_, name);
}

void Record::Writer::memory() {
  using Kind = RecordedMemory::Root::Kind;
  const auto flags = [](const Buffer& buffer) {
    return buffer.read_only() ? " readonly" : buffer.write_only() ? " writeonly" : "";
  };
  for (std::size_t i = 0; i < memory_.roots.size(); ++i) {
    const RecordedMemory::Root& root = memory_.roots[i];
    before_.push_back(value_of(root.bytes, root.name + ".in.bin"));
    hash_before_.push_back(content_hash(root.bytes));
    const auto whole = std::find_if(
        memory_.parts.begin(), memory_.parts.end(),
        [&](const RecordedMemory::Part& part) { return part.is_whole && part.root == i; });
    if (root.kind == Kind::kShared)
      line("shared {} at {:#x} = {}", root.name,
           reinterpret_cast<std::uintptr_t>(root.bytes.data()), before_[i]);
    else
      line("{} {} = {}{}", root.kind == Kind::kVariable ? "variable" : "buffer", root.name,
           before_[i], whole != memory_.parts.end() ? flags(whole->buffer) : "");
  }
  for (const RecordedMemory::Part& part : memory_.parts)
    if (!part.is_whole)
      line("buffer {} = buffer {} offset {} size {}{}", part.name, memory_.roots[part.root].name,
           part.offset_bytes, part.buffer.bytes().size(), flags(part.buffer));
}

void Record::Writer::arguments() {
  const KernelInfo* const kernel = launch_.module.kernel(launch_.kernel);
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
    const Argument& argument = launch_.arguments[i];
    std::string value = "null";
    if (argument.kind == Argument::Kind::kBuffer)
      value = fmt::format("buffer {}", memory_.parts[memory_.part_of_argument[i]].name);
    if (argument.kind == Argument::Kind::kBuffer && argument.offset_bytes != 0)
      value += fmt::format(" offset {}", argument.offset_bytes);
    if (argument.kind == Argument::Kind::kValue) value = "bytes:hex:" + hex(argument.bytes);
    if (argument.kind == Argument::Kind::kLocal)
      value = fmt::format("local:{}", argument.local_bytes);
    if (argument.kind == Argument::Kind::kShared && argument.address != 0)
      value = fmt::format("shared {:#x}", argument.address);
    std::string comment;
    if (kernel != nullptr && i < kernel->parameters.size()) {
      const ParameterInfo& parameter = kernel->parameters[i];
      const bool by_pointer = parameter.by_value_struct && !parameter.type.elements.empty();
      comment = one_line(fmt::format(
          "  # {} {}", by_pointer ? parameter.type.elements[0].spelling : parameter.type.spelling,
          parameter.name));
    }
    line("arg {} = {}{}", i, value, comment);
  }
}

void Record::Writer::geometry(const Result<LaunchResult>& result) {
  const Geometry& given = launch_.geometry;
  line("global {}", sizes(given.global_size, given.dimensions));
  const std::array<std::uint64_t, 3>& local = result ? result->local_size : given.local_size;
  if (local[0] != 0) line("local {}", sizes(local, given.dimensions));
  if (given.global_offset != std::array<std::uint64_t, 3>{})
    line("offset {}", sizes(given.global_offset, given.dimensions));
  line("launch");
}

void Record::Writer::expect_memory() {
  for (std::size_t i = 0; i < memory_.roots.size(); ++i) {
    const RecordedMemory::Root& root = memory_.roots[i];
    const bool same = content_hash(root.bytes) == hash_before_[i];
    line("expect {} = {}", root.name,
         same ? before_[i] : value_of(root.bytes, root.name + ".out.bin"));
  }
}

void Record::Writer::expect_findings(const LaunchResult& result) {
  std::set<std::string> said;
  for (const Finding& finding : result.findings) {
    std::string fault = "expect fault " + finding.diagnostic.rule;
    // Where work-items stood when a limit ended them is another place every time.
    if (!finding.diagnostic.rule.starts_with("TSP-L"))
      fault += " at " + sizes(finding.global_id, 3);
    if (said.insert(fault).second) line("{}", fault);
  }
}

void Record::Writer::expect_printf(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    line("expect printf {}", in_quotes(std::string_view(text).substr(at, end - at)));
    at = end;
  }
}

void Record::Writer::finish(const Result<LaunchResult>& result, const std::string& call) {
  text_ = fmt::format("# {}\n", one_line(call)) + text_;
  geometry(result);
  if (!result) {
    line("expect refused {}", result.errors()[0].rule);
  } else if (result->end != LaunchResult::End::kCompleted) {
    line("# the launch was ended before all of it had run: what it left is different every time");
    expect_findings(*result);
  } else {
    expect_memory();
    expect_printf(result->printf_output);
    expect_findings(*result);
  }
  write_in_place(folder_ / (stem_ + ".launch"), std::as_bytes(std::span(text_)));
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
