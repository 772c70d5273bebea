// The man page, from the description of the commands.
#include <fmt/format.h>

#include "cli/app.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {
namespace {

/// Escapes backslashes, dashes and leading dots, which have a meaning in troff.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string format_option(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", escaped(name));
  if (option.names.empty()) names = fmt::format("\\fI{}\\fR", option.positional);
  if (!option.value.empty() && !option.names.empty())
    names += fmt::format(" \\fI{}\\fR", escaped(option.value));
  return fmt::format(".TP\n{}{}\n{}.\n", names, option.repeated ? " ..." : "",
                     escaped(option.description));
}

std::string format_command(const CommandDescription& command) {
  std::string synopsis;
  for (const OptionDescription& option : command.options)
    if (option.names.empty()) synopsis += fmt::format(" \\fI{}\\fR", option.positional);
  std::string text =
      fmt::format(".SS transpire {}\n\\fBtranspire {}\\fR{} [\\fIoptions\\fR]\n.PP\n{}.\n",
                  command.name, command.name, synopsis, escaped(command.description));
  for (const OptionDescription& option : command.options) text += format_option(option);
  return text;
}

constexpr const char* kRest = R"(.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
An expectation failed.
.TP
.B 2
The command line or a launch file is wrong.
.TP
.B 3
The module is invalid.
.TP
.B 4
The kernel did something wrong while it ran.
.TP
.B 5
The module or kernel uses something that is not supported.
.TP
.B 6
A limit was reached.
.TP
.B 130, 143
Ctrl-C or SIGTERM ended the command.
.PP
\fBtranspire cl\fR passes on the program's code; its help has the order.
.SH ENVIRONMENT
.TP
.B TRANSPIRE_ISA
Instruction set, where \fB\-\-isa\fR names none.
.TP
.B TRANSPIRE_THREADS
Number of threads, where \fB\-\-threads\fR gives none.
.TP
.B TRANSPIRE_CACHE
Folder where modules made of OpenCL C are kept for the next command, or 0 for none.
.TP
.B NO_COLOR
When set, messages have no colours.
.SH EXAMPLES
.nf
transpire run saxpy.cl \-k saxpy \-g 1024 \-l 64 \e
    \-a y=float:range:0:1:1024 \-a x=float:fill:2:1024 \-a a=3 \-\-print 'y[0..7]'
transpire run scan.spv \-k scan \-g 4096,1,1 \-l 256,1,1 \e
    \-a in=uint:file:in.bin \-a out=uint:zero:4096 \-a tmp=local:1024 \-\-out out=out.bin
transpire info \-\-template saxpy.cl > saxpy.launch
transpire run saxpy.launch \-\-format=json
.fi
)";

}  // namespace

std::string man_page(const CommandDescription& program) {
  std::string text = fmt::format(
      ".TH TRANSPIRE 1 \"\" \"transpire {}\"\n.SH NAME\ntranspire \\- run OpenCL kernels in "
      "SPIR\\-V on a CPU\n",
      version());
  text += ".SH SYNOPSIS\n\\fBtranspire\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n";
  text += fmt::format(".SH DESCRIPTION\n{}\n.SH COMMANDS\n", escaped(program.description));
  for (const CommandDescription& command : program.commands) text += format_command(command);
  return text + kRest;
}

}  // namespace transpire::cli
