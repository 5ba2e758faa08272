#include "late.h"

#include "../CLibraries/CGLib/shim.h"

#if GLIB_MAJOR_VERSION == 2
#define FILE_NAME "libgio-2.0.so.0"
#else
#error "The file name of this version of GIO is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "desktop", "message buses, addresses, streams, and the applications of the desktop")

LATE(GList *, g_app_info_get_all, (void), ())
LATE(GAppInfo *, g_app_info_get_default_for_uri_scheme, (const char *uri_scheme), (uri_scheme))
LATE(const char *, g_app_info_get_display_name, (GAppInfo *appinfo), (appinfo))
LATE(const char *, g_app_info_get_executable, (GAppInfo *appinfo), (appinfo))
LATE(const char *, g_app_info_get_id, (GAppInfo *appinfo), (appinfo))
LATE(gboolean, g_app_info_launch_default_for_uri,
  (const char *uri, GAppLaunchContext *context, GError **error),
  (uri, context, error))
LATE(void, g_bus_get,
  (GBusType bus_type, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data),
  (bus_type, cancellable, callback, user_data))
LATE(GDBusConnection *, g_bus_get_finish, (GAsyncResult *res, GError **error), (res, error))
LATE(GDBusConnection *, g_bus_get_sync, (GBusType bus_type, GCancellable *cancellable, GError **error),
  (bus_type, cancellable, error))
LATE(void, g_cancellable_cancel, (GCancellable *cancellable), (cancellable))
LATE(GCancellable *, g_cancellable_new, (void), ())
LATE(void, g_dbus_connection_call,
  (GDBusConnection *connection, const gchar *bus_name, const gchar *object_path, const gchar *interface_name,
    const gchar *method_name, GVariant *parameters, const GVariantType *reply_type, GDBusCallFlags flags,
    gint timeout_msec, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data),
  (connection, bus_name, object_path, interface_name, method_name, parameters, reply_type, flags,
    timeout_msec, cancellable, callback, user_data))
LATE(GVariant *, g_dbus_connection_call_finish,
  (GDBusConnection *connection, GAsyncResult *res, GError **error),
  (connection, res, error))
LATE(GVariant *, g_dbus_connection_call_sync,
  (GDBusConnection *connection, const gchar *bus_name, const gchar *object_path, const gchar *interface_name,
    const gchar *method_name, GVariant *parameters, const GVariantType *reply_type, GDBusCallFlags flags,
    gint timeout_msec, GCancellable *cancellable, GError **error),
  (connection, bus_name, object_path, interface_name, method_name, parameters, reply_type, flags,
    timeout_msec, cancellable, error))
LATE(gboolean, g_dbus_connection_flush_sync,
  (GDBusConnection *connection, GCancellable *cancellable, GError **error),
  (connection, cancellable, error))
LATE(guint, g_dbus_connection_register_object,
  (GDBusConnection *connection, const gchar *object_path, GDBusInterfaceInfo *interface_info,
    const GDBusInterfaceVTable *vtable, gpointer user_data, GDestroyNotify user_data_free_func,
    GError **error),
  (connection, object_path, interface_info, vtable, user_data, user_data_free_func, error))
LATE(void, g_dbus_connection_set_exit_on_close, (GDBusConnection *connection, gboolean exit_on_close),
  (connection, exit_on_close))
LATE(guint, g_dbus_connection_signal_subscribe,
  (GDBusConnection *connection, const gchar *sender, const gchar *interface_name, const gchar *member,
    const gchar *object_path, const gchar *arg0, GDBusSignalFlags flags, GDBusSignalCallback callback,
    gpointer user_data, GDestroyNotify user_data_free_func),
  (connection, sender, interface_name, member, object_path, arg0, flags, callback, user_data,
    user_data_free_func))
LATE(void, g_dbus_connection_signal_unsubscribe, (GDBusConnection *connection, guint subscription_id),
  (connection, subscription_id))
LATE(gboolean, g_dbus_connection_unregister_object, (GDBusConnection *connection, guint registration_id),
  (connection, registration_id))
LATE(gboolean, g_dbus_error_strip_remote_error, (GError *error), (error))
LATE(void, g_dbus_method_invocation_return_value, (GDBusMethodInvocation *invocation, GVariant *parameters),
  (invocation, parameters))
LATE(GDBusNodeInfo *, g_dbus_node_info_new_for_xml, (const gchar *xml_data, GError **error),
  (xml_data, error))
LATE(void, g_dbus_node_info_unref, (GDBusNodeInfo *info), (info))
LATE(void, g_dbus_proxy_call,
  (GDBusProxy *proxy, const gchar *method_name, GVariant *parameters, GDBusCallFlags flags, gint timeout_msec,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data),
  (proxy, method_name, parameters, flags, timeout_msec, cancellable, callback, user_data))
LATE(GVariant *, g_dbus_proxy_call_finish, (GDBusProxy *proxy, GAsyncResult *res, GError **error),
  (proxy, res, error))
