#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/pkcs11.h>
#include <gnutls/pkcs12.h>
#include <gnutls/x509.h>

/* gnutls_free is a variable, which Swift takes for shared mutable state. */
static inline void tokentry_gnutls_free(void *allocated) { (gnutls_free)(allocated); }
