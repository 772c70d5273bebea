// Image accesses by whole rows: those that need no finding and that no one observes, of one image without a mipmap.
// Others, and all of the reference mode, are vm/exec/image.cpp's, lane by lane; both give the same bits.
#pragma once

#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// False: nothing was done, the lanes have to be looked at one by one.
bool sample_rows(const Inst* ip, std::byte* r, Batch* batch);
bool read_rows(const Inst* ip, std::byte* r, Batch* batch);
bool write_rows(const Inst* ip, std::byte* r, Batch* batch);

}  // namespace transpire::vm::TRANSPIRE_ISA
