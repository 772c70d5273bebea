# One library per folder. Includes are written from the repository's root ("decoder/module.h"), and find
# the folders that the library links.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The shared library exports what carries TRANSPIRE_API, and nothing else.
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

add_library(transpire_flags INTERFACE)
# Exactness: no contraction, no value-changing optimisation, on every instruction set.
target_compile_options(transpire_flags INTERFACE -Wall -Wextra $<$<BOOL:${TRANSPIRE_WERROR}>:-Werror> -ffp-contract=off
                       -fno-strict-aliasing)
# Clang warns of `|` and `&` of truth values, which stand where vector code must have no branches.
target_compile_options(transpire_flags INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-bitwise-instead-of-logical>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-bitwise-conditional-parentheses>)
if(TRANSPIRE_SANITIZE)
  target_compile_options(transpire_flags INTERFACE -fsanitize=${TRANSPIRE_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # G++ 12 then warns of std::optional and std::regex as uninitialised, and of a vector's bytes as too few.
  target_compile_options(transpire_flags INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-stringop-overflow>")
  target_link_options(transpire_flags INTERFACE -fsanitize=${TRANSPIRE_SANITIZE})
endif()

# Headers that most files include are compiled once: two thirds of the time that goes into parsing.
# Files include what they use all the same: the sanitizer presets build without.
option(TRANSPIRE_PRECOMPILE "Precompile headers of the standard library, fmt and doctest" ON)
set(TRANSPIRE_PRECOMPILED_HEADERS
    <algorithm> <array> <bit> <cstdint> <cstring> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <unordered_map> <utility> <vector> <fmt/format.h>)

# transpire_precompiled(NAME [HEADERS headers...] [OPTIONS options...] [LINK targets...])
#
# A set of precompiled headers for targets that compile with the same options, which the compiler insists on:
# those above, and HEADERS. Its target is transpire_precompiled_<NAME>.
function(transpire_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;OPTIONS;LINK" ${ARGN})
  if(NOT TRANSPIRE_PRECOMPILE)
    return()
  endif()
  set(target transpire_precompiled_${name})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${target} OBJECT ${source})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} transpire_flags fmt::fmt)
  target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${TRANSPIRE_PRECOMPILED_HEADERS} ${ARG_HEADERS})
endfunction()

# Makes targets use the set NAME. Clang insists on one visibility, too.
function(transpire_precompile name)
  if(TRANSPIRE_PRECOMPILE)
    foreach(target ${ARGN})
      get_target_property(visibility ${target} CXX_VISIBILITY_PRESET)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT visibility STREQUAL CMAKE_CXX_VISIBILITY_PRESET)
        continue()
      endif()
      target_precompile_headers(${target} REUSE_FROM transpire_precompiled_${name})
      set_target_properties(${target} PROPERTIES PCH_WARN_INVALID ${transpire_known_machine})
    endforeach()
  endif()
endfunction()

# Many files a compilation: what a compiler does for each anew, such as reading the precompiled headers and
# making the same templates, is half of its time. The sanitizer presets compile each alone, so a file cannot
# come to need another one's declarations. For work on one file, -DTRANSPIRE_UNITY=OFF is the faster way.
option(TRANSPIRE_UNITY "Compile several files of a target together" ON)

# transpire_unity(TARGET [ALONE files...] [BATCH n]): ALONE are those that define a name of another file for themselves;
# what the compiler says of such a file is "redefinition" or "ambiguous". BATCH: how many at a time, a hundred by default.
function(transpire_unity target)
  cmake_parse_arguments(ARG "" "BATCH" "ALONE" ${ARGN})
  if(NOT ARG_BATCH)
    set(ARG_BATCH 100)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TRANSPIRE_UNITY} UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
  if(ARG_ALONE)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# Without collecting garbage below a gigabyte g++ is a tenth faster on such files.
