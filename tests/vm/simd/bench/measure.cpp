// The pairs of one instruction set. Compiled once for each, with its flags; nothing of std that could stay out of line.
#include "tests/vm/simd/bench/measure.h"

#include "vm/simd/predicate.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

bench::Pairs measured_pairs();

namespace {

using namespace bench;

template <class T>
const T* row_of(const unsigned char* bytes) {
  return reinterpret_cast<const T*>(bytes);
}
template <class T>
constexpr std::uint32_t kCount = kRowBytes / sizeof(T);

/// d = kOperation(a, b), vector by vector.
template <class T, auto kOperation>
[[gnu::noinline]] void map(Rows& rows) {
  for (std::uint32_t i = 0; i < kCount<T>; i += kVectorLanes<T>)
    store(reinterpret_cast<T*>(rows.d) + i,
          kOperation(load(row_of<T>(rows.a) + i), load(row_of<T>(rows.b) + i)));
}

/// The word of each 64 lanes of kMask(a, b).
template <class T, auto kMask, class Word>
[[gnu::noinline]] void words(Rows& rows) {
  for (std::uint32_t first = 0; first < kCount<T>; first += 64)
    reinterpret_cast<std::uint64_t*>(rows.d)[first / 64] =
        Word::template of<T>([&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
          const std::uint32_t i = first + lane;
          return kMask(load(row_of<T>(rows.a) + i), load(row_of<T>(rows.b) + i));
        });
}

struct OurWord {
  template <class T, class Get>
  static TRANSPIRE_INLINE std::uint64_t of(Get get) {
    return mask_word<T>(get);
  }
};
/// xsimd's masks become bytes, which a multiplication joins.
struct WordOfBytes {
  template <class T, class Get>
  static TRANSPIRE_INLINE std::uint64_t of(Get get) {
    alignas(64) bool lanes[64];
    for (std::uint32_t i = 0; i < 64; i += kVectorLanes<T>) get(i).store_aligned(lanes + i);
    std::uint64_t word = 0;
    for (std::uint32_t i = 0; i < 64; i += 8) {
      std::uint64_t bytes;
      __builtin_memcpy(&bytes, lanes + i, 8);
      word |= (bytes * 0x0102040810204080u >> 56) << i;
    }
    return word;
  }
};

template <Predicate kPredicate>
constexpr auto kOurs = []<class T>(Vector<T> a, Vector<T> b)
                           TRANSPIRE_INLINE_LAMBDA { return compare_vectors<kPredicate>(a, b); };
constexpr auto kXsimdLess = [](auto a, auto b) TRANSPIRE_INLINE_LAMBDA { return a < b; };
constexpr auto kXsimdUnordLess = [](auto a, auto b) TRANSPIRE_INLINE_LAMBDA { return ~(b <= a); };
constexpr auto kXsimdOrdered = [](auto a, auto b)
                                   TRANSPIRE_INLINE_LAMBDA { return (a == a) & (b == b); };
constexpr auto kProduct = [](auto a, auto b) TRANSPIRE_INLINE_LAMBDA { return product(a, b); };
constexpr auto kXsimdProduct = [](auto a, auto b) TRANSPIRE_INLINE_LAMBDA { return a * b; };
constexpr auto kOrderedSum = [](auto a, auto b)
                                 TRANSPIRE_INLINE_LAMBDA { return ordered_add(a, b); };
constexpr auto kXsimdSum = [](auto a, auto b) TRANSPIRE_INLINE_LAMBDA { return a + b; };

/// Bits of a word choose between a and b.
template <class T, bool kLayer>
[[gnu::noinline]] void choose_by_word(Rows& rows) {
  const auto* from = reinterpret_cast<const std::uint64_t*>(rows.b);
  for (std::uint32_t first = 0; first < kCount<T>; first += 64) {
    const std::uint64_t word = from[first / 64];
    alignas(64) bool lanes[64];
    if constexpr (!kLayer)
      for (std::uint32_t i = 0; i < 64; ++i) lanes[i] = (word >> i & 1) != 0;
    for (std::uint32_t i = 0; i < 64; i += kVectorLanes<T>) {
      LaneMask<T> mask;
      if constexpr (kLayer)
        mask = lane_mask<T>(word, i);
      else
        mask = LaneMask<T>::load_aligned(lanes + i);
      const std::uint32_t lane = first + i;
      store(reinterpret_cast<T*>(rows.d) + lane,
            blend(mask, load(row_of<T>(rows.a) + lane), load(row_of<T>(rows.b) + lane)));
    }
  }
}

/// How many of the vectors are zero.
template <class T, bool kLayer>
[[gnu::noinline]] void count_zeros(Rows& rows) {
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < kCount<T>; i += kVectorLanes<T>) {
    const Vector<T> vector = load(row_of<T>(rows.a) + i);
    if constexpr (kLayer)
      count += is_zero(vector);
    else
      count += simd::all(vector == T{0});
  }
  *reinterpret_cast<std::uint64_t*>(rows.d) = count;
}

