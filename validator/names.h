// The validator uses the names of the view of modules as its own.
#pragma once

#include "decoder/view/module_view.h"

namespace transpire::validator {

using namespace decoder::view;

}  // namespace transpire::validator
