// Helpers of the decoder's tests: modules from assembly text, and where an instruction stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "decoder/module.h"

namespace transpire::test {

using namespace decoder;

using Words = std::vector<std::uint32_t>;

/// The header every kernel module of the tests begins with.
inline const std::string kKernelHeader =
    "OpCapability Addresses\n"
    "OpCapability Kernel\n"
    "OpCapability Linkage\n"
    "OpCapability Int8\n"
    "OpCapability Int16\n"
    "OpCapability Int64\n"
    "OpCapability Vector16\n"
    "%ocl = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\n";

/// Fails the test when the text does not assemble.
Words assembled(std::string_view text);

Result<decoder::Module> decoded(const Words& words, const decoder::DecodeOptions& options = {});
/// Fails the test when the words, or the text, do not decode.
decoder::Module whole(const Words& words, const decoder::DecodeOptions& options = {});
decoder::Module module_of(std::string_view text, const decoder::DecodeOptions& options = {});

/// Word offset of the n-th (from 0) instruction with the opcode; fails the test when there is none.
std::uint32_t offset_of(const Words& words, spv::Op op, std::size_t n = 0);

/// The id that OpName gives to `name`, or 0.
decoder::Id id_of(const decoder::Module& module, std::string_view name);
/// The type whose OpName is `name`; fails the test when there is none.
const decoder::Type& type_of(const decoder::Module& module, std::string_view name);
/// The constant whose OpName is `name`; fails the test when there is none.
const decoder::Constant& constant_of(const decoder::Module& module, std::string_view name);

/// A file of tests/decoder/data, or one of data_files().
std::string data_file(const std::string& name);
/// Whole modules: from clang with debug information (tests/decoder/data), and the golden programs of tests/programs/memory.
std::vector<std::string> data_files();

}  // namespace transpire::test
