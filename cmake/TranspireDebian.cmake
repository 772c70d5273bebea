# What cpack makes of the build: Debian packages, one for each component that is installed (docs/packages.md).
# cmake/debian/documents.py adds what Debian wants and other installations do not.
set(TRANSPIRE_MAINTAINER "Transpire maintainers <maintainers@users.noreply.a-seed-4c81c755.example>" CACHE STRING
    "Who the packages say is to be written to")
set(debian_release 1)
set(debian_version ${PROJECT_VERSION}-${debian_release})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME transpire)
set(CPACK_PACKAGE_VENDOR Transpire)
set(CPACK_PACKAGE_CONTACT "${TRANSPIRE_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${debian_release})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(debian_folder ${CMAKE_CURRENT_LIST_DIR}/debian)
# The packages with libraries ask for ldconfig by a trigger. CPackDeb would write scripts besides that call it, which an
# installation into a folder cannot run; files of their names keep it from that, and those that are not there, it leaves out.
set(debian_control ${debian_folder}/triggers ${debian_folder}/none/postinst ${debian_folder}/none/postrm)

# A description is a line, which lists of packages show, what all packages have in common, and what this one is among them.
set(debian_text "Transpire runs SPIR-V modules of the OpenCL kind on the CPU, with no LLVM and
no GPU, and says what their kernels do wrong: where, in which work-item, and
why.")

# transpire_deb(COMPONENT PACKAGE SECTION SUMMARY TEXT [field value]...): fields are CPackDeb's, without their prefix.
function(transpire_deb component package section summary text)
  string(TOUPPER ${component} upper)
  set(fields NAME ${package} SECTION ${section} SOURCE transpire ${ARGN})
  while(fields)
    list(POP_FRONT fields field value)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${value}" PARENT_SCOPE)
  endwhile()
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${debian_text}\n\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  set(debian_packages ${debian_packages} ${component}=${package} PARENT_SCOPE)
endfunction()

# Libraries whose folder has the machine's name can be installed beside those of another machine.
set(debian_multi_arch)
if(CMAKE_LIBRARY_ARCHITECTURE AND CMAKE_INSTALL_LIBDIR MATCHES "/${CMAKE_LIBRARY_ARCHITECTURE}$")
  set(debian_multi_arch MULTIARCH same)
endif()
set(debian_compilers "clang-15, llvm-spirv-15")

set(debian_packages)
if(TARGET transpire)
  transpire_deb(program transpire devel "virtual machine for SPIR-V kernels"
    "This package has the program, its manual page and its completions.\nTo run sources in OpenCL C it calls clang and llvm-spirv, of which versions\nfrom 14 on are found; 15 is recommended."
    SHLIBDEPS ON RECOMMENDS ${debian_compilers} SUGGESTS "transpire-opencl-icd, libmpfr6, glslang-tools")
endif()
if(TARGET transpire_shared)
  set(library_package libtranspire${TRANSPIRE_ABI})
  transpire_deb(library ${library_package} libs "virtual machine for SPIR-V kernels - shared library"
    "This package has what programs need that use Transpire as a library."
    SHLIBDEPS ON PROVIDES "libtranspire (= ${debian_version})" SUGGESTS "${debian_compilers}, libmpfr6" ${debian_multi_arch})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${debian_control})
  # What the static library needs is only recommended: programs with the shared one are made without.
  transpire_deb(development libtranspire-dev libdevel "virtual machine for SPIR-V kernels - development files"
    "This package has the headers for C and C++, the static library, and files\nfor CMake and pkg-config."
    SHLIBDEPS OFF DEPENDS "${library_package} (= ${debian_version})" RECOMMENDS "libfmt-dev, spirv-tools" ${debian_multi_arch})
endif()
if(TARGET transpire_opencl)
  transpire_deb(opencl transpire-opencl-icd libs "virtual machine for SPIR-V kernels - OpenCL driver"
    "This package has a driver with which programs that use OpenCL run on\nTranspire unchanged. For programs in OpenCL C it calls clang and\nllvm-spirv, of which versions from 14 on are found; 15 is recommended."
    SHLIBDEPS ON PROVIDES opencl-icd RECOMMENDS "ocl-icd-libopencl1 | libopencl1, ${debian_compilers}" SUGGESTS "transpire, libmpfr6"
    ENHANCES libopencl1 ${debian_multi_arch})
  set(CPACK_DEBIAN_OPENCL_PACKAGE_CONTROL_EXTRA ${debian_folder}/conffiles ${debian_control})
endif()
if(NOT debian_packages)  # as where handlers come from another build
  return()
endif()
# Which package has which version of the library: for the packages that are made of programs that link it.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

configure_file(${debian_folder}/documents.cmake.in ${PROJECT_BINARY_DIR}/package/documents.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/package/documents.cmake)
include(CPack)
