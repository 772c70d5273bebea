// scalar_arch: an architecture for xsimd's batches that is made of the compiler's own vectors of 16 bytes, which
// every machine has: as instructions where it has some, else lane by lane. xsimd 8.1 has no such architecture.
//
// Stands in xsimd's namespace (vm/simd/batch.h names it), and in front of it: the operators of a batch call the
// kernels that are known where they are defined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <xsimd/types/xsimd_generic_arch.hpp>
#include <xsimd/types/xsimd_register.hpp>

namespace xsimd {

template <class T, class A>
class batch;
template <class T, class A>
class batch_bool;

struct scalar_arch : generic {
  static constexpr bool requires_alignment() noexcept { return true; }
  static constexpr std::size_t alignment() noexcept { return 16; }
  static constexpr unsigned version() noexcept { return 0; }
  static constexpr char const* name() noexcept { return "scalar"; }
};

namespace types {

template <class T>
struct simd_register<T, scalar_arch> {
  typedef T register_type __attribute__((vector_size(16), may_alias));
  register_type data;
  operator register_type() const noexcept { return data; }
};
template <class T>
struct has_simd_register<T, scalar_arch> : std::true_type {};

}  // namespace types

namespace kernel {

template <class T>
using scalar_register = typename types::simd_register<T, scalar_arch>::register_type;

/// As unsigned lanes, for what has no floats.
template <class T>
using scalar_bits = scalar_register<std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>>;

template <class A, class T>
inline batch<T, A> broadcast(T value, requires_arch<scalar_arch>) noexcept {
  return scalar_register<T>{} + value;
}
template <class A>
inline batch<float, A> broadcast(float value, requires_arch<scalar_arch>) noexcept {
  return scalar_register<float>{value, value, value, value};
}
template <class A>
inline batch<double, A> broadcast(double value, requires_arch<scalar_arch>) noexcept {
  return scalar_register<double>{value, value};
}
template <class A, class T, class... Values>
inline batch_bool<T, A> set(batch_bool<T, A> const&, requires_arch<scalar_arch>,
                            Values... values) noexcept {
  return (scalar_register<T>)scalar_bits<T>{
      static_cast<std::remove_reference_t<decltype(scalar_bits<T>{}[0])>>(values ? -1 : 0)...};
}

template <class A, class T>
inline batch<T, A> load_aligned(T const* from, convert<T>, requires_arch<scalar_arch>) noexcept {
  return *reinterpret_cast<const scalar_register<T>*>(from);
}
template <class A, class T>
inline void store_aligned(T* to, batch<T, A> const& self, requires_arch<scalar_arch>) noexcept {
  *reinterpret_cast<scalar_register<T>*>(to) = self.data;
}

// xsimd's headers name these of whatever architecture, and have them where they know one of the machine's. Nothing here
// uses them.
#if defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
#define TRANSPIRE_KERNEL(name)   \
  template <class A, class... T> \
  void name(T const&...) = delete;
TRANSPIRE_KERNEL(load_unaligned)
TRANSPIRE_KERNEL(store_unaligned)
TRANSPIRE_KERNEL(bitwise_andnot)
TRANSPIRE_KERNEL(bool_cast)
TRANSPIRE_KERNEL(gather)
TRANSPIRE_KERNEL(haddp)
TRANSPIRE_KERNEL(load_complex_aligned)
TRANSPIRE_KERNEL(load_complex_unaligned)
TRANSPIRE_KERNEL(max)
TRANSPIRE_KERNEL(min)
TRANSPIRE_KERNEL(neg)
TRANSPIRE_KERNEL(rsqrt)
TRANSPIRE_KERNEL(sadd)
TRANSPIRE_KERNEL(scatter)
TRANSPIRE_KERNEL(ssub)
TRANSPIRE_KERNEL(store)
TRANSPIRE_KERNEL(store_complex_aligned)
TRANSPIRE_KERNEL(store_complex_unaligned)
TRANSPIRE_KERNEL(zip_hi)
TRANSPIRE_KERNEL(zip_lo)
#undef TRANSPIRE_KERNEL
#endif

#define TRANSPIRE_KERNEL(name, op)                                           \
  template <class A, class T>                                                \
  inline batch<T, A> name(batch<T, A> const& self, batch<T, A> const& other, \
                          requires_arch<scalar_arch>) noexcept {             \
    return self.data op other.data;                                          \
  }
TRANSPIRE_KERNEL(add, +)
TRANSPIRE_KERNEL(sub, -)
TRANSPIRE_KERNEL(mul, *)
TRANSPIRE_KERNEL(div, /)
#undef TRANSPIRE_KERNEL

#define TRANSPIRE_KERNEL(name, op)                                                          \
  template <class A, class T>                                                               \
  inline batch<T, A> name(batch<T, A> const& self, batch<T, A> const& other,                \
                          requires_arch<scalar_arch>) noexcept {                            \
    return (scalar_register<T>)((scalar_bits<T>)self.data op(scalar_bits<T>) other.data);   \
  }                                                                                         \
  template <class A, class T>                                                               \
  inline batch_bool<T, A> name(batch_bool<T, A> const& self, batch_bool<T, A> const& other, \
                               requires_arch<scalar_arch>) noexcept {                       \
    return (scalar_register<T>)((scalar_bits<T>)self.data op(scalar_bits<T>) other.data);   \
  }
TRANSPIRE_KERNEL(bitwise_and, &)
TRANSPIRE_KERNEL(bitwise_or, |)
TRANSPIRE_KERNEL(bitwise_xor, ^)
#undef TRANSPIRE_KERNEL

template <class A, class T>
inline batch<T, A> bitwise_not(batch<T, A> const& self, requires_arch<scalar_arch>) noexcept {
  return (scalar_register<T>)~(scalar_bits<T>)self.data;
}
template <class A, class T>
inline batch_bool<T, A> bitwise_not(batch_bool<T, A> const& self,
                                    requires_arch<scalar_arch>) noexcept {
  return (scalar_register<T>)~(scalar_bits<T>)self.data;
}
template <class A, class T>
inline batch<T, A> bitwise_lshift(batch<T, A> const& self, std::int32_t by,
                                  requires_arch<scalar_arch>) noexcept {
  return self.data << by;
}
template <class A, class T>
inline batch<T, A> bitwise_rshift(batch<T, A> const& self, std::int32_t by,
                                  requires_arch<scalar_arch>) noexcept {
  return self.data >> by;
}

#define TRANSPIRE_KERNEL(name, op)                                                \
  template <class A, class T>                                                     \
  inline batch_bool<T, A> name(batch<T, A> const& self, batch<T, A> const& other, \
                               requires_arch<scalar_arch>) noexcept {             \
    return (scalar_register<T>)(self.data op other.data);                         \
  }
TRANSPIRE_KERNEL(eq, ==)
TRANSPIRE_KERNEL(neq, !=)
TRANSPIRE_KERNEL(lt, <)
TRANSPIRE_KERNEL(le, <=)
TRANSPIRE_KERNEL(gt, >)
TRANSPIRE_KERNEL(ge, >=)
#undef TRANSPIRE_KERNEL

template <class A, class T>
inline batch_bool<T, A> isnan(batch<T, A> const& self, requires_arch<scalar_arch>) noexcept {
  return (scalar_register<T>)(self.data != self.data);
}
template <class A, class T>
inline bool any(batch_bool<T, A> const& self, requires_arch<scalar_arch>) noexcept {
  const auto words = (scalar_register<std::uint64_t>)self.data;
  return (words[0] | words[1]) != 0;
}
template <class A, class T>
inline bool all(batch_bool<T, A> const& self, requires_arch<scalar_arch>) noexcept {
  const auto words = (scalar_register<std::uint64_t>)self.data;
  return (words[0] & words[1]) == ~std::uint64_t{0};
}
template <class A, class T>
inline batch<T, A> select(batch_bool<T, A> const& mask, batch<T, A> const& yes,
                          batch<T, A> const& no, requires_arch<scalar_arch>) noexcept {
  const auto bits = (scalar_bits<T>)mask.data;
  return (scalar_register<T>)((bits & (scalar_bits<T>)yes.data) |
                              (~bits & (scalar_bits<T>)no.data));
}

template <class A, class T, class To>
inline batch<To, A> bitwise_cast(batch<T, A> const& self, batch<To, A> const&,
                                 requires_arch<scalar_arch>) noexcept {
  return (scalar_register<To>)self.data;
}
template <class A, class T, class To>
inline batch<To, A> batch_cast(batch<T, A> const& self, batch<To, A> const&,
                               requires_arch<scalar_arch>) noexcept {
  return __builtin_convertvector(self.data, scalar_register<To>);
}

}  // namespace kernel
}  // namespace xsimd
