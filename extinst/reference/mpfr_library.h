// GNU MPFR, loaded when the reference mode or a measurement first needs it: nothing else of
// Transpire does, so it is no library that the program is linked to.
#pragma once

#include <mpfr.h>

#include <string>

namespace transpire::extinst::reference {

// The functions that are used, without "mpfr_".
// clang-format off
#define TRANSPIRE_MPFR_FUNCTIONS(F) \
  F(init2) F(clear) F(set_prec) F(set4) F(set_d) F(set_si_2exp) F(get_d) F(set_emin) F(set_emax) \
  F(get_emin) F(get_emax) F(check_range) F(subnormalize) F(free_cache) F(buildopt_tls_p) F(add) \
  F(sub) F(mul) F(div) F(mul_2si) F(sqrt) F(rec_sqrt) F(cbrt) F(hypot) F(exp) F(exp2) F(exp10) \
  F(expm1) F(log) F(log2) F(log10) F(log1p) F(pow) F(powr) F(pow_si) F(rootn_si) F(sin) F(cos) \
  F(tan) F(sinu) F(cosu) F(tanu) F(asin) F(acos) F(atan) F(atan2) F(asinu) F(acosu) F(atanu) \
  F(atan2u) F(sinh) F(cosh) F(tanh) F(asinh) F(acosh) F(atanh) F(erf) F(erfc) F(gamma) F(lgamma) \
  F(remainder) F(fmod) F(fma) F(dot) F(equal_p) F(set_inf) F(set_nan) F(const_pi) F(dim) F(frac) \
  F(frexp) F(rint_ceil) F(rint_floor) F(rint_round) F(rint_roundeven) F(rint_trunc)
// clang-format on

struct Mpfr {
#define TRANSPIRE_MPFR_MEMBER(name) decltype(&::mpfr_##name) name = nullptr;
  TRANSPIRE_MPFR_FUNCTIONS(TRANSPIRE_MPFR_MEMBER)
#undef TRANSPIRE_MPFR_MEMBER
};

/// The library; null when it is not installed, is older than 4.2 or is not thread-safe. Loaded at
/// the first call, never unloaded. Thread-safe.
const Mpfr* mpfr_library();

/// Why mpfr_library() gives null, as a message for people; empty when it does not.
std::string lacking();

}  // namespace transpire::extinst::reference
