// The families in the order in which they run. A family is one file validator/rules_<name>.cpp, which
// defines its `const Family`; it is declared and listed here, and nowhere else.
#pragma once

#include "validator/rule.h"

namespace transpire::validator {

extern const Family kHeaderFamily;         // ENV-2, ENV-V
extern const Family kDeviceFamily;         // ENV-DEV-03, ENV-7.2.8-02, ENV-7.2.10-02
extern const Family kModesFamily;          // ENV-2.1-01 to 05, ENV-2.2
extern const Family kCapabilitiesFamily;   // ENV-CAP, ENV-DEV, ENV-7.2.12, V0002
extern const Family kEnvExtensionsFamily;  // ENV-7.1, ENV-7.2.3
extern const Family kEnvKernelsFamily;     // ENV-2.8, ENV-2.9
extern const Family kTypesFamily;          // ENV-2.1-06, ENV-2.4
extern const Family kEnvImagesFamily;      // ENV-2.1-07 to 15, ENV-2.4-06, ENV-7.2.1, 2, 7, 9, 10
extern const Family kEnvAtomicsFamily;     // ENV-2.1-16, 17, ENV-7.2.8
extern const Family kEnvScopesFamily;      // ENV-X.3, ENV-5.3, ENV-6.3
extern const Family kEnvCallsFamily;       // ENV-2.1-18, 19
extern const Family kConversionsFamily;    // ENV-8
extern const Family kLimitsFamily;         // LIM
extern const Family kAcceptedFamily;       // what has to be accepted; checks nothing

inline constexpr const Family* kFamilies[] = {
    &kHeaderFamily,
    // The physical and logical layout.
    &kLimitsFamily,
    // The environment and the device.
    &kDeviceFamily,
    &kModesFamily,
    &kCapabilitiesFamily,
    &kEnvExtensionsFamily,
    &kEnvKernelsFamily,
    &kTypesFamily,
    &kEnvImagesFamily,
    &kEnvAtomicsFamily,
    &kEnvScopesFamily,
    &kEnvCallsFamily,
    &kConversionsFamily,
    // SPIR-V itself.
    &kAcceptedFamily,
};

}  // namespace transpire::validator
