#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

/* xmlFree is a variable that holds a function, which Swift takes for shared mutable state. */
static inline void xml_free(void *memory) { xmlFree(memory); }