LATE(GInputStream *, g_filter_input_stream_get_base_stream, (GFilterInputStream *stream), (stream))
LATE(GType, g_filter_input_stream_get_type, (void), ())
LATE(gboolean, g_inet_address_get_is_loopback, (GInetAddress *address), (address))
LATE(GInetAddress *, g_inet_address_new_from_string, (const gchar *string), (string))
LATE(guint16, g_inet_socket_address_get_port, (GInetSocketAddress *address), (address))
LATE(GSocketAddress *, g_inet_socket_address_new_from_string, (const char *address, guint port),
  (address, port))
LATE(void, g_input_stream_close_async,
  (GInputStream *stream, int io_priority, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data),
  (stream, io_priority, cancellable, callback, user_data))
LATE(gboolean, g_input_stream_close_finish, (GInputStream *stream, GAsyncResult *result, GError **error),
  (stream, result, error))
LATE(void, g_input_stream_read_bytes_async,
  (GInputStream *stream, gsize count, int io_priority, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data),
  (stream, count, io_priority, cancellable, callback, user_data))
LATE(GBytes *, g_input_stream_read_bytes_finish, (GInputStream *stream, GAsyncResult *result, GError **error),
  (stream, result, error))
LATE(GQuark, g_io_error_quark, (void), ())
LATE(GInputStream *, g_memory_input_stream_new, (void), ())
LATE(const gchar *, g_network_address_get_hostname, (GNetworkAddress *address), (address))
LATE(GSocketConnectable *, g_network_address_parse_uri,
  (const gchar *uri, guint16 default_port, GError **error), (uri, default_port, error))
LATE(GNetworkMonitor *, g_network_monitor_get_default, (void), ())
LATE(gboolean, g_network_monitor_get_network_available, (GNetworkMonitor *monitor), (monitor))
LATE(GType, g_proxy_address_get_type, (void), ())
LATE(void, g_proxy_resolver_lookup_async,
  (GProxyResolver *resolver, const gchar *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data),
  (resolver, uri, cancellable, callback, user_data))
LATE(gchar **, g_proxy_resolver_lookup_finish,
  (GProxyResolver *resolver, GAsyncResult *result, GError **error),
  (resolver, result, error))
LATE(GQuark, g_resolver_error_quark, (void), ())
LATE(GProxyResolver *, g_simple_proxy_resolver_new, (const gchar *default_proxy, gchar **ignore_hosts),
  (default_proxy, ignore_hosts))
LATE(gboolean, g_socket_bind,
  (GSocket *socket, GSocketAddress *address, gboolean allow_reuse, GError **error),
  (socket, address, allow_reuse, error))
LATE(gboolean, g_socket_close, (GSocket *socket, GError **error), (socket, error))
LATE(GSocketAddress *, g_socket_connection_get_remote_address, (GSocketConnection *connection, GError **error),
  (connection, error))
LATE(GSocket *, g_socket_connection_get_socket, (GSocketConnection *connection), (connection))
LATE(int, g_socket_get_fd, (GSocket *socket), (socket))
LATE(GSocketAddress *, g_socket_get_local_address, (GSocket *socket, GError **error), (socket, error))
LATE(gboolean, g_socket_listen, (GSocket *socket, GError **error), (socket, error))
LATE(GSocket *, g_socket_new,
  (GSocketFamily family, GSocketType type, GSocketProtocol protocol, GError **error),
  (family, type, protocol, error))
LATE(void, g_socket_set_listen_backlog, (GSocket *socket, gint backlog), (socket, backlog))
LATE(gboolean, g_socket_set_option, (GSocket *socket, gint level, gint optname, gint value, GError **error),
  (socket, level, optname, value, error))
LATE(GTlsBackend *, g_tls_backend_get_default, (void), ())
LATE(gboolean, g_tls_backend_supports_tls, (GTlsBackend *backend), (backend))
LATE(GTlsCertificate *, g_tls_certificate_new_from_pem, (const gchar *data, gssize length, GError **error),
  (data, length, error))
LATE(GTlsCertificate *, g_tls_certificate_new_from_pkcs11_uris,
  (const gchar *pkcs11_uri, const gchar *private_key_pkcs11_uri, GError **error),
  (pkcs11_uri, private_key_pkcs11_uri, error))
LATE(GTlsProtocolVersion, g_tls_connection_get_protocol_version, (GTlsConnection *conn), (conn))
LATE(void, g_tls_connection_set_advertised_protocols, (GTlsConnection *conn, const gchar *const *protocols),
  (conn, protocols))
LATE(GQuark, g_tls_error_quark, (void), ())
LATE(GTlsDatabase *, g_tls_file_database_new, (const gchar *anchors, GError **error), (anchors, error))
LATE(GTlsPasswordFlags, g_tls_password_get_flags, (GTlsPassword *password), (password))
LATE(void, g_tls_password_set_value, (GTlsPassword *password, const guchar *value, gssize length),
  (password, value, length))
LATE(GInputStream *, g_unix_input_stream_new, (gint fd, gboolean close_fd), (fd, close_fd))
