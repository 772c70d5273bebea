// Makes images that arguments describe, with their texels.
#pragma once

#include <string>

#include "launch/runner/bind.h"
#include "launch/runner/value_maker.h"

namespace transpire::launch {

/// Makes an image. Its contents are elements in order, zeros, or the pixels of a picture. Fails with C0001, C0022, C0042,
/// L0004 and as evaluate() does.
Result<BoundBufferPointer> make_image(const std::string& name, const ImageDescription& description,
                                      const ValueSpec& contents, const Allowance& allowed);

/// Checks that an array has the image's dimensions: slices or layers, rows, columns, samples, channels. An array of one
/// dimension is a list of texels. Fails with C0022.
Status check_shape(const Image& image, const TypedBytes& array, const ValueSpec& contents);

}  // namespace transpire::launch
