#include "late.h"

#include "../CLibraries/CSecret/shim.h"

#if SECRET_MAJOR_VERSION == 0
#define FILE_NAME "libsecret-1.so.0"
#else
#error "The file name of this version of libsecret is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "keyring", "accounts in the user's keyring")

LATE(void, secret_backend_get, SecretBackendFlags, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(SecretBackend *, secret_backend_get_finish, GAsyncResult *, GError **)
LATE(void, secret_collection_for_alias, SecretService *, const gchar *, SecretCollectionFlags, GCancellable *,
  GAsyncReadyCallback, gpointer)
LATE(SecretCollection *, secret_collection_for_alias_finish, GAsyncResult *, GError **)
LATE(gboolean, secret_collection_get_locked, SecretCollection *)
LATE(GQuark, secret_error_get_quark)
LATE(gboolean, secret_item_get_locked, SecretItem *)
LATE(SecretValue *, secret_item_get_secret, SecretItem *)
LATE(GType, secret_item_get_type)
LATE(gboolean, secret_password_clear_finish, GAsyncResult *, GError **)
LATE(void, secret_password_clearv, const SecretSchema *, GHashTable *, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(GList *, secret_password_search_finish, GAsyncResult *, GError **)
LATE(void, secret_password_searchv, const SecretSchema *, GHashTable *, SecretSearchFlags, GCancellable *,
  GAsyncReadyCallback, gpointer)
LATE(gboolean, secret_password_store_finish, GAsyncResult *, GError **)
LATE(void, secret_password_storev_binary, const SecretSchema *, GHashTable *, const gchar *, const gchar *,
  SecretValue *, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(GHashTable *, secret_retrievable_get_attributes, SecretRetrievable *)
LATE(guint64, secret_retrievable_get_modified, SecretRetrievable *)
LATE(SecretValue *, secret_retrievable_retrieve_secret_sync, SecretRetrievable *, GCancellable *, GError **)
LATE(SecretValue *, secret_service_decode_dbus_secret, SecretService *, GVariant *)
LATE(const gchar *, secret_service_get_session_dbus_path, SecretService *)
LATE(GType, secret_service_get_type)
LATE(void, secret_service_unlock, SecretService *, GList *, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(gint, secret_service_unlock_finish, SecretService *, GAsyncResult *, GList **, GError **)
LATE(const gchar *, secret_value_get, SecretValue *, gsize *)
LATE(SecretValue *, secret_value_new, const gchar *, gssize, const gchar *)
LATE(void, secret_value_unref, gpointer)
