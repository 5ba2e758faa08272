#include "late.h"

#include "../CLibraries/CSecret/shim.h"

#if SECRET_MAJOR_VERSION == 0
#define FILE_NAME "libsecret-1.so.0"
#else
#error "The file name of this version of libsecret is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "keyring", "accounts in the user's keyring")

LATE(void, secret_backend_get,
  (SecretBackendFlags flags, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data),
  (flags, cancellable, callback, user_data))
LATE(SecretBackend *, secret_backend_get_finish, (GAsyncResult *result, GError **error), (result, error))
LATE(void, secret_collection_for_alias,
  (SecretService *service, const gchar *alias, SecretCollectionFlags flags, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data),
  (service, alias, flags, cancellable, callback, user_data))
LATE(SecretCollection *, secret_collection_for_alias_finish, (GAsyncResult *result, GError **error),
  (result, error))
LATE(gboolean, secret_collection_get_locked, (SecretCollection *self), (self))
LATE(GQuark, secret_error_get_quark, (void), ())
LATE(gboolean, secret_item_get_locked, (SecretItem *self), (self))
LATE(SecretValue *, secret_item_get_secret, (SecretItem *self), (self))
LATE(GType, secret_item_get_type, (void), ())
LATE(gboolean, secret_password_clear_finish, (GAsyncResult *result, GError **error), (result, error))
LATE(void, secret_password_clearv,
  (const SecretSchema *schema, GHashTable *attributes, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data),
  (schema, attributes, cancellable, callback, user_data))
LATE(GList *, secret_password_search_finish, (GAsyncResult *result, GError **error), (result, error))
LATE(void, secret_password_searchv,
  (const SecretSchema *schema, GHashTable *attributes, SecretSearchFlags flags, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data),
  (schema, attributes, flags, cancellable, callback, user_data))
LATE(gboolean, secret_password_store_finish, (GAsyncResult *result, GError **error), (result, error))
LATE(void, secret_password_storev_binary,
  (const SecretSchema *schema, GHashTable *attributes, const gchar *collection, const gchar *label,
    SecretValue *value, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data),
  (schema, attributes, collection, label, value, cancellable, callback, user_data))
LATE(GHashTable *, secret_retrievable_get_attributes, (SecretRetrievable *self), (self))
LATE(guint64, secret_retrievable_get_modified, (SecretRetrievable *self), (self))
LATE(SecretValue *, secret_retrievable_retrieve_secret_sync,
  (SecretRetrievable *self, GCancellable *cancellable, GError **error),
  (self, cancellable, error))
LATE(SecretValue *, secret_service_decode_dbus_secret, (SecretService *service, GVariant *value),
  (service, value))
LATE(const gchar *, secret_service_get_session_dbus_path, (SecretService *self), (self))
LATE(GType, secret_service_get_type, (void), ())
LATE(void, secret_service_search_for_dbus_paths,
  (SecretService *self, const SecretSchema *schema, GHashTable *attributes, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data),
  (self, schema, attributes, cancellable, callback, user_data))
LATE(gboolean, secret_service_search_for_dbus_paths_finish,
  (SecretService *self, GAsyncResult *result, gchar ***unlocked, gchar ***locked, GError **error),
  (self, result, unlocked, locked, error))
LATE(void, secret_service_unlock,
  (SecretService *service, GList *objects, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data),
  (service, objects, cancellable, callback, user_data))
LATE(gint, secret_service_unlock_finish,
  (SecretService *service, GAsyncResult *result, GList **unlocked, GError **error),
  (service, result, unlocked, error))
LATE(const gchar *, secret_value_get, (SecretValue *value, gsize *length), (value, length))
LATE(SecretValue *, secret_value_new, (const gchar *secret, gssize length, const gchar *content_type),
  (secret, length, content_type))
LATE(void, secret_value_unref, (gpointer value), (value))
