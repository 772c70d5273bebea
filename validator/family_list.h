// The families in the order in which they run. A family is one file validator/rules_<name>.cpp, which
// defines its `const Family`. It is declared and listed here; families of extended instruction sets follow from
// decoder/extended_sets.def.
#pragma once

#include "validator/rule.h"

namespace transpire::validator {

extern const Family kHeaderFamily;         // ENV-2, ENV-V
extern const Family kDeviceFamily;         // ENV-DEV-03, ENV-7.2.8-02, ENV-7.2.10-02
extern const Family kModesFamily;          // ENV-2.1-01 to 05, ENV-2.2
extern const Family kCapabilitiesFamily;   // ENV-CAP, ENV-DEV, ENV-7.2.12, V0002, V0020
extern const Family kEnvExtensionsFamily;  // ENV-7.1, ENV-7.2.3, V0034
extern const Family kEnvKernelsFamily;     // ENV-2.8, ENV-2.9
extern const Family kTypesFamily;          // ENV-2.1-06, ENV-2.4
extern const Family kEnvImagesFamily;      // ENV-2.1-07 to 15, ENV-2.4-06, ENV-7.2.1, 2, 7, 9, 10
extern const Family kEnvAtomicsFamily;     // ENV-2.1-16, 17, ENV-7.2.8
extern const Family kEnvScopesFamily;      // ENV-X.3, ENV-5.3, ENV-6.3
extern const Family kEnvCallsFamily;       // ENV-2.1-18, 19
extern const Family kConversionsFamily;    // ENV-8
extern const Family kLimitsFamily;         // LIM
extern const Family kAcceptedFamily;       // rules about modules to accept; checks nothing

// SPIR-V's own rules, by the sections of SPIR-V 1.0.
extern const Family kLayoutFamily;  // 2.3, 2.4: UNI-01, UNI-23, V0003, V0042
extern const Family kIdFamily;      // 2.16.1 "SSA": UNI-04, UNI-05, UNI-21, UNI-54, V0029
extern const Family
    kInterfaceFamily;  // 3.6, 3.21, 3.32.5: UNI-27, UNI-28, UNI-49, UNI-52, V0027, V0033
extern const Family kDecorationFamily;     // 3.19, 3.20: UNI-17 to UNI-19, UNI-50, V0019, V0021
extern const Family kDeclarationFamily;    // 2.8, 3.32.6, 3.32.7: UNI-03, UNI-14, UNI-15, V0018
extern const Family kFunctionFamily;       // 3.32.9: UNI-06, UNI-07, UNI-13, UNI-22, UNI-53
extern const Family kControlFlowFamily;    // 2.11, 3.32.17: UNI-09 to UNI-12, UNI-32, UNI-33, V0046
extern const Family kConstructFamily;      // 2.11: V0016
extern const Family kAliasingFamily;       // SPV_INTEL_memory_access_aliasing: V0041
extern const Family kMemoryFamily;         // 3.32.8: UNI-08, UNI-20, UNI-29 to UNI-31, V0026, ...
extern const Family kImageUseFamily;       // 3.32.10: UNI-16, UNI-46 to UNI-48, V0028
extern const Family kImageOperandFamily;   // 3.14: V0023
extern const Family kCastFamily;           // 3.32.11: UNI-40
extern const Family kCompositeFamily;      // 3.32.12: UNI-39
extern const Family kAtomicUseFamily;      // 3.32.18: UNI-25, UNI-26, UNI-34 to UNI-36
extern const Family kNonUniformFamily;     // 1.3, 3.32.24: V0030 to V0032
extern const Family kPipeFamily;           // 3.32.21 to 3.32.23: UNI-42 to UNI-45
extern const Family kEnqueueFamily;        // 3.32.22: V0024
extern const Family kSignatureFamily;      // all of 3.32: UNI-24
extern const Family kCapabilityUseFamily;  // 3.31: UNI-02, UNI-02b, V0005, V0017

// Extended instruction sets that compute; kOpenCLStdFamily: V0011, V0045, V0049.
#define TRANSPIRE_COMPUTING_SET(name, import_name, grammar) extern const Family k##name##Family;
#include "decoder/extended_sets.def"

inline constexpr const Family* kFamilies[] = {
    &kHeaderFamily,
    // The physical and logical layout.
    &kLayoutFamily,
    &kIdFamily,
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
    &kInterfaceFamily,
    &kDecorationFamily,
    &kDeclarationFamily,
    &kFunctionFamily,
    &kControlFlowFamily,
    &kConstructFamily,
    &kSignatureFamily,
#define TRANSPIRE_COMPUTING_SET(name, import_name, grammar) &k##name##Family,
#include "decoder/extended_sets.def"
    &kMemoryFamily,
    &kAliasingFamily,
    &kImageUseFamily,
    &kImageOperandFamily,
    &kCastFamily,
    &kCompositeFamily,
    &kAtomicUseFamily,
    &kNonUniformFamily,
    &kPipeFamily,
    &kEnqueueFamily,
    &kAcceptedFamily,
    // Other mistakes often lack a capability as well, so this runs last.
    &kCapabilityUseFamily,
};

}  // namespace transpire::validator
