// Atomics: lane after lane, in lane order.
//
// Worker threads share buffers, so atomics on buffers are sequentially consistent host atomics,
// whatever weaker order the kernel asks for. Workgroup and private memory belong to one worker, so
// plain arithmetic is enough there.
#include "transpire/half.hpp"
#include "vm/exec/access.h"
#include "vm/exec/lane_addresses.h"
#include "vm/simd/lane.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

template <class T>
struct Exchange {
  static T apply(T, T value) { return value; }
};
template <class T>
struct Add {
  static T apply(T old, T value) { return static_cast<T>(old + value); }
};
template <class T>
struct Sub {
  static T apply(T old, T value) { return static_cast<T>(old - value); }
};
template <class T>
struct And {
  static T apply(T old, T value) { return old & value; }
};
template <class T>
struct Or {
  static T apply(T old, T value) { return old | value; }
};
template <class T>
struct Xor {
  static T apply(T old, T value) { return old ^ value; }
};
template <class T>
struct UMin {
  static T apply(T old, T value) { return old < value ? old : value; }
};
template <class T>
struct UMax {
  static T apply(T old, T value) { return old > value ? old : value; }
};
template <class T>
struct SMin {
  static T apply(T old, T value) {
    return static_cast<std::make_signed_t<T>>(old) < static_cast<std::make_signed_t<T>>(value)
               ? old
               : value;
  }
};
template <class T>
struct SMax {
  static T apply(T old, T value) {
    return static_cast<std::make_signed_t<T>>(old) > static_cast<std::make_signed_t<T>>(value)
               ? old
               : value;
  }
};

/// Floats by their bits: T is an integer of the size.
template <class F, class T>
TRANSPIRE_INLINE F as_float(T bits) {
  if constexpr (sizeof(T) == 2)
    return half_to_float(bits);
  else
    return __builtin_bit_cast(F, bits);
}
template <class T, class F>
TRANSPIRE_INLINE T as_bits(F value) {
  if constexpr (sizeof(T) == 2)
    return half_from_float(value);
  else
    return __builtin_bit_cast(T, value);
}
template <class T>
using FloatOf = std::conditional_t<sizeof(T) == 8, double, float>;  // halves go through float

template <class T>
struct FAdd {
  static T apply(T old, T value) {
    using F = FloatOf<T>;
    return as_bits<T, F>(ordered_add(as_float<F>(old), as_float<F>(value)));
  }
};
/// With a NaN and a number: the number.
template <class T>
struct FMin {
  static T apply(T old, T value) {
    const auto a = as_float<FloatOf<T>>(old), b = as_float<FloatOf<T>>(value);
    return b < a || a != a ? value : old;
  }
};
template <class T>
struct FMax {
  static T apply(T old, T value) {
    const auto a = as_float<FloatOf<T>>(old), b = as_float<FloatOf<T>>(value);
    return a < b || a != a ? value : old;
  }
};

/// Read, modify, write of one place that no other thread sees.
template <class T, class F>
TRANSPIRE_INLINE T plain(const HostPlace& place, F change) {
  T old;
  if (!place.is_private) {
    __builtin_memcpy(&old, place.base, sizeof(T));
    const T now = change(old);
    __builtin_memcpy(place.base, &now, sizeof(T));
    return old;
  }
  read_place(place, &old, sizeof(T));
  const T now = change(old);
  write_place(place, &now, sizeof(T));
  return old;
}

template <class T, class F>
TRANSPIRE_INLINE T shared(T* at, F change) {
  T old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, change(old), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  return old;
}

/// The operations that the host has as one instruction.
template <class T, template <class> class Op>
TRANSPIRE_INLINE T shared_op(T* at, T value) {
  if constexpr (__is_same(Op<T>, Exchange<T>))
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
  if constexpr (__is_same(Op<T>, Add<T>)) return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
  if constexpr (__is_same(Op<T>, Sub<T>)) return __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);
  return shared<T>(at, [&](T old) { return Op<T>::apply(old, value); });
}

/// The allocation of the first running lane's address. Usually all lanes have it, so that one
/// comparison finds their places.
struct Common {
  std::uint64_t begin = 0;
  std::uint64_t last = 0;     ///< highest offset of a whole access
  std::byte* host = nullptr;  ///< null: no lane takes the fast path
  bool shared = false;        ///< other threads see it
};

TRANSPIRE_INLINE Common common_allocation(const Batch* batch, const Access& access,
                                          std::uint64_t address, AccessKind kind) {
  Common common;
  const Allocation& a = memory::in_slot(*batch->memory, address);
  const bool writes = kind != AccessKind::kAtomicLoad;
  const bool reads = kind != AccessKind::kAtomicStore;
  if ((reads && !permits<false>(a, access)) || (writes && !permits<true>(a, access)) ||
      !memory::has_room(a, access.bytes))
    return common;
  common.begin = a.begin;
  common.last = memory::last_offset(a, access.bytes);
  common.shared = a.region != Region::kWorkgroup;
  if (is_plain(batch, &a)) common.host = host_of(batch, &a);
  return common;
}

