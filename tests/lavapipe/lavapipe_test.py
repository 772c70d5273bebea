#!/usr/bin/env python3
"""Runs the golden programs of compute shaders on lavapipe as well, and compares the bytes that both leave in all buffers.

    lavapipe_test.py TRANSPIRE HOST PROGRAMS [NAME...]

HOST is the program of host.cpp, PROGRAMS the folder of expanded golden programs. Transpire makes the inputs: it runs the launch with an
entry point that does nothing, and writes each buffer to a file."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ICD = '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json'
SKIPPED = 77
PUSH_SET = 99
SPEC_FORMATS = {'bool': '<I', 'char': '<b', 'uchar': '<B', 'short': '<h', 'ushort': '<H', 'int': '<i', 'uint': '<I', 'long': '<q',
                'ulong': '<Q', 'half': '<e', 'float': '<f', 'double': '<d'}

# Capabilities that lavapipe has not, or that make results depend on addresses.
NOT_THERE = {'PhysicalStorageBufferAddresses', 'ComputeDerivativeGroupQuadsNV', 'ComputeDerivativeGroupLinearNV', 'IntegerFunctions2INTEL',
             'GroupNonUniformPartitionedNV', 'SubgroupBallotKHR', 'WorkgroupMemoryExplicitLayoutKHR', 'Groups', 'Int64ImageEXT',
             'SparseResidency', 'MinLod'}
VIEWS = {'1d': 0, '2d': 1, '3d': 2, 'cube': 3, '1d_array': 4, '2d_array': 5, 'cube_array': 6}
ADDRESSES = {'repeat': 0, 'mirrored_repeat': 1, 'clamp_to_edge': 2, 'clamp': 3}
BORDERS = ['transparent_black', 'opaque_black', 'opaque_white']  # each of floats, then of integers
COMPARES = ['never', 'less', 'equal', 'less_or_equal', 'greater', 'not_equal', 'greater_or_equal', 'always']
FORMATS = {  # by order, then by type: numbers of VkFormat
    'R': {'UNORM_INT8': 9, 'SNORM_INT8': 10, 'UNSIGNED_INT8': 13, 'SIGNED_INT8': 14, 'UNORM_INT16': 70, 'SNORM_INT16': 71, 'UNSIGNED_INT16': 74,
          'SIGNED_INT16': 75, 'HALF_FLOAT': 76, 'UNSIGNED_INT32': 98, 'SIGNED_INT32': 99, 'FLOAT': 100, 'UNSIGNED_INT64': 110,
          'SIGNED_INT64': 111},
    'RG': {'UNORM_INT8': 16, 'SNORM_INT8': 17, 'UNSIGNED_INT8': 20, 'SIGNED_INT8': 21, 'UNORM_INT16': 77, 'SNORM_INT16': 78, 'UNSIGNED_INT16': 81,
           'SIGNED_INT16': 82, 'HALF_FLOAT': 83, 'UNSIGNED_INT32': 101, 'SIGNED_INT32': 102, 'FLOAT': 103},
    'RGBA': {'UNORM_INT8': 37, 'SNORM_INT8': 38, 'UNSIGNED_INT8': 41, 'SIGNED_INT8': 42, 'UNORM_INT16': 91, 'SNORM_INT16': 92,
             'UNSIGNED_INT16': 95, 'SIGNED_INT16': 96, 'HALF_FLOAT': 97, 'UNSIGNED_INT32': 107, 'SIGNED_INT32': 108, 'FLOAT': 109},
    'ABGR': {'UNORM_INT_2_101010': 64, 'UNSIGNED_INT_2_101010': 68},
    'BGR': {'UFLOAT_101111': 122},
    'DEPTH': {'UNORM_INT16': 124, 'FLOAT': 126},
}

# Programs whose results the specification leaves open, or that lavapipe does not take: the reason, and how the results may differ.
# 'skip' runs nothing; a number is how far apart floats may be, relative to the greater of both or to 1.
DIFFERENCES = {
    'core': ('OpQuantizeToF16 keeps the sign of what becomes zero ("the result is negative 0"); lavapipe gives 0', 'skip'),
    'quantize': ('OpQuantizeToF16 makes what is below the smallest normalised half zero; lavapipe rounds it up to that half', 'skip'),
    'borders': ('Vulkan does not say how a filter rounds', 1e-6),
    'open_arrays': ('lavapipe takes the length of one buffer for all work-items, though their index is NonUniform', 'skip'),
    'descriptor_arrays': ('lavapipe takes the length of one buffer for all work-items, though their index is NonUniform', 'skip'),
    **{f'amd_{name}': ('lavapipe has not the extensions of AMD', 'skip') for name in ('gcn', 'trinary', 'ballot')},
    **{f'robust_{name}': ('accesses out of bounds, for which the device would have to be asked for robust access', 'skip')
       for name in ('zero', 'moved_pointers_zero', 'moved_untyped_zero', 'words_zero', 'images_zero', 'images_clamp',
                    'null_images_zero', 'null_images_clamp')},
    **{f'robust_{name}': ('accesses out of bounds, which go to where Vulkan does not say', 'skip')
       for name in ('far', 'clamp', 'moved_pointers_clamp', 'moved_untyped_clamp', 'words_clamp')},
    **{f'parts_of_numbers_{name}': ('Vulkan does not say what Frexp and Ldexp give for denormals and infinities', 'skip')
       for name in ('half', 'float', 'double')},
    'reference_math': ('Vulkan has no reference mode', 'skip'),
    'simple_model': ('Vulkan has no memory model Simple', 'skip'),
}


class Skipped(Exception):
    pass


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors='replace', **options)


def assemble(program, folder):
    """The module of a program, in words."""
    module = folder / 'module.spv'
    if program.suffix == '.comp':
        result = run(['glslangValidator', '-V', '--target-env', 'vulkan1.2', '-o', module, program])
    elif program.suffix == '.hlsl':
        result = run(['glslangValidator', '-D', '-e', 'main', '-S', 'comp', '-V', '--target-env', 'vulkan1.1', '-o', module, program])
    else:
        result = run(['spirv-as', '--preserve-numeric-ids', '--target-env', 'spv1.3', '-o', module, program])
    if result.returncode:
        raise Skipped(result.stdout + result.stderr)
    return module


def without_effect(module, folder):
    """A copy of the module whose entry points call their function under a condition that is never true."""
    text = run(['spirv-dis', '--raw-id', module]).stdout
    entries = re.findall(r'OpEntryPoint GLCompute (%\d+) ', text)
    free = int(re.search(r'; Bound: (\d+)', text)[1])
    ids = (f'%{number}' for number in range(free, free + 1000))
    added = []

    def type_of(pattern, declaration):
        known = re.search(rf'^ *(%\d+) = {pattern}$', text, re.M)
        if known:
            return known[1]
        name = next(ids)
        added.append(f'{name} = {declaration}')
        return name

    void = type_of('OpTypeVoid', 'OpTypeVoid')
    function_type = type_of(f'OpTypeFunction {void}', f'OpTypeFunction {void}')
    boolean = type_of('OpTypeBool', 'OpTypeBool')
    false = next(ids)
    added.append(f'{false} = OpConstantFalse {boolean}')
    wrappers = []
    for entry in entries:
        wrapper, first, call, end, result = (next(ids) for _ in range(5))
        text = re.sub(rf'(OpEntryPoint GLCompute|OpExecutionMode|OpExecutionModeId) {entry} ', rf'\1 {wrapper} ', text)
        wrappers += [f'{wrapper} = OpFunction {void} None {function_type}', f'{first} = OpLabel', f'OpSelectionMerge {end} None',
                     f'OpBranchConditional {false} {call} {end}', f'{call} = OpLabel', f'{result} = OpFunctionCall {void} {entry}',
                     f'OpBranch {end}', f'{end} = OpLabel', 'OpReturn', 'OpFunctionEnd']
    # A buffer in place of the push constants shows their values.
    push = re.search(r'^ *(%\d+) = OpVariable %\d+ PushConstant', text, re.M)
    if push:
        text = re.sub(r'( = OpTypePointer| = OpVariable %\d+) PushConstant', r'\1 StorageBuffer', text)
        decorations = f'OpDecorate {push[1]} DescriptorSet {PUSH_SET}\nOpDecorate {push[1]} Binding 0\n'
        text = re.sub(r'^ *OpDecorate ', lambda match: decorations + match[0], text, count=1, flags=re.M)
    at = re.search(r'^ *%\d+ = OpFunction ', text, re.M).start()
    copy = folder / 'nothing.spvasm'
    copy.write_text(text[:at] + '\n'.join(added) + '\n' + text[at:] + '\n'.join(wrappers) + '\n')
    return copy


def uniform_buffers(text):
    """The (set, binding) of each uniform buffer in the module's assembly. A BufferBlock is a storage buffer of the same storage class."""
    blocks = re.findall(r'OpDecorate (%\d+) Block$', text, re.M)
    pointers = {pointer for pointer, block in re.findall(r'(%\d+) = OpTypePointer Uniform (%\d+)', text) if block in blocks}
    places = {}
    for name, what, number in re.findall(r'OpDecorate (%\d+) (DescriptorSet|Binding) (\d+)', text):
        places.setdefault(name, {})[what] = int(number)
    return {(places[name]['DescriptorSet'], places[name]['Binding'])
            for name, pointer in re.findall(r'(%\d+) = OpVariable (%\d+) Uniform', text) if pointer in pointers}


