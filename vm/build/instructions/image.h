// SPIR-V "Image Instructions": images and samplers are handles (vm/ops/image.def); a sampled image is the pair of both.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace image {

void sampled_image(Builder& b, const Instruction& i, Op op);
void image_of(Builder& b, const Instruction& i, Op op);
void sample(Builder& b, const Instruction& i, Op op);
/// Samples whose texels are compared with operand 2; projected ones divide coordinates and operand 2 first.
void sample_compared(Builder& b, const Instruction& i, Op op);
void sample_projected(Builder& b, const Instruction& i, Op op);
void sample_compared_projected(Builder& b, const Instruction& i, Op op);
void gather(Builder& b, const Instruction& i, Op op);
void gather_compared(Builder& b, const Instruction& i, Op op);
/// A pointer to a texel, which atomics access.
void texel_pointer(Builder& b, const Instruction& i, Op op);
void read(Builder& b, const Instruction& i, Op op);
void write(Builder& b, const Instruction& i, Op op);
/// Notes for --check=sync that work-items may read their writes to read-write images from here on.
void fence(Builder& b);
/// A sub-group's (SPV_INTEL_subgroups): work-item n has the n-th element of a row from byte x on, each component a row.
void read_block(Builder& b, const Instruction& i, Op op);
void write_block(Builder& b, const Instruction& i, Op op);
/// Queries the level that operand 1 names.
void query_size_lod(Builder& b, const Instruction& i, Op op);
void query_size(Builder& b, const Instruction& i, Op op);
void query_format(Builder& b, const Instruction& i, Op op);
void query_order(Builder& b, const Instruction& i, Op op);
void query_levels(Builder& b, const Instruction& i, Op op);
void query_samples(Builder& b, const Instruction& i, Op op);

}  // namespace image

}  // namespace transpire::vm::builder
