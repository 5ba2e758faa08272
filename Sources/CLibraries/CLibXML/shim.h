/* encoding.h of libxml2 would include ICU, which Foundation has, too: Swift refuses two definitions of one type. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

/* xmlFree is a variable that holds a function, which Swift takes for shared mutable state. */
static inline void xml_free(void *memory) { xmlFree(memory); }