if(TRANSPIRE_UNITY)
  target_compile_options(transpire_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
endif()

# Outside the way of a kernel, code is compiled with little optimisation: two thirds of the time that -O2 takes.
# G++ 12 then warns of variables as uninitialised that are not.
set(TRANSPIRE_QUICK_COMPILE $<$<CONFIG:Release>:-Og> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)

transpire_precompiled(rooms)
transpire_precompiled(quick_rooms OPTIONS ${TRANSPIRE_QUICK_COMPILE})

# A room: the headers of one folder, which others include from the repository's root ("vm/lir/lir.h").
# Its include path holds that folder alone, so a target sees the rooms that it links and no others: an
# include against the order of docs/architecture.md finds no file. transpire_rooms lists them.
#
# transpire_room_path(NAME FOLDER): sets ${NAME} to the include path of FOLDER's room.
function(transpire_room_path variable folder)
  string(REPLACE "/" "_" name ${folder})
  set(root ${PROJECT_BINARY_DIR}/rooms/${name})
  get_filename_component(parent ${root}/${folder} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
  set(${variable} ${root} PARENT_SCOPE)
endfunction()

# transpire_room(FOLDER [LINK targets...]): a room of headers only, target transpire_<folder>.
function(transpire_room folder)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  transpire_room_path(path ${folder})
  add_library(transpire_${name} INTERFACE)
  target_include_directories(transpire_${name} INTERFACE ${path})
  target_link_libraries(transpire_${name} INTERFACE ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY transpire_rooms ${folder})
endfunction()

# transpire_library(FOLDER SOURCES... [QUICK_SOURCES...] [LINK targets...] [QUICK] [PRECOMPILED name])
#
# A room with sources, target transpire_<folder> with "_" for "/". LINK names the rooms that it may include.
# PRECOMPILED is a set of precompiled headers, if not the one of all (QUICK) rooms. QUICK is for all sources;
# beside QUICK_SOURCES, the SOURCES are those of another target, transpire_<folder>_fast, whose objects the room contains.
function(transpire_library folder)
  cmake_parse_arguments(ARG "QUICK" "PRECOMPILED" "SOURCES;QUICK_SOURCES;LINK" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  transpire_room_path(path ${folder})
  if(ARG_QUICK_SOURCES)
    transpire_fast_objects(transpire_${name} ${ARG_SOURCES})
    target_include_directories(transpire_${name}_fast PRIVATE ${path})
    target_link_libraries(transpire_${name}_fast PRIVATE ${ARG_LINK})
    set(ARG_SOURCES ${ARG_QUICK_SOURCES} $<TARGET_OBJECTS:transpire_${name}_fast>)
    set(ARG_QUICK TRUE)
  endif()
  add_library(transpire_${name} STATIC ${ARG_SOURCES})
  target_include_directories(transpire_${name} PUBLIC ${path})
  target_link_libraries(transpire_${name} PUBLIC ${ARG_LINK} PRIVATE transpire_flags)
  set_property(GLOBAL APPEND PROPERTY transpire_rooms ${folder})
  set(precompiled rooms)
  if(ARG_QUICK)
    target_compile_options(transpire_${name} PRIVATE ${TRANSPIRE_QUICK_COMPILE})
    set(precompiled quick_rooms)
  endif()
  if(ARG_PRECOMPILED)
    set(precompiled ${ARG_PRECOMPILED})
  endif()
  transpire_precompile(${precompiled} transpire_${name})
endfunction()

# transpire_fast_objects(TARGET SOURCES...): an object library, TARGET_fast, of the files of a quickly compiled target that a launch
# goes through. Linkers take the first of several definitions of an inline function, and CMake puts these objects first.
function(transpire_fast_objects target)
  add_library(${target}_fast OBJECT ${ARGN})
  target_link_libraries(${target}_fast PRIVATE transpire_flags)
  transpire_precompile(rooms ${target}_fast)
  transpire_unity(${target}_fast)
endfunction()
