/* Nothing is called from here: the names in dispatch.c are those of libdispatch, whose place it takes in a release. */
