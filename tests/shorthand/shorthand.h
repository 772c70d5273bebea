// The short form of golden programs: files `NAME.spvasm.in` and `NAME.cl.in`, from which the build writes whole programs.
// tests/programs/README.md describes the form.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace transpire::shorthand {

/// A file's mistake: its text says line and reason.
struct Mistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Program {
  std::string name;  ///< of its file
  std::string text;
};

/// Expands `files`, `for` and `if` lines. `name` is the file's without ".in"; a file with a `files` line gives a
/// program for each of its rows, and the name's placeholders say which.
/// @throws Mistake
std::vector<Program> expand(std::string_view name, std::string_view text);

/// Adds to assembly what its names say: header, types, constants, built-in variables, and what `kernel`, `load` and
/// `store` stand for. Text that needs nothing stays as it is, but for the order of its sections.
/// @throws Mistake
std::string declare(std::string_view text);

}  // namespace transpire::shorthand
