#!/usr/bin/env python3
"""The driver as pyopencl sees it: kernels from source and from SPIR-V, images, build errors, events, profiling.

Exits with 77 (skipped) where pyopencl is not installed.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pyopencl as cl
    import pyopencl.array as cl_array
except ImportError:
    print("skipped: pyopencl is not installed")
    sys.exit(77)

SAXPY = """
kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
"""


def run_saxpy(context: cl.Context, queue: cl.CommandQueue, program: cl.Program) -> None:
    x = np.arange(1024, dtype=np.float32)
    y = np.ones(1024, dtype=np.float32)
    flags = cl.mem_flags
    x_buffer = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x)
    y_buffer = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=y)
    event = program.saxpy(queue, x.shape, (64,), y_buffer, x_buffer, np.float32(3))
    result = np.empty_like(y)
    cl.enqueue_copy(queue, result, y_buffer)
    assert np.array_equal(result, 3 * x + 1)
    assert event.profile.end >= event.profile.start >= event.profile.submit >= event.profile.queued


def check_source(context: cl.Context, queue: cl.CommandQueue) -> None:
    program = cl.Program(context, SAXPY).build("-cl-kernel-arg-info")
    run_saxpy(context, queue, program)
    kernel = program.all_kernels()[0]
    info = cl.kernel_arg_info
    assert kernel.get_arg_info(0, info.TYPE_NAME) == "float*"
    assert kernel.get_arg_info(1, info.NAME) == "x"
    binary = cl.Program(context, context.devices, program.binaries).build()
    run_saxpy(context, queue, binary)


def check_il(context: cl.Context, queue: cl.CommandQueue) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "saxpy.cl")
        source.write_text(SAXPY, encoding="utf-8")
        try:
            subprocess.run(["clang-15", "-x", "cl", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown",
                            "-emit-llvm", "-c", "-O1", "-o", folder + "/saxpy.bc", str(source)], check=True)
            subprocess.run(["llvm-spirv-15", folder + "/saxpy.bc", "-o", folder + "/saxpy.spv"], check=True)
        except FileNotFoundError:
            return
        module = pathlib.Path(folder, "saxpy.spv").read_bytes()
    run_saxpy(context, queue, cl.Program(context, module).build())


def check_arrays(queue: cl.CommandQueue) -> None:
    """pyopencl's own kernels: element-wise expressions, reductions, scans."""
    a = cl_array.arange(queue, 10_000, dtype=np.int32)
    doubled = a * 2 + 1
    assert np.array_equal(doubled.get(), np.arange(10_000, dtype=np.int32) * 2 + 1)
    assert cl_array.sum(a).get() == 10_000 * 9_999 // 2
    assert cl_array.max(doubled).get() == 19_999


def check_images(context: cl.Context, queue: cl.CommandQueue) -> None:
    """A picture turned by a quarter, with what numpy and pyopencl make of images."""
    picture = np.random.default_rng(1).integers(0, 256, (24, 40, 4), dtype=np.uint8)
    source = cl.image_from_array(context, picture, 4, mode="r", norm_int=True)
    flags, types = cl.mem_flags, cl.channel_type
    form = cl.ImageFormat(cl.channel_order.RGBA, types.UNORM_INT8)
    assert form in cl.get_supported_image_formats(context, flags.READ_WRITE, cl.mem_object_type.IMAGE2D)
    target = cl.Image(context, flags.WRITE_ONLY, form, shape=(24, 40))
    sampler = cl.Sampler(context, False, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.NEAREST)
    program = cl.Program(context, """
        kernel void turn(read_only image2d_t from, write_only image2d_t to, sampler_t how) {
          const int2 at = (int2)(get_global_id(0), get_global_id(1));
          write_imagef(to, at, read_imagef(from, how, (int2)(get_image_width(from) - 1 - at.y, at.x)));
        }""").build()
    program.turn(queue, target.shape, None, source, target, sampler)
    turned = np.empty((40, 24, 4), dtype=np.uint8)
    cl.enqueue_copy(queue, turned, target, origin=(0, 0), region=(24, 40))
    assert np.array_equal(turned, np.rot90(picture))
    assert (source.width, source.height, source.element_size) == (40, 24, 4)


def check_errors(context: cl.Context) -> None:
    try:
        cl.Program(context, "kernel void k(global int *a) {\n  a[0] = b;\n}").build()
    except cl.RuntimeError as error:
        assert re.search(r"<source \d+>:2:10: error: use of undeclared identifier 'b'", str(error)), error
    else:
        raise AssertionError("a wrong program was built")


def main() -> int:
    platform = next(p for p in cl.get_platforms() if p.name == "Transpire")
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    check_source(context, queue)
    check_il(context, queue)
    check_arrays(queue)
    check_images(context, queue)
    check_errors(context)
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
