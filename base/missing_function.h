// The help for a function that a module calls and nothing defines.
#pragma once

#include <string>
#include <string_view>

namespace transpire {

/// A help for the function of that symbol. `linking` says how modules are linked, such as "link the module with the one that
/// defines it". Mangled names and those with "__spirv_" may be built-in functions that the compiler does not know.
std::string missing_function_help(std::string_view symbol, std::string_view linking);

}  // namespace transpire
