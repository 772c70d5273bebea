// SPIR-V "Image Instructions": images and samplers are handles (vm/ops/image.def); a sampled image is the pair of both.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace image {

void sampled_image(Builder& b, const Instruction& i, Op op);
void image_of(Builder& b, const Instruction& i, Op op);
/// The forms of samples.
struct SampleForm {
  bool compares = false;     ///< texels with operand 2
  bool projects = false;     ///< divides coordinates, and operand 2, first
  bool is_implicit = false;  ///< the level of detail is that of the coordinates' derivatives
};
void sample(Builder& b, const Instruction& i, Op op, SampleForm form);
template <SampleForm kForm>
void sample(Builder& b, const Instruction& i, Op op) {
  sample(b, i, op, kForm);
}
/// A sparse access (OpImageSparse*): a struct of the residency code 0, for all texels are resident, and of what `plain` gives.
void sparse(Builder& b, const Instruction& i, Op op,
            void (*plain)(Builder&, const Instruction&, Op));
template <auto kPlain>
void sparse(Builder& b, const Instruction& i, Op op) {
  sparse(b, i, op, kPlain);
}
/// OpImageSparseTexelsResident: true for code 0.
void texels_resident(Builder& b, const Instruction& i, Op op);
/// The level that a sample with an implicit level of detail reads, and that level of detail.
void query_level(Builder& b, const Instruction& i, Op op);
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
