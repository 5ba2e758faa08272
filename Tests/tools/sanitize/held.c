/* Tells LeakSanitizer which objects Swift still holds. LeakSanitizer looks for plain addresses. Swift stores the case of an
 * enum in unused bits of an address, and an object with weak references has the address of its counts in itself, shifted by
 * three bits. So before LeakSanitizer runs, this walks all memory from the same roots, decodes such words, and marks the
 * blocks to which they point as held. */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <sanitizer/lsan_interface.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

const void *__sanitizer_get_allocated_begin(const void *address);
size_t __sanitizer_get_allocated_size(const volatile void *block);

/* A hash table of the blocks found so far, and the blocks among them that have not been read yet. */
enum { ROOM = 1 << 22, SLICE = 1 << 16 };
static uintptr_t *found, *unread, *words;
static size_t found_count, unread_count;

/* Memory that LeakSanitizer does not search. */
static void *room(void) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *room = mmap(0, ROOM * sizeof(uintptr_t), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (room == MAP_FAILED) abort();
  return room;
}

static int is_new(uintptr_t block) {
  size_t place = (block >> 4) * 0x9E3779B97F4A7C15u >> 42;
  while (found[place] && found[place] != block) place = (place + 1) % ROOM;
  if (found[place]) return 0;
  if (++found_count > ROOM / 2) abort();
  found[place] = block;
  return 1;
}

static void follow(uintptr_t address, int is_marked) {
  if (address < 4096 || address >> 47) return;
  uintptr_t block = (uintptr_t)__sanitizer_get_allocated_begin((void *)address);
  if (!block || !is_new(block)) return;
  if (is_marked) __lsan_ignore_object((void *)block);
  unread[unread_count++] = block;
}

/* Reads a word as an address, as an address with marks in its upper or lower bits, and as the address of an object's counts. */
static void read_word(uintptr_t word) {
  if (word >> 56 == 0) {
    follow(word, 0);
    return;
  }
  follow(word & 0x00FFFFFFFFFFFFF8u, 1);
  if (word >> 62 == 3) follow(word << 3 & 0x00FFFFFFFFFFFFF8u, 1);
}

/* Another thread may free memory meanwhile, so unreadable memory is not an error. */
static void read_all(uintptr_t begin, uintptr_t end) {
  for (begin = (begin + 7) & ~(uintptr_t)7; begin + 8 <= end;) {
    size_t size = end - begin < SLICE ? end - begin : SLICE;
    struct iovec here = {words, size}, there = {(void *)begin, size};
    ssize_t count = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (count < 8) return;
    for (ssize_t word = 0; word < count / 8; word++) read_word(words[word]);
    begin += count / 8 * 8;
  }
}

/* Reads the variables of a program or library. */
static int read_module(struct dl_phdr_info *module, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int part = 0; part < module->dlpi_phnum; part++) {
    const ElfW(Phdr) *header = &module->dlpi_phdr[part];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_W)) continue;
    uintptr_t begin = module->dlpi_addr + header->p_vaddr;
    read_all(begin, begin + header->p_memsz);
  }
  return 0;
}

static void read_stack(void) {
  pthread_attr_t attributes;
  void *begin;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes)) return;
  if (!pthread_attr_getstack(&attributes, &begin, &size)) {
    read_all((uintptr_t)__builtin_frame_address(0), (uintptr_t)begin + size);
  }
  pthread_attr_destroy(&attributes);
}

static void tell(void) {
  found = room(), unread = room(), words = room();
  dl_iterate_phdr(read_module, 0);
  read_stack();
  while (unread_count) {
    uintptr_t block = unread[--unread_count];
    read_all(block, block + __sanitizer_get_allocated_size((void *)block));
  }
  munmap(found, ROOM * sizeof *found);
  munmap(unread, ROOM * sizeof *unread);
  munmap(words, ROOM * sizeof *words);
}

/* Functions run in reverse order at exit. LeakSanitizer has registered itself earlier, so it runs after this. */
__attribute__((constructor)) static void prepare(void) { atexit(tell); }
