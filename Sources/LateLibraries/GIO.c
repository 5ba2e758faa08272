#include "late.h"

#include "../CLibraries/CGLib/shim.h"

#if GLIB_MAJOR_VERSION == 2
#define FILE_NAME "libgio-2.0.so.0"
#else
#error "The file name of this version of GIO is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "desktop", "message buses, addresses, streams, and the applications of the desktop")

LATE(GList *, g_app_info_get_all)
LATE(GAppInfo *, g_app_info_get_default_for_uri_scheme, const char *)
LATE(const char *, g_app_info_get_display_name, GAppInfo *)
LATE(const char *, g_app_info_get_executable, GAppInfo *)
LATE(const char *, g_app_info_get_id, GAppInfo *)
LATE(void, g_bus_get, GBusType, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(GDBusConnection *, g_bus_get_finish, GAsyncResult *, GError **)
LATE(GDBusConnection *, g_bus_get_sync, GBusType, GCancellable *, GError **)
LATE(void, g_cancellable_cancel, GCancellable *)
LATE(gulong, g_cancellable_connect, GCancellable *, GCallback, gpointer, GDestroyNotify)
LATE(GCancellable *, g_cancellable_new)
LATE(void, g_dbus_connection_call, GDBusConnection *, const gchar *, const gchar *, const gchar *, const gchar *,
  GVariant *, const GVariantType *, GDBusCallFlags, gint, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(GVariant *, g_dbus_connection_call_finish, GDBusConnection *, GAsyncResult *, GError **)
LATE(GVariant *, g_dbus_connection_call_sync, GDBusConnection *, const gchar *, const gchar *, const gchar *,
  const gchar *, GVariant *, const GVariantType *, GDBusCallFlags, gint, GCancellable *, GError **)
LATE(gboolean, g_dbus_connection_flush_sync, GDBusConnection *, GCancellable *, GError **)
LATE(guint, g_dbus_connection_register_object, GDBusConnection *, const gchar *, GDBusInterfaceInfo *,
  const GDBusInterfaceVTable *, gpointer, GDestroyNotify, GError **)
LATE(void, g_dbus_connection_set_exit_on_close, GDBusConnection *, gboolean)
LATE(guint, g_dbus_connection_signal_subscribe, GDBusConnection *, const gchar *, const gchar *, const gchar *,
  const gchar *, const gchar *, GDBusSignalFlags, GDBusSignalCallback, gpointer, GDestroyNotify)
LATE(void, g_dbus_connection_signal_unsubscribe, GDBusConnection *, guint)
LATE(gboolean, g_dbus_connection_unregister_object, GDBusConnection *, guint)
LATE(gboolean, g_dbus_error_strip_remote_error, GError *)
LATE(void, g_dbus_method_invocation_return_value, GDBusMethodInvocation *, GVariant *)
LATE(GDBusNodeInfo *, g_dbus_node_info_new_for_xml, const gchar *, GError **)
LATE(void, g_dbus_node_info_unref, GDBusNodeInfo *)
LATE(void, g_dbus_proxy_call, GDBusProxy *, const gchar *, GVariant *, GDBusCallFlags, gint, GCancellable *,
  GAsyncReadyCallback, gpointer)
LATE(GVariant *, g_dbus_proxy_call_finish, GDBusProxy *, GAsyncResult *, GError **)
LATE(gboolean, g_desktop_app_info_launch_uris_as_manager, GDesktopAppInfo *, GList *, GAppLaunchContext *, GSpawnFlags,
  GSpawnChildSetupFunc, gpointer, GDesktopAppLaunchCallback, gpointer, GError **)
LATE(GInputStream *, g_filter_input_stream_get_base_stream, GFilterInputStream *)
LATE(GType, g_filter_input_stream_get_type)
LATE(gboolean, g_inet_address_get_is_loopback, GInetAddress *)
LATE(GInetAddress *, g_inet_address_new_from_string, const gchar *)
LATE(guint16, g_inet_socket_address_get_port, GInetSocketAddress *)
LATE(GSocketAddress *, g_inet_socket_address_new_from_string, const char *, guint)
LATE(void, g_input_stream_close_async, GInputStream *, int, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(gboolean, g_input_stream_close_finish, GInputStream *, GAsyncResult *, GError **)
LATE(void, g_input_stream_read_bytes_async, GInputStream *, gsize, int, GCancellable *, GAsyncReadyCallback, gpointer)
LATE(GBytes *, g_input_stream_read_bytes_finish, GInputStream *, GAsyncResult *, GError **)
LATE(GQuark, g_io_error_quark)
LATE(GInputStream *, g_memory_input_stream_new)
LATE(const gchar *, g_network_address_get_hostname, GNetworkAddress *)
LATE(GSocketConnectable *, g_network_address_parse_uri, const gchar *, guint16, GError **)
LATE(GNetworkMonitor *, g_network_monitor_get_default)
LATE(gboolean, g_network_monitor_get_network_available, GNetworkMonitor *)
LATE(GType, g_proxy_address_get_type)
LATE(void, g_proxy_resolver_lookup_async, GProxyResolver *, const gchar *, GCancellable *, GAsyncReadyCallback,
  gpointer)
LATE(gchar **, g_proxy_resolver_lookup_finish, GProxyResolver *, GAsyncResult *, GError **)
LATE(GQuark, g_resolver_error_quark)
LATE(GProxyResolver *, g_simple_proxy_resolver_new, const gchar *, gchar **)
LATE(gboolean, g_socket_bind, GSocket *, GSocketAddress *, gboolean, GError **)
LATE(gboolean, g_socket_close, GSocket *, GError **)
LATE(GSocketAddress *, g_socket_connection_get_remote_address, GSocketConnection *, GError **)
LATE(GSocket *, g_socket_connection_get_socket, GSocketConnection *)
LATE(int, g_socket_get_fd, GSocket *)
LATE(GSocketAddress *, g_socket_get_local_address, GSocket *, GError **)
LATE(gboolean, g_socket_listen, GSocket *, GError **)
LATE(GSocket *, g_socket_new, GSocketFamily, GSocketType, GSocketProtocol, GError **)
LATE(void, g_socket_set_listen_backlog, GSocket *, gint)
LATE(gboolean, g_socket_set_option, GSocket *, gint, gint, gint, GError **)
LATE(GTlsBackend *, g_tls_backend_get_default)
LATE(gboolean, g_tls_backend_supports_tls, GTlsBackend *)
LATE(GTlsCertificate *, g_tls_certificate_new_from_pem, const gchar *, gssize, GError **)
LATE(GTlsCertificate *, g_tls_certificate_new_from_pkcs11_uris, const gchar *, const gchar *, GError **)
LATE(GTlsCertificateFlags, g_tls_certificate_verify, GTlsCertificate *, GSocketConnectable *, GTlsCertificate *)
LATE(GTlsProtocolVersion, g_tls_connection_get_protocol_version, GTlsConnection *)
LATE(void, g_tls_connection_set_advertised_protocols, GTlsConnection *, const gchar *const *)
LATE(GQuark, g_tls_error_quark)
LATE(GTlsDatabase *, g_tls_file_database_new, const gchar *, GError **)
LATE(GTlsPasswordFlags, g_tls_password_get_flags, GTlsPassword *)
LATE(void, g_tls_password_set_value, GTlsPassword *, const guchar *, gssize)
LATE(GInputStream *, g_unix_input_stream_new, gint, gboolean)
