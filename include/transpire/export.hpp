// TRANSPIRE_API marks the functions and classes that the shared library exports. It hides all others.
#pragma once

#define TRANSPIRE_API __attribute__((visibility("default")))
