// The cache of compiled sources belongs to the programs that compile.
#include "compiler/toolchain.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "compiler/files.h"
#include "compiler/kept_source.h"
#include "transpire/transpire.hpp"

namespace transpire::test {
namespace {

namespace fs = std::filesystem;

/// Sets a variable until the end.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { setenv(name_, before_.c_str(), 1); }  // empty is unset
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

void forward(const fs::path& path, const std::string& program, const char* comment) {
  std::ofstream(path) << "#!/bin/sh\n# " << comment << "\nexec " << program << " \"$@\"\n";
  fs::permissions(path, fs::perms::owner_all);
}

long entries(const std::string& cache) {
  return std::distance(fs::directory_iterator(cache), fs::directory_iterator());
}

TEST_CASE("a cached module is used again by the same programs only") {
  const auto found = compiler::find_toolchain();
  if (!found || !found->has_translator()) return;  // no compiler on this machine
  const compiler::TemporaryFolder folder;
  REQUIRE(folder.ok());
  const std::string clang = folder.file("some-clang"), cache = folder.file("cache");
  const auto compile = [&cache] {
    CompileOptions options;
    options.cache_folder = cache;
    REQUIRE(compile_source("kernel void k(global int *a) { a[0] = 1; }", options).errors.empty());
    return entries(cache);
  };
  CHECK(compile() == 1);
  CHECK(compile() == 1);
  const Variable translator(compiler::kTranslatorVariable, found->translator());
  CHECK(compile() == 1);
  forward(clang, found->clang(), "one");
  const Variable named(compiler::kClangVariable, clang);
  CHECK(compile() == 2);
  CHECK(compile() == 2);
  forward(clang, found->clang(), "another one");
  CHECK(compile() == 3);
}

TEST_CASE("a file's module is kept until something that it is made of changes") {
  if (!can_compile_source()) return;
  const compiler::TemporaryFolder folder;
  REQUIRE(folder.ok());
  const std::string cache = folder.file("cache"), source = folder.file("source.cl");
  const auto write = [&folder](const char* name, std::string_view text) {
    std::ofstream(folder.file(name)) << text;
  };
  std::vector<std::string> options;
  const auto compile = [&] {
    LoadOptions how;
    how.build_options = options;
    const Result<Module> module = Module::load_file(source, how);
    REQUIRE(module.ok());
    CHECK(module->compiler_warnings().size() == 1);
    CHECK(module->compiler_warnings()[0].source.file == source);
    return fs::exists(cache) ? entries(cache) : 0;
  };
  write("source.cl", "kernel void k(global int* a) { int b; a[0] = 1; }");
  options = {"-Wall"};
  {
    const Variable none(compiler::kCacheVariable, "0");
    CHECK(compile() == 0);
  }
  const Variable kept(compiler::kCacheVariable, cache);
  CHECK(compile() == 1);
  CHECK(compile() == 1);
  options.emplace_back("-DN=2");
  CHECK(compile() == 2);
  write("source.cl", "#include \"one.h\"\nkernel void k(global int* a) { int b; a[0] = ONE; }");
  write("one.h", "#define ONE 1");
  CHECK(compile() == 3);
  CHECK(compile() == 3);
  write("one.h", "#define ONE 2");
  CHECK(compile() == 4);
  write("one.h", "#define ONE /* of column 17 */ 2");
  CHECK(compile() == 5);
  write("source.cl", "kernel void k(global int* a) { int b; a[0] = ONE; }");
  options.insert(options.end(), {"-include", folder.file("one.h")});
  CHECK(compile() == 6);
  write("one.h", "#define ONE 3");
  CHECK(compile() == 7);
  CHECK(compile() == 7);
}

TEST_CASE("files are kept in the user's cache, unless the environment says otherwise") {
  const Variable home("HOME", "/home/somebody"), folder("XDG_CACHE_HOME", ""),
      named(compiler::kCacheVariable, "");
  {
    const Variable on(compiler::kUsersCacheVariable, "");
    CHECK(compiler::kept_folder() == "/home/somebody/.cache/transpire");
    const Variable other("XDG_CACHE_HOME", "/cache");
    CHECK(compiler::kept_folder() == "/cache/transpire");
    const Variable relative("XDG_CACHE_HOME", "cache");
    CHECK(compiler::kept_folder() == "/home/somebody/.cache/transpire");
    const Variable here(compiler::kCacheVariable, "/here");
    CHECK(compiler::kept_folder() == "/here");
    CHECK(compiler::users_cache() == "/home/somebody/.cache/transpire");
    const Variable nowhere(compiler::kCacheVariable, "0");
    CHECK(compiler::kept_folder().empty());
  }
  const Variable off(compiler::kUsersCacheVariable, "0");
  CHECK(compiler::kept_folder().empty());
  const Variable here(compiler::kCacheVariable, "/here");
  CHECK(compiler::kept_folder() == "/here");
}

TEST_CASE("what is named and not there is never replaced") {
  const Variable named(compiler::kClangVariable, "/nowhere/clang");
  CHECK_FALSE(can_compile_source());
  const CompiledSource compiled = compile_source("kernel void k() {}");
  REQUIRE(compiled.errors.size() == 1);
  CHECK(compiled.errors[0].rule == "TSP-C0031");
  CHECK(compiled.errors[0].message ==
        "TRANSPIRE_CLANG names '/nowhere/clang', which is no program");
}

TEST_CASE("options are checked before programs are looked for") {
  const Variable named(compiler::kClangVariable, "/nowhere/clang");
  CompileOptions options;
  options.options = {"-MD"};
  const CompiledSource compiled = compile_source("kernel void k() {}", options);
  REQUIRE(compiled.errors.size() == 1);
  CHECK(compiled.errors[0].rule == "TSP-C0037");
  CHECK(compiled.errors[0].input == "<source>");
}

}  // namespace
}  // namespace transpire::test
