# A lit test suite of a compiler of OpenCL C. What it compiles is run by Transpire, whose exit code says whether the code
# does what it should:
#
#     lit -v examples/testing/lit -D compile="mycc -emit-spirv"
#
# Parameters (-D NAME=VALUE): compile, the compiler with its options; transpire, the program; output, a folder for what the
# tests write.
import os

import lit.formats

config.name = "kernels"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cl", ".spvasm"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.abspath(lit_config.params.get("output", "lit-output"))

transpire = lit_config.params.get("transpire", "transpire")
compiler = lit_config.params.get("compile", f"{transpire} compile")
config.substitutions.append(("%compile", compiler))
config.substitutions.append(("%transpire", transpire))
if lit.util.which("FileCheck", config.environment["PATH"]):
    config.available_features.add("filecheck")

# TRANSPIRE_THREADS: lit runs a test for each core already.
config.environment["TRANSPIRE_THREADS"] = "1"
