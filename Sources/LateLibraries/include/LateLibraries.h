/* This target defines functions from the libraries' own headers. This header only declares the handler for libraries that
   cannot be loaded. */

#pragma once

/* Called on the calling thread in place of the missing function, with the loader's message, which names the library. It
   must end the program; if it returns, the program aborts. */
typedef void (*late_ending)(const char *_Nonnull reason);

/* Sets the handler. The default one prints the reason to standard error, and the program aborts. */
void late_end_with(late_ending _Nonnull ending);