def launch_lines(program):
    """The program's launch lines that say what is launched, not what comes out."""
    lines = [line[3:].strip() for line in program.read_text().splitlines() if re.match('(//|;)!', line)]
    if '\n; target:' in program.read_text():
        raise Skipped('needs a later version of SPIR-V than the launches are assembled for')
    if any(line.startswith(('expect fault', 'expect refused')) for line in lines):
        raise Skipped('its mistakes have no results')
    if any(line.split()[0] in ('launch', 'kernel', 'repeat', 'offset') for line in lines):
        raise Skipped('more than one dispatch')
    return [line for line in lines if not line.startswith(('expect', 'print', 'check', 'subgroup-size', 'out'))]


def argument_of(parameter, lines):
    """The words of the launch line that gives a parameter's value, which names it or its place."""
    names = [parameter['name']]
    if 'binding' in parameter:
        place = parameter['binding']
        names.append(f"{place['set']}.{place['binding']}{place.get('part', '')}")
    for line in lines:
        match = re.match(r'arg (\S+) = (.*)', line)
        if match and match[1] in names:
            return match[2].split()
    raise Skipped(f'no line gives {names[0]}')


def with_elements(parameters, lines):
    """The parameters with all elements of arrays without a length that a line gives, of which the module's description has the first."""
    all_of_them = []
    for parameter in parameters:
        place = parameter.get('binding', {})
        if not place.get('open_array'):
            all_of_them.append(parameter)
            continue
        array, rest = parameter['name'].split('[0]')
        names = f'(?:{re.escape(array)}|{place["set"]}[.]{place["binding"]})'
        given = {int(index) for line in lines for index in re.findall(rf'^arg {names}\[(\d+)\]{re.escape(rest)} = ', line)}
        all_of_them += [{**parameter, 'name': f'{array}[{index}]{rest}', 'binding': {**place, 'part': f'[{index}]{rest}'}} for index in sorted(given)]
    return all_of_them


