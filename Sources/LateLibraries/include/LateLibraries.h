/* The functions that this target defines are those of the libraries' own headers, and one of Swift's runtime, which takes
   its time before the program begins (arguments.c). What is its own is what happens where a library cannot be had. */

#pragma once

/* Called in place of the function that was asked for, on the thread that asked, with what the loader says: it names the
   library. It must end the program, which else aborts. */
typedef void (*late_ending)(const char *_Nonnull reason);

/* Without it the program says the reason on standard error and aborts. */
void late_end_with(late_ending _Nonnull ending);
