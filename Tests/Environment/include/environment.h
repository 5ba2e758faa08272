/* The target has no functions: see environment.c. */
