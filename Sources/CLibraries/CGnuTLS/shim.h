#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

/* gnutls_free is a variable, which Swift takes for shared mutable state. */
void tokentry_gnutls_free(void *allocated);
