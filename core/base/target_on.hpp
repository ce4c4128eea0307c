// Compiles what follows for the instruction set that SURELIST_TARGET names, up to target_off.hpp.
//
// Include it after all other headers. A function of the standard library that is compiled for an
// instruction set, but not inlined, may be the copy that the linker keeps for the whole program: it
// must run on every processor. There is no `#pragma once`: each use is one of its own.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target(SURELIST_TARGET))), apply_to = function)
#else
#define SURELIST_PRAGMA(text) _Pragma(#text)
#define SURELIST_GCC_TARGET(target_name) SURELIST_PRAGMA(GCC target(target_name))
#pragma GCC push_options
SURELIST_GCC_TARGET(SURELIST_TARGET)
#undef SURELIST_GCC_TARGET
#undef SURELIST_PRAGMA
#endif
