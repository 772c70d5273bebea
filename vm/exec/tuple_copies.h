// Copies between rows and arrays of tuples: takes the first n of every K consecutive elements apart
// into rows, and puts K rows together, with shuffles of whole vectors.
#pragma once

#include <utility>

#include "vm/exec/handlers.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// Tuples of K elements of T, K being 3 or a power of two.
template <class T, std::uint32_t kTuple>
struct Tuples {
  /// Bytes and words of wider vectors move freely in 16 bytes only.
  static constexpr std::uint32_t kPieceBytes = kTuple == 3 && sizeof(T) < 4 ? 16 : kVectorBytes;
  static constexpr std::uint32_t kStep = kPieceBytes / sizeof(T);  ///< lanes at once
  static constexpr std::uint32_t kBytes = kTuple * sizeof(T);
  typedef T V __attribute__((vector_size(kPieceBytes), may_alias));
  /// In memory. Not by memcpy: g++ moves 16 bytes of those through general registers.
  typedef T Unaligned __attribute__((vector_size(kPieceBytes), may_alias, aligned(1)));
  static TRANSPIRE_INLINE V read(const void* from) { return *static_cast<const Unaligned*>(from); }
  static TRANSPIRE_INLINE void write(void* to, V v) { *static_cast<Unaligned*>(to) = v; }

