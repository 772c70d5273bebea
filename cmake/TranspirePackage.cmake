# What others embed: libtranspire as a shared and as a static library, the headers, the CMake package
# and the pkg-config file. Both libraries are made of the objects of the folders' libraries, so that
# nothing is compiled again. Inside the build, transpire::transpire is the folders' own library.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Changes when the C interface loses or changes something: the N of libtranspire.so.N, and the name of
# the version node in transpire.map.in.
set(TRANSPIRE_ABI 1)

set(package_folder ${PROJECT_BINARY_DIR}/package)
set(package_destination ${CMAKE_INSTALL_LIBDIR}/cmake/transpire)

# Handlers of another build (TRANSPIRE_HANDLERS_FROM) are no objects of a target.
set(package_objects)
list(TRANSFORM TRANSPIRE_INSTRUCTION_SETS PREPEND isa_ OUTPUT_VARIABLE package_handlers)
foreach(folder base decoder decoder_view extinst memory vm_simd vm_ops vm_program vm_lir vm_build vm_passes vm_emit vm_lower
        vm_exec vm_reference ${package_handlers} races scheduler validator compiler analysis reflect findings
        runtime ulp c_api)
  if(NOT TARGET transpire_${folder})
    return()
  endif()
  list(APPEND package_objects $<TARGET_OBJECTS:transpire_${folder}>)
  if(TARGET transpire_${folder}_fast)
    list(PREPEND package_objects $<TARGET_OBJECTS:transpire_${folder}_fast>)
  endif()
endforeach()

configure_file(${CMAKE_CURRENT_LIST_DIR}/transpire.map.in ${package_folder}/transpire.map @ONLY)

foreach(kind shared static)
  string(TOUPPER ${kind} kind_upper)
  add_library(transpire_${kind} ${kind_upper} ${package_objects})
  set_target_properties(transpire_${kind} PROPERTIES OUTPUT_NAME transpire LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${package_folder} ARCHIVE_OUTPUT_DIRECTORY ${package_folder})
  target_compile_features(transpire_${kind} INTERFACE cxx_std_20)
  target_include_directories(transpire_${kind} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
set_target_properties(transpire_shared PROPERTIES EXPORT_NAME transpire
  VERSION ${TRANSPIRE_ABI}.${PROJECT_VERSION} SOVERSION ${TRANSPIRE_ABI}
  LINK_DEPENDS ${package_folder}/transpire.map)
set_target_properties(transpire_static PROPERTIES EXPORT_NAME static)

target_link_libraries(transpire_static PUBLIC SPIRV-Tools-link SPIRV-Tools-opt SPIRV-Tools-static
                      fmt::fmt Threads::Threads)
# fmt as a file: as a target, whoever links the shared library would need fmt's package.
target_link_libraries(transpire_shared PRIVATE transpire_flags $<BUILD_INTERFACE:SPIRV-Tools-link>
                      $<BUILD_INTERFACE:SPIRV-Tools-opt> $<BUILD_INTERFACE:SPIRV-Tools-static>
                      $<TARGET_FILE:fmt::fmt> Threads::Threads)
target_link_options(transpire_shared PRIVATE
                    LINKER:--version-script=${package_folder}/transpire.map)

# The rest installs: the component "library" is what programs run with, "development" what they are made with.
if(NOT TRANSPIRE_INSTALL)
  return()
endif()
foreach(kind shared static)
  install(TARGETS transpire_${kind} EXPORT transpire-${kind}-targets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT transpire-${kind}-targets NAMESPACE transpire:: DESTINATION ${package_destination}
          COMPONENT development)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/transpire ${TRANSPIRE_GENERATED_INCLUDE}/transpire
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/transpire-config.cmake.in
  ${package_folder}/transpire-config.cmake INSTALL_DESTINATION ${package_destination})
# Before 1.0 the C++ interface may change with every minor version.
write_basic_package_version_file(${package_folder}/transpire-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${package_folder}/transpire-config.cmake ${package_folder}/transpire-config-version.cmake
        DESTINATION ${package_destination} COMPONENT development)

# Relative, so that an installation can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE package_prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/transpire.pc.in ${package_folder}/transpire.pc @ONLY)
install(FILES ${package_folder}/transpire.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)
