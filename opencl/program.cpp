// Program objects: made from source, IL and binaries.
#include "opencl/program.h"

#include <algorithm>
#include <cstring>

#include "opencl/api.h"
#include "opencl/platform.h"

using namespace transpire::opencl;

_cl_program::~_cl_program() {
  while (!release_callbacks.empty()) {
    const std::function<void()> callback = std::move(release_callbacks.back());
    release_callbacks.pop_back();
    callback();
  }
}

namespace transpire::opencl {
namespace {

using Origin = _cl_program::Origin;

bool is_spirv(std::span<const std::byte> bytes) {
  constexpr std::uint32_t kMagic = 0x07230203, kSwapped = 0x03022307;
  std::uint32_t first = 0;
  if (bytes.size() >= sizeof first) std::memcpy(&first, bytes.data(), sizeof first);
  return first == kMagic || first == kSwapped;
}

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
  // A length may count a closing zero.
  while (!source.empty() && source.back() == '\0') source.pop_back();
  auto* const program = new _cl_program(context, Origin::kSource);
  program->devices = context.devices;
  program->source = std::move(source);
  return program;
}

cl_program create_with_il(_cl_context& context, const void* il, std::size_t length) {
  check(il != nullptr && length != 0, CL_INVALID_VALUE);
  const std::span bytes(static_cast<const std::byte*>(il), length);
  check(is_spirv(bytes), CL_INVALID_VALUE);
  LoadOptions options;
  options.name = "<il>";
  Result<Module> module = Module::load(bytes, options);
  if (!module) {
    context.report("clCreateProgramWithIL: " + format_all(module.errors()));
    throw ApiError{CL_INVALID_VALUE};
  }
  auto* const program = new _cl_program(context, Origin::kIl);
  program->devices = context.devices;
  program->il.assign(bytes.begin(), bytes.end());
  program->loaded = *std::move(module);
  return program;
}

/// Loads what a binary holds; nothing when that is no program.
std::optional<Module> load_binary(const _cl_context& context, const Binary& binary) {
  if (!is_binary_type(binary.type) || !is_spirv(binary.module)) return std::nullopt;
  LoadOptions options;
  options.name = "<binary>";
  Result<Module> module = Module::load(binary.module, options);
  if (module) return *std::move(module);
  context.report("clCreateProgramWithBinary: " + format_all(module.errors()));
  return std::nullopt;
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

/// All devices run the same module: the first device's.
cl_program create_with_binary(_cl_context& context, const cl_device_id* devices,
                              const BinaryList& list) {
  check_devices(context, list.count, devices);
  check(list.lengths != nullptr && list.binaries != nullptr, CL_INVALID_VALUE);
  std::optional<Module> first;
  Binary first_binary{};
  cl_int error = CL_SUCCESS;
  const auto note = [&](cl_uint i, cl_int status) {
    if (list.status != nullptr) list.status[i] = status;
    if (error == CL_SUCCESS) error = status;
  };
  for (cl_uint i = 0; i < list.count; ++i) {
    if (list.lengths[i] == 0 || list.binaries[i] == nullptr) {
      note(i, CL_INVALID_VALUE);
      continue;
    }
    const auto* const bytes = reinterpret_cast<const std::byte*>(list.binaries[i]);
    const Binary binary = read_binary({bytes, list.lengths[i]});
    std::optional<Module> module = load_binary(context, binary);
    note(i, module ? CL_SUCCESS : CL_INVALID_BINARY);
    if (i != 0 || !module) continue;
    first = std::move(module);
    first_binary = binary;
  }
  check(error == CL_SUCCESS, error);
  auto* const program = new _cl_program(context, Origin::kBinary);
  for (cl_uint i = 0; i < list.count; ++i) program->devices.emplace_back(devices[i]);
  program->loaded = std::move(first);
  program->module_bytes.assign(first_binary.module.begin(), first_binary.module.end());
  program->build.binary_type = first_binary.type;
  return program;
}

void set_spec_constant(_cl_program& program, cl_uint id, std::size_t size, const void* value) {
  check(program.origin == Origin::kIl, CL_INVALID_PROGRAM);
  const auto& constants = program.loaded->info().spec_constants;
  const auto constant = std::find_if(constants.begin(), constants.end(),
                                     [id](const auto& c) { return c.spec_id == id; });
  check(constant != constants.end(), CL_INVALID_SPEC_ID);
  // A boolean is a cl_uchar or, of older hosts, a cl_bool.
  const bool is_bool = constant->type.kind == TypeInfo::Kind::kBool;
  const bool fits = is_bool ? size == 1 || size == 4 : size == constant->type.size_bytes;
  std::uint64_t bits = 0;
  check(value != nullptr && fits && size <= sizeof bits, CL_INVALID_VALUE);
  std::memcpy(&bits, value, size);
  const std::lock_guard lock(program.mutex);
  program.spec_constants[id] = bits;
}

}  // namespace

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

/// There are no built-in kernels: every name is unknown.
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