/// Calls on_shared(lane, T*) or on_own(lane, place) for each running lane, on_fault(lane) for those
/// whose access was refused and reported.
template <class T, class Shared, class Own, class Fault>
TRANSPIRE_INLINE void each_place(const Inst* ip, std::byte* r, Batch* batch, AccessKind kind,
                                 Shared on_shared, Own on_own, Fault on_fault) {
  const auto& access = *ip->access;
  const std::uint64_t* address = row<std::uint64_t>(r, ip->a);
  const Common common = common_allocation(batch, access, address[first_lane(batch->mask)], kind);
  // Memory that the host gave may have a smaller alignment than the kernel's addresses.
  const auto visit_shared = [&](std::uint32_t i, std::byte* host) TRANSPIRE_INLINE_LAMBDA {
    if constexpr (!kHasMisalignedAtomics) {
      if ((reinterpret_cast<std::uintptr_t>(host) & (sizeof(T) - 1)) != 0) {
        const MisalignedAtomic alone;
        return on_own(i, HostPlace{.base = host});
      }
    }
    return on_shared(i, reinterpret_cast<T*>(host));
  };
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    const std::uint64_t offset = address[i] - common.begin;
    if (common.host != nullptr && offset <= common.last && (address[i] & access.align_mask) == 0) {
      std::byte* const host = common.host + offset;
      if (common.shared) return visit_shared(i, host);
      return on_own(i, HostPlace{.base = host});
    }
    HostPlace place;
    if (!locate(batch, ip, i, address[i], access, kind, &place)) return on_fault(i);
    if (place.is_private || place.is_workgroup) return on_own(i, place);
    visit_shared(i, place.base);
  });
}

template <class T, template <class> class Op>
const Inst* read_modify_write(const Inst* ip, std::byte* r, Batch* batch) {
  const T* value = row<T>(r, ip->b);
  T* d = row<T>(r, ip->d);
  each_place<T>(
      ip, r, batch, AccessKind::kAtomic,
      [&](std::uint32_t i, T* at) { d[i] = shared_op<T, Op>(at, value[i]); },
      [&](std::uint32_t i, const HostPlace& place) {
        d[i] = plain<T>(place, [&](T old) { return Op<T>::apply(old, value[i]); });
      },
      [&](std::uint32_t i) { d[i] = 0; });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T>
const Inst* compare_exchange(const Inst* ip, std::byte* r, Batch* batch) {
  const T* value = row<T>(r, ip->b);
  const T* comparator = row<T>(r, ip->c);
  T* d = row<T>(r, ip->d);
  each_place<T>(
      ip, r, batch, AccessKind::kAtomic,
      [&](std::uint32_t i, T* at) {
        T expected = comparator[i];
        __atomic_compare_exchange_n(at, &expected, value[i], false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        d[i] = expected;
      },
      [&](std::uint32_t i, const HostPlace& place) {
        d[i] = plain<T>(place, [&](T old) { return old == comparator[i] ? value[i] : old; });
      },
      [&](std::uint32_t i) { d[i] = 0; });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T>
const Inst* atomic_load(const Inst* ip, std::byte* r, Batch* batch) {
  T* d = row<T>(r, ip->d);
  each_place<T>(
      ip, r, batch, AccessKind::kAtomicLoad,
      [&](std::uint32_t i, const T* at) { d[i] = __atomic_load_n(at, __ATOMIC_SEQ_CST); },
      [&](std::uint32_t i, const HostPlace& place) { read_place(place, &d[i], sizeof(T)); },
      [&](std::uint32_t i) { d[i] = 0; });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T, int kOrder>
const Inst* atomic_store(const Inst* ip, std::byte* r, Batch* batch) {
  const T* value = row<T>(r, ip->b);
  each_place<T>(
      ip, r, batch, AccessKind::kAtomicStore,
      [&](std::uint32_t i, T* at) { __atomic_store_n(at, value[i], kOrder); },
      [&](std::uint32_t i, const HostPlace& place) { write_place(place, &value[i], sizeof(T)); },
      [](std::uint32_t) {});
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <template <class> class Change>
struct Modifies {
  template <Kind kKind>
  static constexpr Handler rows = read_modify_write<BitsOf<kKind>, Change>;
};

struct AtomicLoad {
  template <Kind kKind>
  static constexpr Handler rows = atomic_load<BitsOf<kKind>>;
};
struct AtomicStore {
  template <Kind kKind>
  static constexpr Handler rows = atomic_store<BitsOf<kKind>, __ATOMIC_SEQ_CST>;
};
struct AtomicStoreRelease {
  template <Kind kKind>
  static constexpr Handler rows = atomic_store<BitsOf<kKind>, __ATOMIC_RELEASE>;
};
struct AtomicCompareExchange {
  template <Kind kKind>
  static constexpr Handler rows = compare_exchange<BitsOf<kKind>>;
};
struct AtomicExchange : Modifies<Exchange> {};
struct AtomicIAdd : Modifies<Add> {};
struct AtomicISub : Modifies<Sub> {};
struct AtomicSMin : Modifies<SMin> {};
struct AtomicUMin : Modifies<UMin> {};
struct AtomicSMax : Modifies<SMax> {};
struct AtomicUMax : Modifies<UMax> {};
struct AtomicAnd : Modifies<And> {};
struct AtomicOr : Modifies<Or> {};
struct AtomicXor : Modifies<Xor> {};
struct AtomicFAdd : Modifies<FAdd> {};
struct AtomicFMin : Modifies<FMin> {};
struct AtomicFMax : Modifies<FMax> {};

}  // namespace

void fill_atomic(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/atomic.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
