// Helpers for entry points. An entry point checks in the specification's order; a failed check
// throws an error code, which guarded() or guarded_create() returns.
//
//   cl_int CL_API_CALL clRetainEvent(cl_event event) {
//     return guarded([&] {
//       check_object(event, CL_INVALID_EVENT);
//       event->retain();
//     });
//   }
//
//   cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
//     return guarded_create<cl_event>(errcode_ret, [&] { ... return event; });
//   }
#pragma once

#include <CL/cl_icd.h>

#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace transpire::opencl {

/// An error of the API on its way to the caller.
struct ApiError {
  cl_int code;
};

inline void check(bool condition, cl_int error) {
  if (!condition) throw ApiError{error};
}

/// Throws `error` if the handle is null, another kind of object, or a deleted one.
template <class Handle>
void check_object(Handle handle, cl_int error) {
  check(handle != nullptr && handle->is_valid(), error);
}

/// Sum of numbers that the application or its module chose; 2^64 - 1, beyond every limit, if it
/// overflows.
inline cl_ulong saturating_sum(cl_ulong a, cl_ulong b) {
  cl_ulong sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? ~cl_ulong{0} : sum;
}

/// Runs the body of an entry point that returns an error code.
template <class Body>
cl_int guarded(Body&& body) noexcept {
  try {
    body();
    return CL_SUCCESS;
  } catch (const ApiError& error) {
    return error.code;
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  } catch (...) {
    return CL_OUT_OF_RESOURCES;
  }
}

/// Runs the body of an entry point that returns an object or a pointer; null when it fails.
template <class Handle, class Body>
Handle guarded_create(cl_int* errcode_ret, Body&& body) noexcept {
  Handle handle = nullptr;
  const cl_int code = guarded([&] { handle = body(); });
  if (errcode_ret != nullptr) *errcode_ret = code;
  return handle;
}

// ---- Answers to clGet...Info -------------------------------------------------------------------

/// The place where a clGet...Info call wants its answer. Each `give` throws CL_INVALID_VALUE if the
/// caller gave room for fewer than `size` bytes.
struct Answer {
  std::size_t size = 0;
  void* value = nullptr;
  std::size_t* size_ret = nullptr;

  void give_bytes(const void* bytes, std::size_t bytes_size) const {
    if (value != nullptr) {
      check(size >= bytes_size, CL_INVALID_VALUE);
      if (bytes_size != 0) std::memcpy(value, bytes, bytes_size);
    }
    if (size_ret != nullptr) *size_ret = bytes_size;
  }
  template <class T>
  void give(const T& answer) const {
    static_assert(std::is_trivially_copyable_v<T>);
    give_bytes(&answer, sizeof answer);
  }
  template <class T>
  void give_list(const std::vector<T>& list) const {
    give_bytes(list.data(), list.size() * sizeof(T));
  }
  /// With its closing zero.
  void give_text(std::string_view text) const {
    const std::string closed(text);
    give_bytes(closed.c_str(), closed.size() + 1);
  }
};

/// Reads a list of properties that ends with 0. Returns an empty list for null, else all words with
/// the closing 0, as clGet...Info returns them.
template <class T>
std::vector<T> property_list(const T* properties) {
  std::vector<T> list;
  if (properties == nullptr) return list;
  for (; *properties != 0; properties += 2) list.insert(list.end(), {properties[0], properties[1]});
  list.push_back(0);
  return list;
}

}  // namespace transpire::opencl
