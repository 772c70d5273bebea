// Compiled with AVX-512 as a whole; the calls of AVX2 go to the libraries' functions of that width.
#include "bench/math/vector_libraries.h"

#include <immintrin.h>
#include <sleef.h>

#include <algorithm>
#include <chrono>
#include <vector>

// glibc's names: "Vector ABI", e for AVX-512 and d for AVX2.
#define TRANSPIRE_MVEC(name)                  \
  extern "C" __m512 _ZGVeN16v_##name(__m512); \
  extern "C" __m256 _ZGVdN8v_##name(__m256);
TRANSPIRE_MVEC(expf)
TRANSPIRE_MVEC(logf)
TRANSPIRE_MVEC(sinf)
TRANSPIRE_MVEC(cosf)
TRANSPIRE_MVEC(erff)
TRANSPIRE_MVEC(tanhf)
#undef TRANSPIRE_MVEC
extern "C" __m512 _ZGVeN16vv_powf(__m512, __m512);
extern "C" __m256 _ZGVdN8vv_powf(__m256, __m256);

namespace transpire::bench {
namespace {

constexpr int kRepetitions = 25;

double now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

__m512 load(const float* at, __m512) { return _mm512_loadu_ps(at); }
__m256 load(const float* at, __m256) { return _mm256_loadu_ps(at); }
void store(float* at, __m512 v) { _mm512_storeu_ps(at, v); }
void store(float* at, __m256 v) { _mm256_storeu_ps(at, v); }

template <class V, class F>
double time_of(F function, std::span<const float> a, std::span<const float> b) {
  constexpr std::size_t kLanes = sizeof(V) / 4;
  std::vector<float> results(a.size());
  double best = 1e30;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const double start = now();
    for (std::size_t i = 0; i + kLanes <= a.size(); i += kLanes)
      store(&results[i], function(load(&a[i], V{}), load(&b[i], V{})));
    best = std::min(best, now() - start);
  }
  return best / static_cast<double>(a.size());
}

struct Entry {
  const char* function;
  const char* library;
  bool wide;
  double (*time)(std::span<const float>, std::span<const float>);
};

#define TRANSPIRE_UNARY(function, library, wide, V, call)                            \
  {function, library, wide, [](std::span<const float> a, std::span<const float> b) { \
     return time_of<V>([](V x, V) { return call(x); }, a, b);                        \
   }},
#define TRANSPIRE_BINARY(function, library, wide, V, call)                           \
  {function, library, wide, [](std::span<const float> a, std::span<const float> b) { \
     return time_of<V>([](V x, V y) { return call(x, y); }, a, b);                   \
   }},
#define TRANSPIRE_BOTH(function, name)                                    \
  TRANSPIRE_UNARY(function, "sleef", true, __m512, Sleef_##name##f16_u10) \
  TRANSPIRE_UNARY(function, "sleef", false, __m256, Sleef_##name##f8_u10) \
  TRANSPIRE_UNARY(function, "libmvec", true, __m512, _ZGVeN16v_##name##f) \
  TRANSPIRE_UNARY(function, "libmvec", false, __m256, _ZGVdN8v_##name##f)

__m512 rsqrt_by_division(__m512 x) { return _mm512_div_ps(_mm512_set1_ps(1), _mm512_sqrt_ps(x)); }
__m256 rsqrt_by_division(__m256 x) { return _mm256_div_ps(_mm256_set1_ps(1), _mm256_sqrt_ps(x)); }

const Entry kEntries[] = {
    TRANSPIRE_BOTH("exp", exp) TRANSPIRE_BOTH("log", log) TRANSPIRE_BOTH("sin", sin) TRANSPIRE_BOTH(
        "cos", cos) TRANSPIRE_BOTH("erf", erf) TRANSPIRE_BOTH("tanh", tanh)
        TRANSPIRE_BINARY("pow", "sleef", true, __m512, Sleef_powf16_u10) TRANSPIRE_BINARY(
            "pow", "sleef", false, __m256,
            Sleef_powf8_u10) TRANSPIRE_BINARY("pow", "libmvec", true, __m512, _ZGVeN16vv_powf)
            TRANSPIRE_BINARY("pow", "libmvec", false, __m256, _ZGVdN8vv_powf) TRANSPIRE_UNARY(
                "sqrt", "instruction", true, __m512, _mm512_sqrt_ps)
                TRANSPIRE_UNARY("sqrt", "instruction", false, __m256, _mm256_sqrt_ps)
                    TRANSPIRE_UNARY("rsqrt", "instructions", true, __m512, rsqrt_by_division)
                        TRANSPIRE_UNARY("rsqrt", "instructions", false, __m256, rsqrt_by_division)};

}  // namespace

std::vector<LibraryTime> time_libraries(const std::string& function, bool wide,
                                        std::span<const float> a, std::span<const float> b) {
  std::vector<LibraryTime> times;
  for (const Entry& entry : kEntries)
    if (entry.function == function && entry.wide == wide)
      times.push_back({entry.library, entry.time(a, b)});
  return times;
}

}  // namespace transpire::bench
