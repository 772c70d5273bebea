// Output files of a run: raw bytes, arrays, images, pictures for people, and standard output.
#include "launch/runner/output_files.h"

#include <unistd.h>

#include <filesystem>

#include "launch/runner/difference_pictures.h"
#include "tests/launch/declared.h"

namespace transpire::test {
namespace {

namespace fs = std::filesystem;

/// A folder for the files of a test; removed with the object.
struct Folder {
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& file) const { return path + "/" + file; }
  std::string path =
      (fs::temp_directory_path() / ("output_files_" + std::to_string(getpid()))).string();
};

struct Written : Declared {
  using Declared::Declared;
  /// The error of writing what the statement `out` says.
  std::string out(const std::string& words) { return error_of(outputs.write(step(words))); }
  std::string checked(const std::string& words) { return error_of(outputs.check(step(words))); }
  static OutputStep step(const std::string& words) {
    return std::get<OutputStep>(
        plan_with("kernel writer\nglobal 1\nlaunch\nout " + words + "\n").steps.back());
  }
  std::size_t kept() const { return report.standard_output ? report.standard_output->size() : 0; }

  RunReport report;
  OutputFiles outputs{buffers, limit, report};
};

TEST_CASE("bytes and arrays are written to files") {
  const Folder folder;
  Written run("buffer y = uint:range:0:1:9\n");
  CHECK(run.out("y = " + folder / "y.bin") == "ok");
  CHECK(fs::file_size(folder / "y.bin") == 36);
  CHECK(run.out("y = " + folder / "y.npy" + " as uchar") == "ok");
  CHECK(fs::file_size(folder / "y.npy") == 128 + 36);
  CHECK(run.out("z = " + folder / "z.bin") == "TSP-C0026: there is no buffer 'z'");
  CHECK(run.out("y = " + folder / "3.bin" + " as float3").starts_with("TSP-C0024: cannot write"));
}

TEST_CASE("bytes for standard output are kept, within the limit of memory") {
  Written run("buffer y = uchar:zero:300000\n");
  CHECK(run.out("y = -") == "ok");
  CHECK(run.kept() == 300000);
  CHECK(run.out("y = -") == "ok");
  CHECK(run.out("y = -") ==
        "TSP-L0004: what 'y' holds is kept until the end for standard output, and needs more than "
        "the limit of 1048576 bytes");
  CHECK(run.kept() == 600000);
}

TEST_CASE("the last launch of two dimensions gives pictures their columns") {
  const Folder folder;
  Written run("buffer y = uchar:range:0:1:8\n");
  const std::string words = "y = " + folder / "y.pgm";
  CHECK(run.checked(words) != "ok");
  Geometry plane;
  plane.dimensions = 2;
  plane.global_size = {4, 2, 1};
  run.outputs.set_geometry(plane);
  CHECK(run.checked(words) == "ok");
  CHECK_FALSE(fs::exists(folder / "y.pgm"));
  CHECK(run.out(words) == "ok");
  CHECK(fs::file_size(folder / "y.pgm") == std::string("P5\n4 2\n255\n").size() + 8);
  plane.dimensions = 1;
  run.outputs.set_geometry(plane);
  CHECK(run.checked(words) != "ok");
  CHECK(run.checked("y = " + folder / "y.pgm" + " cols 4") == "ok");
}

TEST_CASE("a check passes names that are unknown, and packets that do not exist yet") {
  Written run("buffer q = pipe uint 4\n");
  CHECK(run.checked("z = z.pgm") == "ok");
  CHECK(run.checked("q = q.pgm") == "ok");
}

TEST_CASE("a shown buffer is a picture, with the range of its numbers in the report") {
  const Folder folder;
  Written run("buffer y = float:range:0:1:4\n");
  OutputStep step = Written::step("y = " + folder / "y.png" + " cols 2");
  step.is_shown = true;
  CHECK(run.outputs.check(step).ok());
  REQUIRE(run.outputs.write(step).ok());
  REQUIRE(run.report.shown.size() == 1);
  CHECK(run.report.shown[0].name == "y");
  CHECK(run.report.shown[0].range == "0 .. 3");
  CHECK(fs::exists(folder / "y.png"));
}

TEST_CASE("an image that differs has pictures, the second time under another name") {
  const Folder folder;
  Written run("buffer a = image 2d R FLOAT 2x2 data:1,2,3,4\nbuffer y = float:zero:4\n");
  DifferencePictures pictures(folder / "new");
  const std::vector<std::byte> expected(4);
  FailedExpectation first, second, none;
  REQUIRE(pictures.write(*run.view("a[1]"), expected, {}, first).ok());
  REQUIRE(pictures.write(*run.view("a[1]"), expected, {}, second).ok());
  CHECK(first.pictures == std::vector{folder / "new/a.got.png", folder / "new/a.expected.png",
                                      folder / "new/a.difference.png"});
  CHECK(second.pictures[0] == folder / "new/a-2.got.png");
  CHECK(first.diagnostic.notes.size() == 1);
  for (const std::string& file : second.pictures) CHECK(fs::exists(file));
  REQUIRE(pictures.write(*run.view("y"), expected, {}, none).ok());
  CHECK(none.pictures.empty());
  CHECK(DifferencePictures::check_folder(folder / "other/one").ok());
  CHECK_FALSE(DifferencePictures::check_folder("/dev/null/pictures").ok());
}

}  // namespace
}  // namespace transpire::test
