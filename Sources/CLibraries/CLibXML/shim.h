#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

/* xmlFree is a variable that holds a function, which Swift takes for shared mutable state. */
void xml_free(void *memory);
