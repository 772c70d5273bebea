// Whether the tests are built with a sanitizer, which makes some work tens of times slower: a test
// takes smaller sizes then, never other checks.
#pragma once

namespace transpire::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace transpire::test
