#include "late.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/pkcs11.h>
#include <gnutls/pkcs12.h>
#include <gnutls/x509.h>

#if GNUTLS_VERSION_NUMBER >= 0x030400 && GNUTLS_VERSION_NUMBER < 0x040000
#define FILE_NAME "libgnutls.so.30"
#else
#error "The file name of this version of GnuTLS is not known here: add it."
#endif

/* GnuTLS initializes itself when it is loaded, with two exceptions: if GIO's TLS module loads it first, and if
   GNUTLS_NO_IMPLICIT_INIT is set. None of its functions work before that. Repeated calls only increase a counter. */
static const char *ready(void *handle) {
  int result = ((__typeof__(&gnutls_global_init))late_symbol_in(handle, "gnutls_global_init"))();
  return result < 0 ? ((__typeof__(&gnutls_strerror))late_symbol_in(handle, "gnutls_strerror"))(result) : NULL;
}

LATE_LIBRARY(FILE_NAME, "cryptography", "random bytes, digests and signatures", .ready = ready)

LATE(int, gnutls_decode_rs_value, (const gnutls_datum_t *sig_value, gnutls_datum_t *r, gnutls_datum_t *s),
  (sig_value, r, s))
LATE(int, gnutls_encode_rs_value,
  (gnutls_datum_t *sig_value, const gnutls_datum_t *r, const gnutls_datum_t *s),
  (sig_value, r, s))
LATE(int, gnutls_hash_fast,
  (gnutls_digest_algorithm_t algorithm, const void *text, size_t textlen, void *digest),
  (algorithm, text, textlen, digest))
LATE(int, gnutls_hmac_fast,
  (gnutls_mac_algorithm_t algorithm, const void *key, size_t keylen, const void *text, size_t textlen,
    void *digest),
  (algorithm, key, keylen, text, textlen, digest))
LATE(int, gnutls_memcmp, (const void *s1, const void *s2, size_t n), (s1, s2, n))
LATE(void, gnutls_pkcs11_obj_deinit, (gnutls_pkcs11_obj_t obj), (obj))
LATE(int, gnutls_pkcs11_obj_export_url,
  (gnutls_pkcs11_obj_t obj, gnutls_pkcs11_url_type_t detailed, char **url),
  (obj, detailed, url))
LATE(int, gnutls_pkcs11_obj_get_info,
  (gnutls_pkcs11_obj_t obj, gnutls_pkcs11_obj_info_t itype, void *output, size_t *output_size),
  (obj, itype, output, output_size))
LATE(int, gnutls_pkcs11_obj_list_import_url4,
  (gnutls_pkcs11_obj_t **p_list, unsigned int *n_list, const char *url, unsigned int flags),
  (p_list, n_list, url, flags))
LATE(void, gnutls_pkcs12_deinit, (gnutls_pkcs12_t pkcs12), (pkcs12))
LATE(int, gnutls_pkcs12_import,
  (gnutls_pkcs12_t pkcs12, const gnutls_datum_t *data, gnutls_x509_crt_fmt_t format, unsigned int flags),
  (pkcs12, data, format, flags))
LATE(int, gnutls_pkcs12_init, (gnutls_pkcs12_t *pkcs12), (pkcs12))
LATE(int, gnutls_pkcs12_simple_parse,
  (gnutls_pkcs12_t p12, const char *password, gnutls_x509_privkey_t *key, gnutls_x509_crt_t **chain,
    unsigned int *chain_len, gnutls_x509_crt_t **extra_certs, unsigned int *extra_certs_len,
    gnutls_x509_crl_t *crl, unsigned int flags),
  (p12, password, key, chain, chain_len, extra_certs, extra_certs_len, crl, flags))
LATE(void, gnutls_privkey_deinit, (gnutls_privkey_t key), (key))
LATE(int, gnutls_privkey_export_ecc_raw2,
  (gnutls_privkey_t key, gnutls_ecc_curve_t *curve, gnutls_datum_t *x, gnutls_datum_t *y,
    gnutls_datum_t *k, unsigned flags),
  (key, curve, x, y, k, flags))
LATE(int, gnutls_privkey_generate,
  (gnutls_privkey_t key, gnutls_pk_algorithm_t algo, unsigned int bits, unsigned int flags),
  (key, algo, bits, flags))
LATE(int, gnutls_privkey_get_pk_algorithm, (gnutls_privkey_t key, unsigned int *bits), (key, bits))
LATE(int, gnutls_privkey_import_ecc_raw,
  (gnutls_privkey_t key, gnutls_ecc_curve_t curve, const gnutls_datum_t *x, const gnutls_datum_t *y,
    const gnutls_datum_t *k),
  (key, curve, x, y, k))
LATE(int, gnutls_privkey_import_rsa_raw,
  (gnutls_privkey_t key, const gnutls_datum_t *m, const gnutls_datum_t *e, const gnutls_datum_t *d,
    const gnutls_datum_t *p, const gnutls_datum_t *q, const gnutls_datum_t *u, const gnutls_datum_t *e1,
    const gnutls_datum_t *e2),
  (key, m, e, d, p, q, u, e1, e2))
LATE(int, gnutls_privkey_import_x509_raw,
  (gnutls_privkey_t pkey, const gnutls_datum_t *data, gnutls_x509_crt_fmt_t format, const char *password,
    unsigned int flags),
  (pkey, data, format, password, flags))
