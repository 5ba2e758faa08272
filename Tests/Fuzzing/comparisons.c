// What is compared with what, of which libFuzzer would keep a note each time to make inputs of it: a fifth of the time,
// and nothing was reached sooner by it, since the words that matter are in Words and Seeds. The linker puts these in
// place of its own.
#include <stdint.h>

#define IGNORE(name, type) \
  void __wrap___sanitizer_cov_trace_##name(type left, type right) { (void)left, (void)right; }

IGNORE(cmp1, uint8_t)
IGNORE(cmp2, uint16_t)
IGNORE(cmp4, uint32_t)
IGNORE(cmp8, uint64_t)
IGNORE(const_cmp1, uint8_t)
IGNORE(const_cmp2, uint16_t)
IGNORE(const_cmp4, uint32_t)
IGNORE(const_cmp8, uint64_t)

void __wrap___sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) { (void)value, (void)cases; }
