// The families in the order in which they run. A family is one file validator/rules_<name>.cpp, which
// defines its `const Family`; it is declared and listed here, and nowhere else.
#pragma once

#include "validator/rule.h"

namespace transpire::validator {

extern const Family kHeaderFamily;        // ENV-2, ENV-V
extern const Family kTypesFamily;         // ENV-2.1-06, ENV-2.4

inline constexpr const Family* kFamilies[] = {
    &kHeaderFamily,
    &kTypesFamily,
};

}  // namespace transpire::validator