def sampler_words(words, of_integers):
    compare = next((COMPARES.index(word[8:]) for word in words if word.startswith('compare_')), -1)
    address = next((number for name, number in ADDRESSES.items() if name in words), None)
    if address is None or any(word.startswith('mip_') for word in words):
        raise Skipped(f'a sampler {" ".join(words)}')
    border = next((2 * number for number, name in enumerate(BORDERS) if f'border_{name}' in words), 0)
    return [int('linear' in words), address, int('normalized' not in words), compare, border + of_integers]


def image_words(words, kind, is_written):
    """What the host is told of `image KIND ORDER TYPE SIZES`; `kind` is that of the shader."""
    if any(word in ('levels', 'samples') for word in words) or words[0] != 'image':
        raise Skipped(f'an image with {" ".join(words)}')
    sizes = ([int(size) for size in words[4].split('x')] + [1, 1])[:3]
    if words[3] not in FORMATS.get(words[2], {}):
        raise Skipped(f'texels of {words[2]} {words[3]}')
    number = FORMATS[words[2]][words[3]]
    use = 'storage' if is_written else 'uniform'
    if kind.endswith('buffer'):
        return use + '_texels', [0, number, *sizes, 1]
    layers = 1
    if kind == '1d_array':
        sizes, layers = [sizes[0], 1, 1], sizes[1]
    elif kind in ('2d_array', 'cube', 'cube_array'):
        sizes, layers = [*sizes[:2], 1], sizes[2]
    return 'storage_image' if is_written else 'sampled_image', [VIEWS[kind], number, *sizes, layers]


