/* Nothing here is called by name: the functions that this target defines are those of the libraries' own headers. */
