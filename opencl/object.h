// The base of all API objects: the dispatch table that the ICD loader reads, and two counts.
//
//   references  the application's: clRetain..., clRelease...; returned as CL_..._REFERENCE_COUNT
//   holders     all references together are one, and each Ref in the driver is one
//
// At 0 references the application may no longer use the object; at 0 holders it is deleted. Objects
// may therefore be released in any order, by any thread.
#pragma once

#include <CL/cl_icd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace transpire::opencl {

/// The functions of this driver, in the order of the ICD loader's table.
extern const cl_icd_dispatch kDispatch;

/// Tells different kinds of objects apart, and live ones from deleted ones.
enum class Kind : std::uint32_t {
  kDeleted = 0,
  kPlatform = 0x54520001,
  kDevice,
  kContext,
  kQueue,
  kMemory,
  kProgram,
  kKernel,
  kEvent,
  kSampler,
};

/// Base of an API object. `Derived` is the handle's struct, final. No virtual functions: the first
/// word must be the dispatch table.
template <class Derived, Kind kKind>
class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  bool is_valid() const {
    return kind_.load(std::memory_order_relaxed) == kKind && references() != 0;
  }
  cl_uint references() const { return references_.load(std::memory_order_relaxed); }

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  /// Returns false if the application has no reference any more. The caller makes sure that the
  /// object is not deleted meanwhile.
  bool try_retain() { return increment_unless_0(references_); }
  /// Returns true if this was the last reference. The object may be deleted afterwards.
  bool release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
    drop();
    return true;
  }

  void hold() { holders_.fetch_add(1, std::memory_order_relaxed); }
  /// Returns false if nobody holds the object any more. For Weak.
  bool try_hold() { return increment_unless_0(holders_); }
  void drop() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<Derived*>(this);
  }

 protected:
  Object() : dispatch_(&kDispatch) {}
  ~Object() { kind_.store(Kind::kDeleted, std::memory_order_relaxed); }

 private:
  static bool increment_unless_0(std::atomic<cl_uint>& count) {
    cl_uint now = count.load(std::memory_order_relaxed);
    while (now != 0)
      if (count.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) return true;
    return false;
  }

  const cl_icd_dispatch* const dispatch_;  // must come first: the loader reads it
  std::atomic<Kind> kind_{kKind};
  std::atomic<cl_uint> references_{1};
  std::atomic<cl_uint> holders_{1};
};

/// A holder of an API object.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) object_->hold();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) object_->drop();
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

/// Shared by an object and its Weaks. The object owns it, and clears it first of all in its
/// destructor.
template <class T>
class Anchor {
 public:
  explicit Anchor(T* object) : object_(object) {}
  void clear() {
    const std::lock_guard lock(mutex_);
    object_ = nullptr;
  }
  Ref<T> lock() {
    const std::lock_guard lock(mutex_);
    if (object_ == nullptr || !object_->try_hold()) return nullptr;
    Ref<T> held(object_);
    object_->drop();  // not the last holder
    return held;
  }

 private:
  std::mutex mutex_;
  T* object_;
};

/// Names an object without holding it.
template <class T>
class Weak {
 public:
  Weak() = default;
  explicit Weak(const T& object) : anchor_(object.anchor) {}
  bool names_something() const { return anchor_ != nullptr; }
  /// Null if the object is deleted.
  Ref<T> lock() const { return anchor_ == nullptr ? Ref<T>() : anchor_->lock(); }

 private:
  std::shared_ptr<Anchor<T>> anchor_;
};

}  // namespace transpire::opencl
