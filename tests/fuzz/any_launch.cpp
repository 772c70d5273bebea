#include "tests/fuzz/any_launch.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include "cli/json_output.h"
#include "launch/runner/run_plan.h"
#include "tests/fuzz/small_launch.h"
#include "tests/shorthand/shorthand.h"
#include "transpire/setting_table.hpp"

namespace transpire::fuzz {
namespace {

/// Of tests/programs: barriers, atomics, variables of each storage class, copies, structures by
/// value, groups, findings; shaders, and kernels that clspv made shaders of.
constexpr const char* kPrograms[] = {
    "memory/copy_memory",
    "faults/copy_past_end",
    "group/arithmetic",
    "group/uniform_arithmetic",
    "group/votes_and_broadcasts",
    "arithmetic/carry_borrow_32",
    "atomic/all_generic_32",
    "memory/access_chains",
    "memory/lifetime",
    "memory/pointers_in_memory",
    "image/literal_sampler",
    "image/mipmap",
    "image/samples",
    "shader/core",
    "shader/cooperative_product_float",
    "shader/image_forms",
    "shader/matrix_copies",
    "shader/quad_votes_linear",
    "shader/untyped_pointers",
    "shader/variable_pointers",
    "shader/workgroup_blocks_shared",
    "clspv/arguments_push",
    "clspv/arguments_storage",
    "clspv/global_offset_push",
    "clspv/printf",
    "clspv/regions",
};

/// Programs of tests/fuzz/data have the arguments that those lack: the inputs of shaders; images; local arguments, a large variable of
/// each class and a value of 40 bytes. Texts are run with one of these modules, which they name by its number.
constexpr const char* kData[] = {"shader", "images", "many_parameters"};

std::vector<Module> load_programs() {
  std::vector<Module> modules;
  for (const char* name : kPrograms) {
    std::string path = TRANSPIRE_PROGRAMS "/";
    path.append(name).append(".spvasm");
    if (auto module = Module::load_file(path)) modules.push_back(std::move(module).value());
  }
  for (const std::string name : kData) {
    std::ifstream file(TRANSPIRE_FUZZ_DATA "/" + name + ".spvasm.in");
    const std::string text = shorthand::declare(std::string(std::istreambuf_iterator(file), {}));
    if (auto module = Module::load(std::as_bytes(std::span(text))))
      modules.push_back(std::move(module).value());
  }
  require(modules.size() == std::size(kPrograms) + std::size(kData),
          "the programs cannot be loaded");
  return modules;
}

const std::vector<Module>& modules() {
  static const std::vector<Module> all = load_programs();
  return all;
}

const std::vector<Device>& devices() {
  static const std::vector<Device> all = [] {
    std::vector<Device> made;
    for (const std::string& isa : supported_isas()) made.push_back(*Device::create({isa, 1}));
    return made;
  }();
  return all;
}

/// The input as a source of numbers; zeros once it is used up.
class Source {
 public:
  Source(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  std::uint8_t byte() {
    if (at_ == bytes_.size()) return 0;
    return bytes_[at_++];
  }
  std::uint64_t number(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value = value << 8 | byte();
    return value;
  }
  /// Small ones, large ones, and those around the ends of 31, 32, 63 and 64 bits.
  std::uint64_t size() {
    constexpr std::uint64_t kEnds[] = {0,
                                       1,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       ~std::uint64_t{0} >> 1,
                                       ~std::uint64_t{0}};
    const std::uint8_t kind = byte();
    switch (kind % 8) {
      case 0:
        return kEnds[byte() % std::size(kEnds)];
      case 1:
        return kEnds[byte() % std::size(kEnds)] - byte();
      case 2:
        return number(8);
      case 3:
        return number(2);
      default:
        return byte();
    }
  }
  bool flag() { return (byte() & 1) != 0; }
  std::string_view rest() const {
    return {reinterpret_cast<const char*>(bytes_.data()) + at_, bytes_.size() - at_};
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

Argument any_buffer(Source& source, std::string name) {
  const auto buffer = Buffer::create(source.size() % 5000, std::move(name));
  require(buffer.ok(), "a small buffer was refused");
  if (source.flag()) buffer->bytes();
  Buffer made = *buffer;
  made.set_read_only(source.byte() % 8 == 0);
  made.set_write_only(source.byte() % 8 == 0);
  if (source.byte() % 4 == 0) {
    const std::uint64_t offset = source.size(), size = source.size(), whole = made.bytes().size();
    const auto slice = made.slice(offset, size, "slice");
    require(slice.ok() == (offset <= whole && size <= whole - offset),
            "a slice is not what it says");
    if (slice) made = *slice;
  }
  return Argument::buffer(made, source.byte() % 4 == 0 ? source.size() : 0);
}

Argument any_value(Source& source, std::uint64_t wanted) {
  std::vector<std::byte> bytes(source.byte() % 8 == 0 ? source.size() % 5000
                                                      : std::min<std::uint64_t>(wanted, 5000));
  for (std::byte& b : bytes) b = static_cast<std::byte>(source.byte());
  return Argument::raw(bytes);
}

/// Mostly one that can be made.
Argument any_image(Source& source, const ParameterInfo& parameter) {
  constexpr const char* kOrders[] = {"RGBA",  "R",     "BGRA", "RG",  "A",
                                     "sRGBA", "DEPTH", "RGB",  "ARGB"};
  constexpr const char* kTypes[] = {"UNORM_INT8", "FLOAT",       "SIGNED_INT32", "UNSIGNED_INT8",
                                    "HALF_FLOAT", "SNORM_INT16", "UNORM_INT16",  "UNORM_SHORT_565"};
  const auto side = [&] {
    return source.byte() % 16 == 0 ? source.size() : source.byte() % 40 + 1;
  };
  ImageDescription description;
  description.dim = parameter.image && source.byte() % 8 != 0
                        ? parameter.image->dim
                        : static_cast<ImageDim>(source.byte() % 7);
  description.channel_order = kOrders[source.byte() % std::size(kOrders)];
  description.channel_type = kTypes[source.byte() % std::size(kTypes)];
  description.width = side();
  description.height = side();
  description.depth = side() % 5;
  description.layers = side() % 5;
  if (parameter.image && source.byte() % 8 != 0) fit_shader(*parameter.image, description);
  if (source.byte() % 8 == 0) description.row_pitch = source.size();
  if (source.byte() % 8 == 0) description.slice_pitch = source.size();
  if (source.byte() % 8 == 0) description.levels = source.byte() % 20;
  if (source.byte() % 4 == 0) description.samples = source.byte() % 70;
  const auto needed = Image::bytes_needed(description);
  if (!needed || *needed > kMostBytes / 4) return {};
  auto image = Image::create(description, parameter.name);
  require(image.ok(), "an image of known size was refused");
  for (std::byte& byte : image->bytes().first(std::min<std::size_t>(image->bytes().size(), 64)))
    byte = static_cast<std::byte>(source.byte());
  image->set_read_only(source.byte() % 8 == 0);
  image->set_write_only(source.byte() % 8 == 0);
  return Argument::image(*image);
}

Argument any_sampler(Source& source) {
  constexpr float kLods[] = {0, 1, 2.5f, -1, 1000, 3e38f};
  Sampler sampler;
  sampler.addressing = static_cast<Sampler::Addressing>(source.byte() % 6);
  sampler.normalized = source.flag();
  sampler.linear = source.flag();
  sampler.mip_linear = source.flag();
  sampler.lod_min = kLods[source.byte() % std::size(kLods)];
  sampler.lod_max = kLods[source.byte() % std::size(kLods)];
  return Argument::sampler(sampler);
}

/// Mostly one that fits the parameter.
Argument any_argument(Source& source, const ParameterInfo& parameter) {
  const bool points = parameter.type.kind == TypeInfo::Kind::kPointer && !parameter.by_value_struct;
  const bool near = points && parameter.type.address_space == "local";
  std::uint64_t size = parameter.type.size_bytes;
  if (parameter.by_value_struct && !parameter.type.elements.empty())
    size = parameter.type.elements[0].size_bytes;
  const int kind = source.byte() % 16;
  const bool fits = kind > 7;
  if (kind == 0) return {};
  if (kind == 1) return Argument::null();
  if (kind == 5) return Argument::shared(reinterpret_cast<const void*>(source.size()));
  if (kind == 6 || (fits && parameter.image)) return any_image(source, parameter);
  if (kind == 7 || (fits && parameter.is_sampler)) return any_sampler(source);
  if (kind == 2 || (fits && near)) return Argument::local(source.size());
  if (kind == 3 || (fits && points)) return any_buffer(source, parameter.name);
  return any_value(source, size);
}

/// Mostly one that the kernel can have.
Geometry any_geometry(Source& source, const KernelInfo& kernel) {
  Geometry geometry;
  if (kernel.required_local_size && source.byte() % 8 != 0) {
    geometry.dimensions = 3;
    geometry.local_size = *kernel.required_local_size;
    geometry.global_size = geometry.local_size;
    geometry.global_size[0] *= source.byte() % 8 == 0 ? source.size() : source.byte() % 8;
    return geometry;
  }
  geometry.dimensions = source.byte() % 8 == 0 ? source.byte() : source.byte() % 3 + 1;
  for (std::size_t d = 0; d < 3; ++d) {
    geometry.global_size[d] = source.size();
    geometry.local_size[d] = source.flag()             ? source.byte() % 40
                             : source.byte() % 16 == 0 ? source.size()
                                                       : 0;
    if (source.byte() % 4 == 0) geometry.global_offset[d] = source.size();
  }
  return geometry;
}

void set_options(Source& source, Launch& launch) {
  Limits& limits = launch.limits;
  limits.max_steps = source.byte() % 4 == 0 ? source.size() : source.number(2);
  limits.timeout_seconds = 0.02;  // sizes are any
  limits.max_findings = source.byte() % 8;
  limits.max_memory_bytes =
      source.byte() % 4 == 0 ? std::min(source.size(), kMostBytes) : kMostBytes;
  limits.max_printf_bytes = source.number(2);
  for (const Setting& setting : kSettings) {
    std::vector<std::uint32_t> values = legal_values(setting);
    if (setting.kind == SettingKind::kCount) values.insert(values.end(), {1, 128, 0xffffffff});
    setting.set(launch, values[source.byte() % values.size()]);
  }
  if (source.byte() % 2 != 0) launch.progress = [](std::uint64_t, std::uint64_t) { return true; };
}

void run_bytes(Source& source, const Module& module, const Device& device) {
  const std::vector<KernelInfo>& kernels = module.info().kernels;
  if (kernels.empty()) return;
  const KernelInfo& kernel = kernels[source.byte() % kernels.size()];
  Launch launch(module, kernel.name);
  set_options(source, launch);
  launch.geometry = any_geometry(source, kernel);
  for (const ParameterInfo& parameter : kernel.parameters)
    launch.arguments.push_back(any_argument(source, parameter));
  if (source.byte() % 16 == 0) launch.arguments.pop_back();
  const auto result = device.run(launch);
  if (!result) {
    require(!result.errors().empty() && !format(result.errors()[0]).empty(), "no reason was given");
    return;
  }
  for (const Finding& finding : result->findings)
    require(!format(finding.diagnostic).empty(), "a finding says nothing");
}

/// Neither reads nor writes files, and does not take long.
bool is_harmless(const launch::LaunchPlan& plan) {
  const auto names_file = [](const launch::ValueSpec& value) { return !value.file.empty(); };
  for (const launch::BufferSpec& buffer : plan.buffers)
    if (names_file(buffer.value)) return false;
  for (const launch::Step& step : plan.steps) {
    if (std::holds_alternative<launch::OutputStep>(step)) return false;
    if (const auto* const expect = std::get_if<launch::ExpectBufferStep>(&step))
      if (names_file(expect->value)) return false;
    const auto* const launch = std::get_if<launch::LaunchStep>(&step);
    if (launch == nullptr) continue;
    if (launch->repeat > 2) return false;
    for (const launch::ArgumentSpec& argument : launch->arguments)
      if (names_file(argument.value)) return false;
  }
  return plan.programs.empty() && plan.steps.size() < 20;
}

void run_text(std::string_view text, std::uint8_t form, const Module& module) {
  const auto plan = form % 5 == 0   ? launch::parse_launch_text(text, "fuzz.launch")
                    : form % 5 == 1 ? launch::parse_launch_json(text, "fuzz.json")
                    : form % 5 == 2 ? launch::parse_sim(text, "fuzz.sim")
                    : form % 5 == 3 ? launch::parse_amber(text, "fuzz.amber")
                                    : launch::parse_talvos(text, "fuzz.tcf");
  if (!plan) {
    require(!plan.errors().empty() && !format(plan.errors()[0]).empty(), "no reason was given");
    return;
  }
  if (!is_harmless(*plan)) return;
  launch::RunOverrides overrides;
  overrides.module = module;
  overrides.settings.threads = 1;
  overrides.settings.max_steps = 500;
  overrides.settings.timeout_seconds = 0.02;
  overrides.settings.max_memory_bytes = kMostBytes / 4;
  overrides.settings.max_findings = 5;
  const launch::RunReport report = launch::run_plan(*plan, overrides);
  require(report.exit_code >= 0 && report.exit_code <= 6, "the exit code is none of ours");
  require(
      report.exit_code == 0 || !launch::format_messages(report).empty() || !report.launches.empty(),
      "a run failed without a word");
  cli::format_json(report);
}

}  // namespace

void run_any(const std::uint8_t* data, std::size_t size) {
  Source source(data, size);
  const std::uint8_t what = source.byte();
  const std::size_t number = source.byte();
  if (what % 4 == 3) {
    const std::size_t first = modules().size() - std::size(kData);
    return run_text(source.rest(), what / 4, modules()[first + number % std::size(kData)]);
  }
  run_bytes(source, modules()[number % modules().size()], devices()[what / 4 % devices().size()]);
}

}  // namespace transpire::fuzz
