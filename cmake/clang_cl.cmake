# Windows. Exact objectives need 128-bit integers, which Microsoft's compiler lacks and Clang has; its
# clang-cl makes libraries that go with Microsoft's, and comes with Visual Studio: cmake -T ClangCL.
# Nobody has tested this yet.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "Surelist needs 128-bit integers, which this compiler lacks. Build it with "
          "clang-cl: set the environment variable CMAKE_GENERATOR_TOOLSET to ClangCL.")
endif()
# Division of these integers is in Clang's run-time library, of which Microsoft's linker knows nothing.
cmake_path(GET CMAKE_CXX_COMPILER PARENT_PATH SURELIST_CLANG)
file(GLOB SURELIST_RUNTIME
     "${SURELIST_CLANG}/../lib/clang/*/lib/windows/clang_rt.builtins-x86_64.lib"
     "${SURELIST_CLANG}/../lib/clang/*/lib/x86_64-pc-windows-msvc/clang_rt.builtins.lib")
if(NOT SURELIST_RUNTIME)
  message(FATAL_ERROR "No clang_rt.builtins library beside ${CMAKE_CXX_COMPILER}")
endif()
list(GET SURELIST_RUNTIME 0 SURELIST_RUNTIME)
target_link_libraries(surelist_core PUBLIC "${SURELIST_RUNTIME}")
