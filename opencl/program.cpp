// Program objects: made from source, IL and binaries.
#include "opencl/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/content.h"
#include "base/rule.h"
#include "base/spirv_words.h"
#include "opencl/entry_point.h"
#include "opencl/interrupt.h"
#include "opencl/platform.h"
#include "opencl/report.h"

using namespace transpire::opencl;

static std::string next_name(_cl_program::Origin origin) {
  static constexpr std::array kWords{"source", "il", "binary", "linked"};
  static std::array<std::atomic<unsigned>, kWords.size()> made{};
  const auto kind = static_cast<std::size_t>(origin);
  return fmt::format("<{} {}>", kWords[kind], ++made[kind]);
}

_cl_program::_cl_program(_cl_context& in, Origin from)
    : context(&in), origin(from), name(next_name(from)) {}

/// Runs finalizers, then the callbacks. Nothing that could launch the program's kernels exists any
/// more.
_cl_program::~_cl_program() {
  for (const auto& device : devices) {
    const Image& image = images[image_number(device.get())];
    if (!image.module || !has_kernel(image.module->info(), &transpire::KernelInfo::is_finalizer))
      continue;
    transpire::Launch launch(*image.module, "");
    configure(launch);
    make_interruptible(launch);
    const Interruptible turn(launch, interrupts());
    if (!turn.may_run()) continue;
    const auto result = device->device.finish(launch);
    constexpr const char* kCall = "the end of a program";
    if (!result)
      report(result.errors(), kCall);
    else if (!result->findings.empty() || !result->printf_output.empty())
      report(*result, kCall);
  }
  while (!release_callbacks.empty()) {
    const std::function<void()> callback = std::move(release_callbacks.back());
    release_callbacks.pop_back();
    callback();
  }
}

std::size_t _cl_program::image_number(const _cl_device_id* device) const {
  for (std::size_t i = 0; i < image_numbers.size(); ++i)
    if (devices[i].get() == device) return image_numbers[i];
  return 0;
}