/// To doubles and back, with a product between.
template <bool kLayer>
[[gnu::noinline]] void through_doubles(Rows& rows) {
  for (std::uint32_t i = 0; i < kCount<float>; i += kVectorLanes<float>) {
    const Vector<float> a = load(row_of<float>(rows.a) + i);
    const WideFloats wide = kLayer ? widen(a) : widen_parts(a);
    const Vector<double> low = wide.low * wide.low, high = wide.high * wide.high;
    store(reinterpret_cast<float*>(rows.d) + i,
          kLayer ? narrow(low, high) : join_narrowed(low, high));
  }
}

/// Rows of halves to floats and back.
template <bool kLayer>
[[gnu::noinline]] void through_halves(Rows& rows) {
  alignas(64) float wide[kLanes];
  for (std::uint32_t first = 0; first < kCount<Half>; first += kLanes) {
    const auto* a = reinterpret_cast<const Half*>(rows.a) + first;
    auto* d = reinterpret_cast<Half*>(rows.d) + first;
    if constexpr (kLayer) {
      widen_halves(wide, a);
      narrow_to_halves(d, wide);
    } else {
      for (std::uint32_t i = 0; i < kLanes; ++i) wide[i] = half_to_float(a[i].bits);
      for (std::uint32_t i = 0; i < kLanes; ++i) d[i].bits = half_from_float(wide[i]);
    }
  }
}

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T, Predicate kPredicate, auto kOther>
constexpr bench::Pair comparison(const char* what, const char* type) {
  return {what,   type, kCount<T>, words<T, kOurs<kPredicate>, OurWord>, words<T, kOther, OurWord>,
          "xsimd"};
}
template <class T>
constexpr bench::Pair word_of_mask(const char* type) {
  constexpr auto kLess = kOurs<Predicate::kUnsignedLess>;
  return {"word of a mask", type, kCount<T>, words<T, kLess, OurWord>, words<T, kLess, WordOfBytes>,
          "xsimd's bytes"};
}
template <class T>
constexpr bench::Pair mask_of_word(const char* type) {
  return {"mask of a word",         type,           kCount<T>, choose_by_word<T, true>,
          choose_by_word<T, false>, "xsimd's bytes"};
}

constexpr bench::Pair kPairs[] = {
    word_of_mask<u8>("8 bits"),
    word_of_mask<u16>("16 bits"),
    word_of_mask<u32>("32 bits"),
    word_of_mask<u64>("64 bits"),
    mask_of_word<u8>("8 bits"),
    mask_of_word<u16>("16 bits"),
    mask_of_word<u32>("32 bits"),
    mask_of_word<u64>("64 bits"),
    {"zero test", "32 bits", kCount<u32>, count_zeros<u32, true>, count_zeros<u32, false>, "xsimd"},
    comparison<u8, Predicate::kUnsignedLess, kXsimdLess>("unsigned less", "8 bits"),
    comparison<u16, Predicate::kUnsignedLess, kXsimdLess>("unsigned less", "16 bits"),
    comparison<u32, Predicate::kUnsignedLess, kXsimdLess>("unsigned less", "32 bits"),
    comparison<u64, Predicate::kUnsignedLess, kXsimdLess>("unsigned less", "64 bits"),
    comparison<std::int64_t, Predicate::kSignedLess, kXsimdLess>("signed less", "64 bits"),
    comparison<float, Predicate::kUnordLess, kXsimdUnordLess>("unordered or less", "float"),
    comparison<float, Predicate::kOrdered, kXsimdOrdered>("ordered", "float"),
    {"product", "8 bits", kCount<u8>, map<u8, kProduct>, map<u8, kXsimdProduct>, "xsimd"},
    {"product", "64 bits", kCount<u64>, map<u64, kProduct>, map<u64, kXsimdProduct>, "xsimd"},
    {"sum in order", "float", kCount<float>, map<float, kOrderedSum>, map<float, kXsimdSum>,
     "xsimd, in any order"},
    {"to doubles and back", "float", kCount<float>, through_doubles<true>, through_doubles<false>,
     "the compiler's vectors"},
    {"to floats and back", "half", kCount<Half>, through_halves<true>, through_halves<false>,
     "integer code"},
};

}  // namespace

bench::Pairs measured_pairs() { return {kPairs, sizeof(kPairs) / sizeof(kPairs[0])}; }

}  // namespace transpire::vm::TRANSPIRE_ISA
