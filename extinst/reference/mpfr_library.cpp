#include "extinst/reference/mpfr_library.h"

#include <dlfcn.h>

namespace transpire::extinst::reference {
namespace {

struct Loaded {
  Mpfr functions;
  std::string lacking;
};

/// Empty, or the name of a function that the library does not have.
std::string find_functions(void* library, Mpfr* found) {
#define TRANSPIRE_MPFR_FIND(name)                                                       \
  found->name = reinterpret_cast<decltype(found->name)>(dlsym(library, "mpfr_" #name)); \
  if (found->name == nullptr) return "mpfr_" #name;
  TRANSPIRE_MPFR_FUNCTIONS(TRANSPIRE_MPFR_FIND)
#undef TRANSPIRE_MPFR_FIND
  return {};
}

Loaded load() {
  Loaded loaded;
  void* const library = dlopen("libmpfr.so.6", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    loaded.lacking = std::string("GNU MPFR was not found: ") + (why != nullptr ? why : "");
    return loaded;
  }
  const std::string missing = find_functions(library, &loaded.functions);
  if (!missing.empty())
    loaded.lacking = "the GNU MPFR that is installed has no " + missing + ", as 4.2 has";
  else if (loaded.functions.buildopt_tls_p() == 0)
    loaded.lacking = "the GNU MPFR that is installed is not thread-safe";
  return loaded;
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

const Mpfr* mpfr_library() { return loaded().lacking.empty() ? &loaded().functions : nullptr; }

std::string lacking() { return loaded().lacking; }

}  // namespace transpire::extinst::reference