namespace transpire::opencl {

bool has_kernel(const ModuleInfo& module, bool KernelInfo::*which) {
  return std::any_of(module.kernels.begin(), module.kernels.end(),
                     [which](const KernelInfo& kernel) { return kernel.*which; });
}

namespace {

using Origin = _cl_program::Origin;

bool is_binary_type(cl_program_binary_type type) {
  return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
         type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

cl_program create_with_source(_cl_context& context, cl_uint count, const char** strings,
                              const std::size_t* lengths) {
  check(count != 0 && strings != nullptr, CL_INVALID_VALUE);
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    check(strings[i] != nullptr, CL_INVALID_VALUE);
    const bool measured = lengths != nullptr && lengths[i] != 0;
    source.append(strings[i], measured ? lengths[i] : std::strlen(strings[i]));
  }
  // The length may include a closing zero.
  while (!source.empty() && source.back() == '\0') source.pop_back();
  auto* const program = new _cl_program(context, Origin::kSource);
  program->devices = context.devices;
  program->source = std::move(source);
  return program;
}

/// An error that names the form of bytes that are no SPIR-V words. Assembly is refused, because
/// other drivers take words only.
Diagnostics no_il(std::span<const std::byte> bytes) {
  if (const auto foreign = foreign_content(bytes, "<il>")) return {*foreign};
  Diagnostic error = make_diagnostic(
      Rule::kD0002, "expected words of SPIR-V, which begin with the magic number 0x07230203");
  error.input = "<il>";
  error.help = "`spirv-as` makes words of assembly text";
  return {error};
}

cl_program create_with_il(_cl_context& context, const void* il, std::size_t length) {
  check(il != nullptr && length != 0, CL_INVALID_VALUE);
  const std::span bytes(static_cast<const std::byte*>(il), length);
  LoadOptions options;
  options.name = "<il>";
  Result<Module> module = is_spirv(bytes) ? Module::load(bytes, options) : no_il(bytes);
  if (!module) {
    context.report_refusal("clCreateProgramWithIL: " + format_all(module.errors()));
    throw ApiError{CL_INVALID_VALUE};
  }
  auto* const program = new _cl_program(context, Origin::kIl);
  program->devices = context.devices;
  program->il.assign(bytes.begin(), bytes.end());
  program->images[0].loaded = *std::move(module);
  return program;
}

/// Loads the module in a binary; none if it is no program.
std::optional<Image> load_binary(const _cl_context& context, std::span<const std::byte> bytes) {
  const Binary binary = read_binary(bytes);
  if (!is_binary_type(binary.type) || !is_spirv(binary.module)) return std::nullopt;
  LoadOptions options;
  options.name = "<binary>";
  Result<Module> module = Module::load(binary.module, options);
  if (!module) {
    context.report_refusal("clCreateProgramWithBinary: " + format_all(module.errors()));
    return std::nullopt;
  }
  Image image;
  image.loaded = *std::move(module);
  image.module_bytes.assign(binary.module.begin(), binary.module.end());
  image.binary_type = binary.type;
  return image;
}

void check_devices(const _cl_context& context, cl_uint num_devices, const cl_device_id* devices) {
  check(num_devices != 0 && devices != nullptr, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; ++i) check(context.has(devices[i]), CL_INVALID_DEVICE);
}

struct BinaryList {
  cl_uint count;
  const std::size_t* lengths;
  const unsigned char** binaries;
  cl_int* status;
};

/// The images of a list of binaries, and the image of each device. Devices with equal bytes share
/// an image.
struct LoadedBinaries {
  std::vector<Image> images;
  std::vector<std::optional<std::size_t>> numbers;  ///< by device; none: the binary is no program
};

bool is_same(const BinaryList& list, cl_uint a, cl_uint b) {
  return list.lengths[a] == list.lengths[b] && list.binaries[a] != nullptr &&
         std::memcmp(list.binaries[a], list.binaries[b], list.lengths[a]) == 0;
}

cl_int load_next(const _cl_context& context, const BinaryList& list, LoadedBinaries& loaded) {
  const auto i = static_cast<cl_uint>(loaded.numbers.size());
  std::optional<std::size_t>& number = loaded.numbers.emplace_back();
  if (list.lengths[i] == 0 || list.binaries[i] == nullptr) return CL_INVALID_VALUE;
  cl_uint same = 0;
  while (!is_same(list, same, i)) ++same;
  if (same != i) {
    number = loaded.numbers[same];
    return number ? CL_SUCCESS : CL_INVALID_BINARY;
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(list.binaries[i]);
  std::optional<Image> image = load_binary(context, {bytes, list.lengths[i]});
  if (!image) return CL_INVALID_BINARY;
  number = loaded.images.size();
  loaded.images.push_back(*std::move(image));
  return CL_SUCCESS;
}

cl_program create_with_binary(_cl_context& context, const cl_device_id* devices,
                              const BinaryList& list) {
  check_devices(context, list.count, devices);
  check(list.lengths != nullptr && list.binaries != nullptr, CL_INVALID_VALUE);
  LoadedBinaries loaded;
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < list.count; ++i) {
    const cl_int status = load_next(context, list, loaded);
    if (list.status != nullptr) list.status[i] = status;
    if (error == CL_SUCCESS) error = status;
  }
  check(error == CL_SUCCESS, error);
  auto* const program = new _cl_program(context, Origin::kBinary);
  for (cl_uint i = 0; i < list.count; ++i) {
    program->devices.emplace_back(devices[i]);
    program->image_numbers.push_back(*loaded.numbers[i]);
  }
  program->images = std::move(loaded.images);
  for (Image& image : program->images)
    image.told_bytes = named_after(image.module_bytes, program->name);
  return program;
}

void set_spec_constant(_cl_program& program, cl_uint id, std::size_t size, const void* value) {
  check(program.origin == Origin::kIl, CL_INVALID_PROGRAM);
  const std::lock_guard lock(program.mutex);  // a build changes the image
  const auto& constants = program.images[0].loaded->info().spec_constants;
  const auto constant = std::find_if(constants.begin(), constants.end(),
                                     [id](const auto& c) { return c.spec_id == id; });
  check(constant != constants.end(), CL_INVALID_SPEC_ID);
  // A boolean is a cl_uchar, or a cl_bool from older hosts.
  const bool is_bool = constant->type.kind == TypeInfo::Kind::kBool;
  const bool fits = is_bool ? size == 1 || size == 4 : size == constant->type.size_bytes;
  std::uint64_t bits = 0;
  check(value != nullptr && fits && size <= sizeof bits, CL_INVALID_VALUE);
  std::memcpy(&bits, value, size);
  program.spec_constants[id] = bits;
}

}  // namespace

namespace {

bool have_same_parameters(const KernelInfo& a, const KernelInfo& b) {
  const auto are_same = [](const ParameterInfo& x, const ParameterInfo& y) {
    return x.type.spelling == y.type.spelling && x.type.size_bytes == y.type.size_bytes &&
           x.type.address_space == y.type.address_space && x.by_value_struct == y.by_value_struct;
  };
  return std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                    b.parameters.end(), are_same);
}

/// By image; all null if no executable has a kernel of that name. Kernels that the compiler made of
/// blocks do not count, because the source does not declare them.
std::vector<const KernelInfo*> infos_of(const _cl_program& program, const std::string& name) {
  std::vector<const KernelInfo*> infos;
  for (const Image& image : program.images) {
    const KernelInfo* const info = image.module ? image.module->kernel(name) : nullptr;
    infos.push_back(info != nullptr && !info->is_enqueued ? info : nullptr);
  }
  return infos;
}

/// True if all executables have the kernel, with the same parameters.
bool agree(const _cl_program& program, const std::vector<const KernelInfo*>& infos) {
  const KernelInfo* first = nullptr;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (!program.images[i].module) continue;
    if (infos[i] == nullptr) return false;
    if (first == nullptr) first = infos[i];
    if (!have_same_parameters(*first, *infos[i])) return false;
  }
  return first != nullptr;
}

}  // namespace

