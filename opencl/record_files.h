// The files of a record folder: numbers, names and contents. All fail with std::runtime_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace transpire::opencl {

/// The next number of the folder, 1 at first, which nobody else gets.
unsigned long claim_number(const std::filesystem::path& folder);

/// A kernel's name as part of a file name.
std::string file_word(const std::string& name);

void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes);
/// Whole or not at all, whoever else writes it.
void write_in_place(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Names bytes by what they are: 32 hexadecimal digits.
std::string content_hash(std::span<const std::byte> bytes);

}  // namespace transpire::opencl
