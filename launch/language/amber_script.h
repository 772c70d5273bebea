// AmberScript reads an Amber script: a command becomes statements of the launch language. launch_amber.cpp has the commands, and those
// about shaders, runs and expectations; amber_resources.cpp those about buffers, images and samplers; amber_pipelines.cpp those of pipelines.
#pragma once

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "launch/language/amber_types.h"
#include "launch/language/amber_words.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {

inline Diagnostic amber_error(std::string message, std::string help = {}) {
  return command_error(kBadLaunchFile, std::move(message), std::move(help));
}

inline Diagnostic not_supported(std::string_view what) {
  return command_error(kNotSupported, fmt::format("{} in an Amber script is not supported", what),
                       "Transpire runs compute pipelines, of GLSL, SPIR-V and OpenCL C");
}

struct AmberShader {
  std::string format, text, path;  ///< the text, or else a file's path
};

struct AmberPipeline {
  std::string shader, entry = "main";
  /// Work-items in a group of OpenCL C.
  std::array<std::uint64_t, 3> local{1, 1, 1};
  std::vector<SpecialisationSpec> constants{};
  std::vector<std::string> options{};  ///< options of the compiler
  std::vector<ArgumentSpec> arguments{};
};

struct AmberBuffer {
  AmberType type;
  ValueSpec value;
  std::uint64_t size_bytes = 0;  ///< 0: as large as a file
  std::uint64_t width = 0;       ///< texels in a row; 0: the buffer says neither width nor height
  std::string type_name{};
};

/// Offsets and sizes of what a pipeline binds, one for each buffer.
struct AmberRanges {
  std::vector<std::uint64_t> offsets, more_offsets;
  std::vector<std::optional<std::uint64_t>> sizes;
};

class AmberScript {
 public:
  AmberScript(std::string_view text, const std::string& file, PlanBuilder& builder)
      : words_(text, file), builder_(builder) {}

  Status read();
  const SourceLine& where() const { return words_.where(); }

 private:
  using Command = Status (AmberScript::*)();
  struct Row {
    std::string_view word;
    Command read;
  };
  static const Row kCommands[], kPipelineCommands[];

  Status read_command(std::span<const Row> commands, std::string_view word,
                      std::string_view refused);

  // Commands of the script.
  Status ignore() { return words_.skip_line(), Unit{}; }
  Status ignore_block() { return words_.block(), Unit{}; }
  Status virtual_file();
  Status shader();
  Status structure();
  Status buffer();
  Status image();
  Status sampler();
  Status as_texels(const std::string& name);
  Status as_image(const std::string& name);
  Status pipeline();
  Status derived_pipeline();
  Status run();
  Status repeat();
  Status end();
  Status expect();

  // Commands of a pipeline.
  Status read_pipeline(const std::string& name);
  Status attach();
  Status specialise();
  Status bind();
  Status bind_buffers(bool is_array);
  Status bind_sampler();
  Status set_argument();
  Status compile_options();
  Result<ArgumentSpec> place(std::string_view first);
  Result<ArgumentSpec> kernel_argument();
  Result<ArgumentSpec> descriptor();
  Result<AmberRanges> ranges();
  Status bind_range(ArgumentSpec argument, const AmberRanges& ranges, std::size_t index);
  Status add_argument(ArgumentSpec argument);
  bool is_opencl() const;

  Result<std::string> name_of(std::string_view what);
  Result<std::uint64_t> number(std::string_view what);
  Status expect_word(std::string_view word);
  Result<ValueSpec> initializer(const AmberType& type, std::optional<std::uint64_t> count);
  Result<ValueSpec> numbers_of(const AmberType& type, AmberWords& from);
  Result<ValueSpec> file_value(const AmberType& type);
  Result<std::size_t> program_of(const AmberPipeline& pipeline);
  Status expect_buffer(const std::string& name, std::string_view how);
  Result<Tolerance> tolerance();
  Status expect_numbers(const std::string& name, const AmberBuffer& buffer, std::uint64_t offset,
                        Tolerance tolerance, const std::vector<std::string>& numbers);

  AmberWords words_;
  PlanBuilder& builder_;
  std::map<std::string, std::string, std::less<>> files_;  ///< VIRTUAL_FILE
  std::map<std::string, AmberShader, std::less<>> shaders_;
  AmberStructs structs_;
  std::map<std::string, AmberBuffer, std::less<>> buffers_;
  std::set<std::string, std::less<>> written_;  ///< buffers that a RUN has bound
  std::map<std::string, AmberPipeline, std::less<>> pipelines_;
  std::map<std::string, Sampler, std::less<>> samplers_;
  std::vector<std::pair<std::string, std::size_t>> programs_;  ///< shader and constants
  std::vector<std::pair<std::uint64_t, AmberWords>> repeats_;
  bool has_depth_ = false;         ///< an image has three dimensions
  bool repeats_depth_ = false;     ///< a sampler repeats in W alone, where it names no mode
  AmberPipeline* open_ = nullptr;  ///< the pipeline that is being read
  std::uint64_t commands_ = 0;
};

}  // namespace transpire::launch
