// The program `transpire`.
#include "cli/app.h"

int main(int argc, char** argv) { return transpire::cli::run_command_line(argc, argv); }
