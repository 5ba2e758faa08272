#include "late.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#if LIBXML_VERSION >= 20000 && LIBXML_VERSION < 21400
#define FILE_NAME "libxml2.so.2"
#elif LIBXML_VERSION >= 21400 && LIBXML_VERSION < 30000
#define FILE_NAME "libxml2.so.16"
#else
#error "The file name of this version of libxml2 is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "forms", "the forms of a page, in a login without a display")

LATE(htmlDocPtr, htmlReadMemory, const char *, int, const char *, const char *, int)
LATE(xmlNodePtr, xmlDocGetRootElement, const xmlDoc *)
LATE(void, xmlFreeDoc, xmlDocPtr)
LATE(xmlChar *, xmlGetProp, const xmlNode *, const xmlChar *)
LATE(xmlDocPtr, xmlReadMemory, const char *, int, const char *, const char *, int)
LATE(xmlChar *, xmlNodeGetContent, const xmlNode *)

static void free_allocated(void *allocated) { (*(xmlFreeFunc *)late_symbol(&library, "xmlFree"))(allocated); }

/* A variable, as in the library. */
__attribute__((visibility("hidden"))) xmlFreeFunc xmlFree = free_allocated;
