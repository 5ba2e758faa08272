/* What Swift's runtime asks for the arguments of the program. Its own answer is made at every start, before the program
   begins: it reads the list of all that is mapped into memory, to find the stack and the arguments below it. glibc hands
   them to every function that it calls when it loads a program.

   A program that has the runtime inside takes this definition for the runtime's; where there is a second one after all,
   or the runtime asks in another way, its own stays in force. */
#include <features.h>

#ifdef __GLIBC__

static int argument_count;
static char **argument_values;

__attribute__((constructor)) static void keep(int count, char **values) {
  argument_count = count;
  argument_values = values;
}

__attribute__((weak, swiftcall)) char **_swift_stdlib_getUnsafeArgvArgc(int *count);

char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = argument_count;
  return argument_values;
}

#endif