LATE(int, gnutls_privkey_init, (gnutls_privkey_t *key), (key))
LATE(int, gnutls_privkey_sign_data2,
  (gnutls_privkey_t signer, gnutls_sign_algorithm_t algo, unsigned int flags, const gnutls_datum_t *data,
    gnutls_datum_t *signature),
  (signer, algo, flags, data, signature))
LATE(int, gnutls_privkey_verify_params, (gnutls_privkey_t key), (key))
LATE(void, gnutls_pubkey_deinit, (gnutls_pubkey_t key), (key))
LATE(int, gnutls_pubkey_export_ecc_raw2,
  (gnutls_pubkey_t key, gnutls_ecc_curve_t *curve, gnutls_datum_t *x, gnutls_datum_t *y, unsigned flags),
  (key, curve, x, y, flags))
LATE(int, gnutls_pubkey_export_rsa_raw2,
  (gnutls_pubkey_t key, gnutls_datum_t *m, gnutls_datum_t *e, unsigned flags),
  (key, m, e, flags))
LATE(int, gnutls_pubkey_import_ecc_raw,
  (gnutls_pubkey_t key, gnutls_ecc_curve_t curve, const gnutls_datum_t *x, const gnutls_datum_t *y),
  (key, curve, x, y))
LATE(int, gnutls_pubkey_import_privkey,
  (gnutls_pubkey_t key, gnutls_privkey_t pkey, unsigned int usage, unsigned int flags),
  (key, pkey, usage, flags))
LATE(int, gnutls_pubkey_import_rsa_raw,
  (gnutls_pubkey_t key, const gnutls_datum_t *m, const gnutls_datum_t *e),
  (key, m, e))
LATE(int, gnutls_pubkey_init, (gnutls_pubkey_t *key), (key))
LATE(int, gnutls_pubkey_verify_data2,
  (gnutls_pubkey_t pubkey, gnutls_sign_algorithm_t algo, unsigned int flags, const gnutls_datum_t *data,
    const gnutls_datum_t *signature),
  (pubkey, algo, flags, data, signature))
LATE(int, gnutls_rnd, (gnutls_rnd_level_t level, void *data, size_t len), (level, data, len))
LATE(const char *, gnutls_strerror, (int error), (error))
LATE(void, gnutls_x509_crt_deinit, (gnutls_x509_crt_t cert), (cert))
LATE(int, gnutls_x509_crt_export2,
  (gnutls_x509_crt_t cert, gnutls_x509_crt_fmt_t format, gnutls_datum_t *out),
  (cert, format, out))
LATE(int, gnutls_x509_crt_get_ca_status, (gnutls_x509_crt_t cert, unsigned int *critical), (cert, critical))
LATE(int, gnutls_x509_crt_get_dn_by_oid,
  (gnutls_x509_crt_t cert, const char *oid, unsigned indx, unsigned int raw_flag, void *buf, size_t *buf_size),
  (cert, oid, indx, raw_flag, buf, buf_size))
LATE(int, gnutls_x509_crt_get_key_id,
  (gnutls_x509_crt_t crt, unsigned int flags, unsigned char *output_data, size_t *output_data_size),
  (crt, flags, output_data, output_data_size))
LATE(int, gnutls_x509_crt_import,
  (gnutls_x509_crt_t cert, const gnutls_datum_t *data, gnutls_x509_crt_fmt_t format),
  (cert, data, format))
LATE(int, gnutls_x509_crt_import_pkcs11, (gnutls_x509_crt_t crt, gnutls_pkcs11_obj_t pkcs11_crt),
  (crt, pkcs11_crt))
LATE(int, gnutls_x509_crt_init, (gnutls_x509_crt_t *cert), (cert))
LATE(int, gnutls_x509_crt_list_import2,
  (gnutls_x509_crt_t **certs, unsigned int *size, const gnutls_datum_t *data, gnutls_x509_crt_fmt_t format,
    unsigned int flags),
  (certs, size, data, format, flags))
LATE(void, gnutls_x509_privkey_deinit, (gnutls_x509_privkey_t key), (key))
LATE(int, gnutls_x509_privkey_export2_pkcs8,
  (gnutls_x509_privkey_t key, gnutls_x509_crt_fmt_t format, const char *password, unsigned int flags,
    gnutls_datum_t *out),
  (key, format, password, flags, out))
LATE(int, gnutls_x509_privkey_get_key_id,
  (gnutls_x509_privkey_t key, unsigned int flags, unsigned char *output_data, size_t *output_data_size),
  (key, flags, output_data, output_data_size))
LATE(int, gnutls_x509_privkey_import2,
  (gnutls_x509_privkey_t key, const gnutls_datum_t *data, gnutls_x509_crt_fmt_t format, const char *password,
    unsigned int flags),
  (key, data, format, password, flags))
LATE(int, gnutls_x509_privkey_init, (gnutls_x509_privkey_t *key), (key))
LATE(int, gnutls_x509_trust_list_add_system_trust,
  (gnutls_x509_trust_list_t list, unsigned int tl_flags, unsigned int tl_vflags),
  (list, tl_flags, tl_vflags))
LATE(void, gnutls_x509_trust_list_deinit, (gnutls_x509_trust_list_t list, unsigned int all), (list, all))
LATE(int, gnutls_x509_trust_list_init, (gnutls_x509_trust_list_t *list, unsigned int size), (list, size))

static void free_allocated(void *allocated) {
  (*(gnutls_free_function *)late_symbol(&library, "gnutls_free"))(allocated);
}

/* A variable, as in the library. */
__attribute__((visibility("hidden"))) gnutls_free_function gnutls_free = free_allocated;
