// The files of a record folder: numbers, names and contents. All fail with std::runtime_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace transpire::opencl {

/// Returns the next number of the folder, from 1 on. No other process gets the same.
unsigned long claim_number(const std::filesystem::path& folder);

/// The kernel's name as part of a file name.
std::string file_word(const std::string& name);

void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes);
/// Writes the file as a whole or not at all, also if others write it at the same time.
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Hash of the bytes, for their name: 32 hexadecimal digits.
std::string content_hash(std::span<const std::byte> bytes);

}  // namespace transpire::opencl
