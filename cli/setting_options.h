// Options of `run` and `cl` that the table of settings makes: their names and texts.
#pragma once

#include <string>
#include <vector>

#include "transpire/setting_table.hpp"

namespace transpire::cli {

/// "--math"; empty when there is none.
std::string run_option(const Setting& setting);
/// The names of the values that the driver takes.
std::vector<std::string> driver_names(const Setting& setting);
/// Of --check: of `run`, and of `cl`.
std::string check_help();
std::string driver_check_help();

}  // namespace transpire::cli
