// Preloaded, it hides GNU MPFR from a program, as on a machine where it is not installed.
#include <dlfcn.h>

#include <cstring>

extern "C" void* dlopen(const char* name, int flags) {
  static const auto real =
      reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  const bool hidden = name != nullptr && std::strstr(name, "libmpfr") != nullptr;
  return real(hidden ? "libmpfr-is-hidden.so" : name, flags);
}
