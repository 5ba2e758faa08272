#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

/* gnutls_free is a variable, which Swift cannot know to be constant. */
void tokentry_gnutls_free(void *allocated);
