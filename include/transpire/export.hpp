// What the shared library exports: everything else of it is hidden.
#pragma once

#define TRANSPIRE_API __attribute__((visibility("default")))
