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

LATE(int, gnutls_decode_rs_value, const gnutls_datum_t *, gnutls_datum_t *, gnutls_datum_t *)
LATE(int, gnutls_encode_rs_value, gnutls_datum_t *, const gnutls_datum_t *, const gnutls_datum_t *)
LATE(int, gnutls_hash_fast, gnutls_digest_algorithm_t, const void *, size_t, void *)
LATE(int, gnutls_hmac_fast, gnutls_mac_algorithm_t, const void *, size_t, const void *, size_t, void *)
LATE(int, gnutls_memcmp, const void *, const void *, size_t)
LATE(void, gnutls_pkcs11_obj_deinit, gnutls_pkcs11_obj_t)
LATE(int, gnutls_pkcs11_obj_export_url, gnutls_pkcs11_obj_t, gnutls_pkcs11_url_type_t, char **)
LATE(int, gnutls_pkcs11_obj_get_info, gnutls_pkcs11_obj_t, gnutls_pkcs11_obj_info_t, void *, size_t *)
LATE(int, gnutls_pkcs11_obj_list_import_url4, gnutls_pkcs11_obj_t **, unsigned int *, const char *, unsigned int)
LATE(void, gnutls_pkcs12_deinit, gnutls_pkcs12_t)
LATE(int, gnutls_pkcs12_import, gnutls_pkcs12_t, const gnutls_datum_t *, gnutls_x509_crt_fmt_t, unsigned int)
LATE(int, gnutls_pkcs12_init, gnutls_pkcs12_t *)
LATE(int, gnutls_pkcs12_simple_parse, gnutls_pkcs12_t, const char *, gnutls_x509_privkey_t *, gnutls_x509_crt_t **,
  unsigned int *, gnutls_x509_crt_t **, unsigned int *, gnutls_x509_crl_t *, unsigned int)
LATE(void, gnutls_privkey_deinit, gnutls_privkey_t)
LATE(int, gnutls_privkey_export_ecc_raw2, gnutls_privkey_t, gnutls_ecc_curve_t *, gnutls_datum_t *, gnutls_datum_t *,
  gnutls_datum_t *, unsigned)
LATE(int, gnutls_privkey_generate, gnutls_privkey_t, gnutls_pk_algorithm_t, unsigned int, unsigned int)
LATE(int, gnutls_privkey_get_pk_algorithm, gnutls_privkey_t, unsigned int *)
LATE(int, gnutls_privkey_import_ecc_raw, gnutls_privkey_t, gnutls_ecc_curve_t, const gnutls_datum_t *,
  const gnutls_datum_t *, const gnutls_datum_t *)
LATE(int, gnutls_privkey_import_rsa_raw, gnutls_privkey_t, const gnutls_datum_t *, const gnutls_datum_t *,
  const gnutls_datum_t *, const gnutls_datum_t *, const gnutls_datum_t *, const gnutls_datum_t *, const gnutls_datum_t *,
  const gnutls_datum_t *)
LATE(int, gnutls_privkey_import_x509_raw, gnutls_privkey_t, const gnutls_datum_t *, gnutls_x509_crt_fmt_t,
  const char *, unsigned int)
LATE(int, gnutls_privkey_init, gnutls_privkey_t *)
LATE(int, gnutls_privkey_sign_data2, gnutls_privkey_t, gnutls_sign_algorithm_t, unsigned int, const gnutls_datum_t *,
  gnutls_datum_t *)
LATE(int, gnutls_privkey_verify_params, gnutls_privkey_t)
LATE(void, gnutls_pubkey_deinit, gnutls_pubkey_t)
LATE(int, gnutls_pubkey_export_ecc_raw2, gnutls_pubkey_t, gnutls_ecc_curve_t *, gnutls_datum_t *, gnutls_datum_t *,
  unsigned)
LATE(int, gnutls_pubkey_export_rsa_raw2, gnutls_pubkey_t, gnutls_datum_t *, gnutls_datum_t *, unsigned)
LATE(int, gnutls_pubkey_import_ecc_raw, gnutls_pubkey_t, gnutls_ecc_curve_t, const gnutls_datum_t *,
  const gnutls_datum_t *)
LATE(int, gnutls_pubkey_import_privkey, gnutls_pubkey_t, gnutls_privkey_t, unsigned int, unsigned int)
LATE(int, gnutls_pubkey_import_rsa_raw, gnutls_pubkey_t, const gnutls_datum_t *, const gnutls_datum_t *)
LATE(int, gnutls_pubkey_init, gnutls_pubkey_t *)
LATE(int, gnutls_pubkey_verify_data2, gnutls_pubkey_t, gnutls_sign_algorithm_t, unsigned int, const gnutls_datum_t *,
  const gnutls_datum_t *)
LATE(int, gnutls_rnd, gnutls_rnd_level_t, void *, size_t)
LATE(const char *, gnutls_strerror, int)
LATE(void, gnutls_x509_crt_deinit, gnutls_x509_crt_t)
LATE(int, gnutls_x509_crt_export2, gnutls_x509_crt_t, gnutls_x509_crt_fmt_t, gnutls_datum_t *)
LATE(int, gnutls_x509_crt_get_ca_status, gnutls_x509_crt_t, unsigned int *)
LATE(int, gnutls_x509_crt_get_dn_by_oid, gnutls_x509_crt_t, const char *, unsigned, unsigned int, void *, size_t *)
LATE(int, gnutls_x509_crt_get_key_id, gnutls_x509_crt_t, unsigned int, unsigned char *, size_t *)
LATE(int, gnutls_x509_crt_import, gnutls_x509_crt_t, const gnutls_datum_t *, gnutls_x509_crt_fmt_t)
LATE(int, gnutls_x509_crt_import_pkcs11, gnutls_x509_crt_t, gnutls_pkcs11_obj_t)
LATE(int, gnutls_x509_crt_init, gnutls_x509_crt_t *)
LATE(int, gnutls_x509_crt_list_import2, gnutls_x509_crt_t **, unsigned int *, const gnutls_datum_t *,
  gnutls_x509_crt_fmt_t, unsigned int)
LATE(void, gnutls_x509_privkey_deinit, gnutls_x509_privkey_t)
LATE(int, gnutls_x509_privkey_export2_pkcs8, gnutls_x509_privkey_t, gnutls_x509_crt_fmt_t, const char *, unsigned int,
  gnutls_datum_t *)
LATE(int, gnutls_x509_privkey_get_key_id, gnutls_x509_privkey_t, unsigned int, unsigned char *, size_t *)
LATE(int, gnutls_x509_privkey_import2, gnutls_x509_privkey_t, const gnutls_datum_t *, gnutls_x509_crt_fmt_t,
  const char *, unsigned int)
LATE(int, gnutls_x509_privkey_init, gnutls_x509_privkey_t *)
LATE(int, gnutls_x509_trust_list_add_system_trust, gnutls_x509_trust_list_t, unsigned int, unsigned int)
LATE(void, gnutls_x509_trust_list_deinit, gnutls_x509_trust_list_t, unsigned int)
LATE(int, gnutls_x509_trust_list_init, gnutls_x509_trust_list_t *, unsigned int)

static void free_allocated(void *allocated) {
  (*(gnutls_free_function *)late_symbol(&library, "gnutls_free"))(allocated);
}

/* A variable, as in the library. */
__attribute__((visibility("hidden"))) gnutls_free_function gnutls_free = free_allocated;
