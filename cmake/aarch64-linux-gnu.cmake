# Debian's cross compiler for aarch64, with libraries of Debian's multi-arch packages (scripts/check-aarch64 installs
# both), and programs run by qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)

# Packages that cannot be installed beside those of this machine are unpacked into a folder.
set(TRANSPIRE_AARCH64_PACKAGES "${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-packages" CACHE PATH
    "Where aarch64 packages are unpacked")
set(CMAKE_PREFIX_PATH ${TRANSPIRE_AARCH64_PACKAGES}/usr)
