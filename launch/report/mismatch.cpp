#include "launch/report/mismatch.h"

#include <fmt/format.h>

namespace transpire::launch {

std::string TexelPlace::text_of() const {
  std::string text = "(";
  for (unsigned i = 0; i < coordinates; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", at[i]);
  text += ')';
  if (level && *level != 0) text += fmt::format(" of level {}", *level);
  if (sample) text += fmt::format(", sample {}", *sample);
  return text;
}

}  // namespace transpire::launch