def leave_buffers(transpire, module, lines, parameters, folder, name, subgroup_size):
    """Runs the launch; returns the bytes of each parameter after it, by name."""
    launch = folder / f'{name}.launch'
    files = [folder / f'{name}.{index}.bin' for index in range(len(parameters))]
    outs = [f'out {parameter["name"]} = {file.name}' for parameter, file in zip(parameters, files)
            if not parameter.get('sampler') and (name == 'before' or parameter['type'].get('address_space') != 'push constant')]
    launch.write_text('\n'.join([f'module {module.name}', f'subgroup-size {subgroup_size}', *lines, *outs]) + '\n')
    result = run([transpire, 'run', launch])
    if result.returncode:
        raise RuntimeError(f'transpire run {launch}: {result.returncode}\n{result.stdout}{result.stderr}')
    return [file.read_bytes() if file.exists() else b'' for file in files], result.stdout


def spec_bytes(line, constants):
    name, value = re.match(r'spec (\S+) = (\S+)$', line).groups()
    constant = next(one for one in constants if name in (str(one['spec_id']), one['name']))
    number = value.split(':')[-1]
    pattern = SPEC_FORMATS[constant['type']['spelling']]
    number = {'true': 1, 'false': 0}.get(number) if number in ('true', 'false') else float(number) if pattern[1] in 'efd' else int(number, 0)
    return ['spec', constant['spec_id'], struct.pack(pattern, number).hex()]


def far_apart(left, right, tolerance):
    """The first float at which the bytes differ by more than the tolerance allows."""
    for index, (a, b) in enumerate(zip(struct.unpack(f'<{len(left) // 4}f', left), struct.unpack(f'<{len(right) // 4}f', right))):
        if left[4 * index:4 * index + 4] != right[4 * index:4 * index + 4] and not abs(a - b) <= tolerance * max(abs(a), abs(b), 1):
            return index
    return None