std::vector<const KernelInfo*> find_kernel(const _cl_program& program, const std::string& name) {
  std::vector<const KernelInfo*> infos = infos_of(program, name);
  const auto is_there = [](const KernelInfo* info) { return info != nullptr; };
  check(std::any_of(infos.begin(), infos.end(), is_there), CL_INVALID_KERNEL_NAME);
  check(agree(program, infos), CL_INVALID_KERNEL_DEFINITION);
  return infos;
}

std::vector<std::string> kernel_names(const _cl_program& program) {
  const auto has_module = [](const Image& image) { return image.module.has_value(); };
  const auto first = std::find_if(program.images.begin(), program.images.end(), has_module);
  std::vector<std::string> names;
  if (first == program.images.end()) return names;
  for (const KernelInfo& info : first->module->info().kernels) {
    const bool refused =
        std::any_of(program.images.begin(), program.images.end(),
                    [&](const Image& image) { return image.refusals.contains(info.name); });
    if (!refused && agree(program, infos_of(program, info.name))) names.push_back(info.name);
  }
  return names;
}

std::string format_all(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += format(diagnostic);
  return text;
}

}  // namespace transpire::opencl

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char** strings, const std::size_t* lengths,
                                                 cl_int* errcode_ret) {
  return guarded_create<cl_program>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    return create_with_source(*context, count, strings, lengths);
  });
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void* il, std::size_t length,
                                             cl_int* errcode_ret) {
  return guarded_create<cl_program>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    return create_with_il(*context, il, length);
  });
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                 const cl_device_id* device_list,
                                                 const std::size_t* lengths,
                                                 const unsigned char** binaries,
                                                 cl_int* binary_status, cl_int* errcode_ret) {
  return guarded_create<cl_program>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    return create_with_binary(*context, device_list,
                              {num_devices, lengths, binaries, binary_status});
  });
}

/// There are no built-in kernels, so every name is unknown.
cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id* device_list,
                                                         const char*, cl_int* errcode_ret) {
  return guarded_create<cl_program>(errcode_ret, [&]() -> cl_program {
    check_object(context, CL_INVALID_CONTEXT);
    check_devices(*context, num_devices, device_list);
    throw ApiError{CL_INVALID_VALUE};
  });
}

cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return guarded([&] {
    check_object(program, CL_INVALID_PROGRAM);
    program->retain();
  });
}

cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return guarded([&] {
    check_object(program, CL_INVALID_PROGRAM);
    program->release();
  });
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                               void(CL_CALLBACK* callback)(cl_program, void*),
                                               void* user_data) {
  return guarded([&] {
    check_object(program, CL_INVALID_PROGRAM);
    check(callback != nullptr, CL_INVALID_VALUE);
    // OpenCL 3.0 ties the call to programs' clean-up kernels, which the device does not have.
    check(environment().version < CL_MAKE_VERSION(3, 0, 0), CL_INVALID_OPERATION);
    const std::lock_guard lock(program->mutex);
    program->release_callbacks.emplace_back([=] { callback(program, user_data); });
  });
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                      std::size_t spec_size,
                                                      const void* spec_value) {
  return guarded([&] {
    check_object(program, CL_INVALID_PROGRAM);
    set_spec_constant(*program, spec_id, spec_size, spec_value);
  });
}
