// Options for loading a module, of the C interface. transpire/transpire.h includes this header.
#ifndef TRANSPIRE_LOAD_OPTIONS_H
#define TRANSPIRE_LOAD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct transpire_specialisation {
  uint32_t spec_id;
  uint64_t bits;  ///< the value's bits, in the low bits
} transpire_specialisation;

/// How many descriptors are bound to an array of a shader whose type has no length.
typedef struct transpire_descriptor_count {
  uint32_t set, binding;
  uint32_t count;
} transpire_descriptor_count;

/// A text that a module was compiled from, if it is not a file.
typedef struct transpire_source_text {
  const char* name;  ///< as the module's debug information names it
  const char* text;
} transpire_source_text;

/// Options for loading a module. Set struct_size to sizeof(transpire_load_options). A member that is zero has its default.
typedef struct transpire_load_options {
  size_t struct_size;
  const char* name;  ///< name of the input in diagnostics; null: the path, or "<module>"
  const transpire_specialisation* specialisations;
  size_t specialisation_count;
  const char* const* build_options;  ///< for OpenCL C: arguments for clang
  size_t build_option_count;
  /// For OpenCL C: turns off clang's optimiser, which deletes undefined code before checks find it. An -O option overrides.
  bool unoptimised_source;
  /// Time limit for reading, compiling and decoding; beyond it, loading fails with TSP-L0002. 0: no limit. Programs built
  /// for older versions lack this member and those below; struct_size tells the library.
  uint64_t timeout_milliseconds;
  uint64_t max_file_bytes;               ///< limit of a file's size (TSP-L0004); 0: 4 GiB
  const transpire_source_text* sources;  ///< findings show lines of these texts
  size_t source_count;
  /// For arrays of descriptors without a length; one that is not here has one element.
  const transpire_descriptor_count* descriptor_counts;
  size_t descriptor_count_count;
} transpire_load_options;

#endif
