// Ends what target_on.hpp began.
#undef SURELIST_TARGET
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
