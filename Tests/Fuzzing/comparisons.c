// libFuzzer keeps a note of what is compared with what, to make inputs of it. That takes up to two fifths of the time,
// and notes of one input in eight lead as far. The linker puts these in place of its own.
#include <stddef.h>
#include <stdint.h>

static unsigned inputs;

int __real_LLVMFuzzerTestOneInput(const uint8_t *start, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *start, size_t size) {
  inputs++;
  return __real_LLVMFuzzerTestOneInput(start, size);
}

// The last thing that each of them does is the call, so that libFuzzer sees where the comparison is.
#define NOTE(name, type, other) \
  void __real___sanitizer_cov_trace_##name(type left, other right); \
  void __wrap___sanitizer_cov_trace_##name(type left, other right) { \
    if (inputs % 8 == 0) __real___sanitizer_cov_trace_##name(left, right); \
  }

NOTE(cmp1, uint8_t, uint8_t)
NOTE(cmp2, uint16_t, uint16_t)
NOTE(cmp4, uint32_t, uint32_t)
NOTE(cmp8, uint64_t, uint64_t)
NOTE(const_cmp1, uint8_t, uint8_t)
NOTE(const_cmp2, uint16_t, uint16_t)
NOTE(const_cmp4, uint32_t, uint32_t)
NOTE(const_cmp8, uint64_t, uint64_t)
NOTE(switch, uint64_t, uint64_t *)