def compare(transpire, host, program, subgroup_size):
    """Raises Skipped or RuntimeError unless both leave the same."""
    rule = DIFFERENCES.get(program.stem, (None, 0))[1]
    if rule == 'skip':
        raise Skipped(DIFFERENCES[program.stem][0])
    lines = launch_lines(program)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        module = assemble(program, folder)
        if b'OpenCL.std' in module.read_bytes():
            raise Skipped('it also calls functions of OpenCL.std')
        info = json.loads(run([transpire, 'info', '--format', 'json', module]).stdout)
        if missing := NOT_THERE & set(info['module']['capabilities']):
            raise Skipped(f'lavapipe has not {", ".join(missing)}')
        kernel = info['kernels'][0]
        parameters = with_elements(kernel['parameters'], lines)
        of_integers = all(parameter['image']['texels'] != 'floats' for parameter in parameters if 'image' in parameter)
        as_data = [re.sub(r'^(arg \S+ = )struct \{', r'\1data:{', line) for line in lines]
        inputs, said = leave_buffers(transpire, without_effect(module, folder), as_data, parameters, folder, 'before', subgroup_size)
        outputs, _ = leave_buffers(transpire, module, lines, parameters, folder, 'after', subgroup_size)
        total, group = re.search(r': (\S+) work-items? in groups of (\S+),', said).groups()
        groups = [int(a) // int(b) for a, b in zip(total.split('x'), group.split('x'))]
        uniforms = uniform_buffers(run(['spirv-dis', '--raw-id', module]).stdout)
        words = []
        for index, parameter in enumerate(parameters):
            file = folder / f'vulkan.{index}'
            file.write_bytes(inputs[index])
            if parameter['type'].get('address_space') == 'push constant':
                words += ['push', file]
                continue
            binding = parameter['binding']
            place = (binding['set'], binding['binding'])
            index = re.match(r'\[(\d+)\]', binding.get('part', ''))
            given = [*place, int(index[1]) if index else 0]
            if parameter.get('sampler'):
                words += ['sampler', *given, *sampler_words(argument_of(parameter, lines), of_integers)]
            elif 'image' in parameter:
                image = parameter['image']
                spelling = parameter['type']['spelling']
                kind = 'cube_array' if 'CubeArray' in spelling else 'cube' if 'Cube' in spelling else image['kind']
                use, description = image_words(argument_of(parameter, lines), kind, image['access'] != 'read_only')
                words += [use, *given, *description, file]
            else:
                words += ['uniform' if place in uniforms else 'storage', *given, file]
        for line in lines:
            if line.startswith('spec '):
                words += spec_bytes(line, info['module']['spec_constants'])
        result = run([host, module, kernel['name'], *(groups + [1, 1])[:3], *words], env={**os.environ, 'VK_ICD_FILENAMES': ICD})
        if result.returncode == SKIPPED:
            raise Skipped(result.stderr.strip())
        if result.returncode:
            raise RuntimeError(f'lavapipe: {result.stderr.strip()} ({result.returncode})')
        for index, parameter in enumerate(parameters):
            found = (folder / f'vulkan.{index}').read_bytes()
            if found == outputs[index] or not outputs[index]:
                continue
            at = far_apart(outputs[index], found, rule) if rule else next(i for i, pair in enumerate(zip(found, outputs[index])) if pair[0] != pair[1]) // 4
            if at is not None:
                raise RuntimeError(f'{parameter["name"]}: word {at} is {outputs[index][4 * at:4 * at + 4].hex()} here and {found[4 * at:4 * at + 4].hex()} there')


def main():
    transpire, host, programs, *names = sys.argv[1:]
    if not pathlib.Path(ICD).exists():
        print('lavapipe is not installed')
        sys.exit(SKIPPED)
    subgroup_size = run([host, 'subgroup-size'], env={**os.environ, 'VK_ICD_FILENAMES': ICD}).stdout.strip()
    found = sorted(path for path in pathlib.Path(programs, 'shader').iterdir() if path.suffix in ('.comp', '.hlsl')
                   or path.suffix == '.spvasm' and 'OpEntryPoint GLCompute' in path.read_text())
    found = [path for path in found if not names or path.stem in names]
    counts = collections.Counter()

    def judge(path):
        try:
            compare(transpire, host, path, subgroup_size)
            return path, 'agrees', ''
        except Skipped as reason:
            return path, 'skipped', str(reason)
        except (RuntimeError, AttributeError, KeyError, ValueError) as error:
            return path, 'differs', f'{type(error).__name__}: {error}'

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, verdict, reason in pool.map(judge, found):
            counts[verdict] += 1
            if verdict != 'agrees':
                print(f'{path.stem}: {verdict}: {reason}')
    print(f'{counts["agrees"]} programs agree, {counts["differs"]} differ, {counts["skipped"]} skipped')
    sys.exit(counts['differs'] != 0 or counts['agrees'] == 0)


main()