  /// Lane i of the result is lane f(i) of a, or of b after them.
  template <class F>
  static TRANSPIRE_INLINE V shuffle(V a, V b, F) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) TRANSPIRE_INLINE_LAMBDA {
      return __builtin_shufflevector(a, b, static_cast<int>(F{}(static_cast<std::uint32_t>(i)))...);
    }
    (std::make_index_sequence<kStep>{});
  }
  static TRANSPIRE_INLINE V evens(V a, V b) {
    return shuffle(a, b, [](std::uint32_t i) { return 2 * i; });
  }
  static TRANSPIRE_INLINE V odds(V a, V b) {
    return shuffle(a, b, [](std::uint32_t i) { return 2 * i + 1; });
  }
  static TRANSPIRE_INLINE V zip_low(V a, V b) {
    return shuffle(a, b, [](std::uint32_t i) { return i / 2 + i % 2 * kStep; });
  }
  static TRANSPIRE_INLINE V zip_high(V a, V b) {
    return shuffle(a, b, [](std::uint32_t i) { return kStep / 2 + i / 2 + i % 2 * kStep; });
  }

  /// Lane i of the result is lane i of v[f(i)]; three vectors.
  template <class F>
  static TRANSPIRE_INLINE V pick(const V* v, F) {
    const V two = shuffle(v[0], v[1], [](std::uint32_t i) { return F{}(i) == 1 ? kStep + i : i; });
    return shuffle(two, v[2], [](std::uint32_t i) { return F{}(i) == 2 ? kStep + i : i; });
  }

  /// Every third element from kFirst. No two of them are in the same lane of their vectors.
  template <std::uint32_t kFirst>
  static TRANSPIRE_INLINE V every_third(const V* v) {
    const V all = pick(v, [](std::uint32_t i) {
      return i % 3 == kFirst ? 0u : (kStep + i) % 3 == kFirst ? 1u : 2u;
    });
    return shuffle(all, all, [](std::uint32_t i) { return (3 * i + kFirst) % kStep; });
  }

  /// The lanes of `v` where those of every third element from kFirst are.
  template <std::uint32_t kFirst>
  static TRANSPIRE_INLINE V place_third(V v) {
    return shuffle(v, v, [](std::uint32_t at) {
      std::uint32_t i = 0;
      while ((3 * i + kFirst) % kStep != at) ++i;
      return i;
    });
  }

  /// Three vectors as one sequence whose halves are zipped. That moves element i to 2i modulo their
  /// number less one; as often as a lane number has bits, and every third one lies beside the next.
  static TRANSPIRE_INLINE void zip_halves(V* v) {
    const V low = zip_low(v[0], upper(v[1])), middle = zip_low(upper(v[0]), v[2]);
    v[2] = zip_low(v[1], upper(v[2]));
    v[0] = low;
    v[1] = middle;
  }
  static TRANSPIRE_INLINE V upper(V v) {
    return shuffle(v, v, [](std::uint32_t i) { return i % (kStep / 2) + kStep / 2; });
  }

  static TRANSPIRE_INLINE void take_thirds_apart(V* v) {
    if constexpr (!kHasShuffle) {
      for (std::uint32_t lanes = kStep; lanes > 1; lanes /= 2) zip_halves(v);
    } else {
      const V a = every_third<0>(v), b = every_third<1>(v);
      v[2] = every_third<2>(v);
      v[0] = a;
      v[1] = b;
    }
  }

  /// v[c] becomes the elements c, c + K, c + 2K, ... of the vectors as one sequence.
  template <std::uint32_t kCount = kTuple>
  static TRANSPIRE_INLINE void take_apart(V* v) {
    if constexpr (kCount == 3) {
      take_thirds_apart(v);
    } else if constexpr (kCount > 1) {
      [&]<std::size_t... j>(std::index_sequence<j...>) TRANSPIRE_INLINE_LAMBDA {
        V even[] = {evens(v[2 * j], v[2 * j + 1])...};
        V odd[] = {odds(v[2 * j], v[2 * j + 1])...};
        take_apart<kCount / 2>(even);
        take_apart<kCount / 2>(odd);
        ((v[2 * j] = even[j], v[2 * j + 1] = odd[j]), ...);
      }
      (std::make_index_sequence<kCount / 2>{});
    }
  }

  /// The inverse of take_apart.
  template <std::uint32_t kCount = kTuple>
  static TRANSPIRE_INLINE void put_together(V* v) {
    if constexpr (kCount == 3) {
      const V placed[] = {place_third<0>(v[0]), place_third<1>(v[1]), place_third<2>(v[2])};
      v[0] = pick(placed, [](std::uint32_t i) { return i % 3; });
      v[1] = pick(placed, [](std::uint32_t i) { return (kStep + i) % 3; });
      v[2] = pick(placed, [](std::uint32_t i) { return (2 * kStep + i) % 3; });
    } else if constexpr (kCount > 1) {
      [&]<std::size_t... j>(std::index_sequence<j...>) TRANSPIRE_INLINE_LAMBDA {
        V even[] = {v[2 * j]...};
        V odd[] = {v[2 * j + 1]...};
        put_together<kCount / 2>(even);
        put_together<kCount / 2>(odd);
        ((v[2 * j] = zip_low(even[j], odd[j]), v[2 * j + 1] = zip_high(even[j], odd[j])), ...);
      }
      (std::make_index_sequence<kCount / 2>{});
    }
  }

  static TRANSPIRE_INLINE void load_step(const std::byte* from, std::uint32_t at, std::uint32_t n,
                                         T* const* out) {
    [&]<std::size_t... c>(std::index_sequence<c...>) TRANSPIRE_INLINE_LAMBDA {
      V v[] = {read(from + c * sizeof(V))...};
      take_apart(v);
      ((c < n ? write(out[c] + at, v[c]) : void()), ...);
    }
    (std::make_index_sequence<kTuple>{});
  }
  static TRANSPIRE_INLINE void store_step(std::byte* to, std::uint32_t at, const T* const* in) {
    [&]<std::size_t... c>(std::index_sequence<c...>) TRANSPIRE_INLINE_LAMBDA {
      V v[] = {read(in[c] + at)...};
      put_together(v);
      (write(to + c * sizeof(V), v[c]), ...);
    }
    (std::make_index_sequence<kTuple>{});
  }

  /// All elements of all lanes' tuples, which begin at `host`. A loop of few instructions: as many loads of memory
  /// wait at once as a processor holds instructions.
  static __attribute__((noinline)) void load_whole(const std::byte* host, T* const* out) {
    [&]<std::size_t... c>(std::index_sequence<c...>) TRANSPIRE_INLINE_LAMBDA {
      T* const rows[] = {out[c]...};
      for (std::uint32_t at = 0; at < kLanes; at += kStep)
        load_step(host + std::size_t{at} * kBytes, at, kTuple, rows);
    }
    (std::make_index_sequence<kTuple>{});
  }
  static __attribute__((noinline)) void store_whole(std::byte* host, const T* const* in) {
    [&]<std::size_t... c>(std::index_sequence<c...>) TRANSPIRE_INLINE_LAMBDA {
      const T* const rows[] = {in[c]...};
      for (std::uint32_t at = 0; at < kLanes; at += kStep)
        store_step(host + std::size_t{at} * kBytes, at, rows);
    }
    (std::make_index_sequence<kTuple>{});
  }

  /// The first n elements of each tuple into rows, for `count` lanes from `first`, whose tuple is
  /// at `host`. Reads nothing before the first lane's elements or behind the last lane's.
  static __attribute__((noinline)) void load(const std::byte* host, std::uint32_t first,
                                             std::uint32_t count, std::uint32_t n, T* const* out) {
    const std::uint32_t end = first + count, gap = kTuple - n;
    for (std::uint32_t at = first & ~(kStep - 1); at < end; at += kStep) {
      if (at >= first && at + kStep + (gap != 0) <= end) {
        load_step(host + std::size_t{at - first} * kBytes, at, n, out);
        continue;
      }
      const std::uint32_t from = at < first ? first : at;
      const bool is_last = at + kStep >= end;
      const std::uint32_t bytes = ((is_last ? end : at + kStep) - from) * kBytes;
      alignas(64) std::byte clipped[kTuple * sizeof(V)];
      __builtin_memcpy(clipped + (from - at) * kBytes, host + std::size_t{from - first} * kBytes,
                       bytes - (is_last ? gap * sizeof(T) : 0));
      load_step(clipped, at, n, out);
    }
  }

  /// Rows into consecutive tuples: `count` lanes from `first`, whose tuple is at `host`, all
  /// running.
  static __attribute__((noinline)) void store(std::byte* host, std::uint32_t first,
                                              std::uint32_t count, const T* const* in) {
    const std::uint32_t end = first + count;
    for (std::uint32_t at = first & ~(kStep - 1); at < end; at += kStep) {
      if (at >= first && at + kStep <= end) {
        store_step(host + std::size_t{at - first} * kBytes, at, in);
        continue;
      }
      const std::uint32_t from = at < first ? first : at;
      const std::uint32_t to = at + kStep < end ? at + kStep : end;
      alignas(64) std::byte whole[kTuple * sizeof(V)];
      store_step(whole, at, in);
      __builtin_memcpy(host + std::size_t{from - first} * kBytes, whole + (from - at) * kBytes,
                       (to - from) * kBytes);
    }
  }
};

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
