// Common code of the C interface: handles, error objects, and the guard around every function,
// which lets no exception out. transpire/transpire.h documents the functions.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "transpire/transpire.h"
#include "transpire/transpire.hpp"

namespace transpire::c_api {

/// Owns the targets of pointers in the C structs of one handle. Their addresses do not change.
class Arena {
 public:
  template <class T>
  T& keep(T value) {
    auto kept = std::make_shared<T>(std::move(value));
    kept_.push_back(kept);
    return *kept;
  }
  /// An array of strings that the caller keeps.
  const char* const* strings(const std::vector<std::string>& texts);

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

/// The C struct of a diagnostic, with all its pointers into the arena.
const transpire_diagnostic* diagnostic_in(Arena& arena, const Diagnostic& diagnostic);

/// The module's description, with structs and arrays in the arena and strings in `info`.
const transpire_module_info* module_info_in(Arena& arena, const ModuleInfo& info);

/// The commands that a launch enqueued, with structs and arrays in the arena and strings in
/// `result`.
transpire_children children_in(Arena& arena, const LaunchResult& result);

/// The kernel's index in info().kernels.
Result<std::size_t> find_kernel(const Module& module, const char* name);

/// An error of the calling program. Rule C0040, which decides the status.
Diagnostic invalid(std::string message);

/// A pointer argument that must not be null.
struct Wanted {
  const char* name;
  const void* pointer;
};

/// Makes the error object if one is wanted; returns the status.
transpire_status fail(const char* function, Diagnostics diagnostics,
                      transpire_error** error) noexcept;
/// As fail(), from within a catch block.
transpire_status fail_by_exception(transpire_error** error) noexcept;
Status check_wanted(std::initializer_list<Wanted> wanted);

/// Checks that no required pointer is null, then runs a function's body, which returns a Status.
template <class Body>
transpire_status guarded(const char* function, transpire_error** error,
                         std::initializer_list<Wanted> wanted, const Body& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    Status status = check_wanted(wanted);
    if (status) status = body();
    return status ? TRANSPIRE_OK : fail(function, status.errors(), error);
  } catch (...) {
    return fail_by_exception(error);
  }
}

/// A struct of a later version may be longer, but its unknown members must be zero. Structs of earlier versions are shorter, at least `first` bytes; missing members count as zero.
template <class T>
Result<T> known_struct(const T& given, std::size_t first) {
  constexpr std::size_t kMost = 4096;  // larger sizes mean uninitialised memory
  const std::size_t size = given.struct_size;
  if (size < first || size > kMost)
    return invalid("expected " + std::to_string(sizeof given) + " as 'struct_size', found " +
                   std::to_string(size));
  const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
  for (std::size_t i = sizeof given; i < size; ++i)
    if (bytes[i] != 0)
      return invalid("the options ask for something that only a later version knows");
  T known{};
  std::memcpy(&known, &given, std::min(size, sizeof known));
  return known;
}

/// Sets the results to null until they are made.
template <class T>
void clear(T** made) noexcept {
  if (made != nullptr) *made = nullptr;
}

/// True if memory has so many bytes behind the pointer.
inline Status check_memory(const void* bytes, std::uint64_t size_bytes) {
  if (size_bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(bytes)) return Unit{};
  return invalid(fmt::format("expected bytes that memory has, found {}", size_bytes));
}

/// A string that may be null.
inline std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

}  // namespace transpire::c_api

struct transpire_error {
  transpire_status status = TRANSPIRE_OK;
  const char* text = "";
  std::vector<const transpire_diagnostic*> diagnostics;
  std::string formatted;  ///< behind `text`, where it is not a literal
  transpire::c_api::Arena arena;
};

struct transpire_module {
  transpire::Module module;
  transpire::c_api::Arena arena;
  const transpire_module_info* info = nullptr;
  const std::vector<const transpire_diagnostic*>* compiler_warnings = nullptr;  ///< in the arena
  mutable std::mutex mutex;
  mutable std::string disassembly[2];  ///< without and with offsets; made at the first call
};

struct transpire_buffer {
  transpire::Buffer buffer;
};

struct transpire_shared_memory {
  transpire::SharedMemory memory;
};

struct transpire_device {
  transpire::Device device;
  transpire_device_info info{};
};

struct transpire_launch {
  transpire::Launch launch;
  std::unique_ptr<transpire::Watch> watch{};  ///< Launch::watch
};

namespace transpire::c_api {

/// Sets one argument, by a body that makes it.
template <class Make>
Status set_argument(transpire_launch& handle, std::size_t index, const Make& make) {
  std::vector<Argument>& arguments = handle.launch.arguments;
  if (index >= arguments.size())
    return invalid(fmt::format("kernel '{}' has {} parameters, found an argument of index {}",
                               handle.launch.kernel, arguments.size(), index));
  arguments[index] = make();
  return Unit{};
}

}  // namespace transpire::c_api

struct transpire_result_log {
  transpire::ResultLog log;
  mutable std::mutex mutex;
  mutable std::set<std::string> operations;  ///< names that ranges were handed out with
};

struct transpire_result {
  transpire::LaunchResult result;
  transpire::c_api::Arena arena;
  transpire_result_info info{};
  transpire_children children{};
};

namespace transpire::c_api {

/// Fills in the C structs of a result.
void describe(transpire_result& made);

}  // namespace transpire::c_api
