#include "late.h"

#include "../CLibraries/CSoup/shim.h"
#include <../libsoup-3.0/libsoup/soup-version.h>

#if SOUP_MAJOR_VERSION == 3
#define FILE_NAME "libsoup-3.0.so.0"
#else
#error "The file name of this version of libsoup is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "http", "HTTP: what goes to a provider and comes from a browser")

LATE(GType, soup_auth_basic_get_type, (void), ())
LATE(GType, soup_auth_digest_get_type, (void), ())
LATE(GType, soup_auth_manager_get_type, (void), ())
LATE(GType, soup_auth_negotiate_get_type, (void), ())
LATE(gboolean, soup_cookie_domain_matches, (SoupCookie *cookie, const char *host), (cookie, host))
LATE(void, soup_cookie_free, (SoupCookie *cookie), (cookie))
LATE(const char *, soup_cookie_get_name, (SoupCookie *cookie), (cookie))
LATE(const char *, soup_cookie_get_value, (SoupCookie *cookie), (cookie))
LATE(GSList *, soup_cookie_jar_all_cookies, (SoupCookieJar *jar), (jar))
LATE(GSList *, soup_cookie_jar_get_cookie_list, (SoupCookieJar *jar, GUri *uri, gboolean for_http), (jar, uri, for_http))
LATE(GType, soup_cookie_jar_get_type, (void), ())
LATE(void, soup_message_add_flags, (SoupMessage *msg, SoupMessageFlags flags), (msg, flags))
LATE(void, soup_message_body_append,
  (SoupMessageBody *body, SoupMemoryUse use, gconstpointer data, gsize length),
  (body, use, data, length))
LATE(GBytes *, soup_message_body_flatten, (SoupMessageBody *body), (body))
LATE(void, soup_message_body_set_accumulate, (SoupMessageBody *body, gboolean accumulate), (body, accumulate))
LATE(SoupMessageHeaders *, soup_message_get_request_headers, (SoupMessage *msg), (msg))
LATE(SoupMessageHeaders *, soup_message_get_response_headers, (SoupMessage *msg), (msg))
LATE(SoupStatus, soup_message_get_status, (SoupMessage *msg), (msg))
LATE(GTlsCertificate *, soup_message_get_tls_peer_certificate, (SoupMessage *msg), (msg))
LATE(GUri *, soup_message_get_uri, (SoupMessage *msg), (msg))
LATE(void, soup_message_headers_append, (SoupMessageHeaders *hdrs, const char *name, const char *value),
  (hdrs, name, value))
LATE(goffset, soup_message_headers_get_content_length, (SoupMessageHeaders *hdrs), (hdrs))
LATE(SoupEncoding, soup_message_headers_get_encoding, (SoupMessageHeaders *hdrs), (hdrs))
LATE(const char *, soup_message_headers_get_one, (SoupMessageHeaders *hdrs, const char *name), (hdrs, name))
LATE(void, soup_message_headers_iter_init, (SoupMessageHeadersIter *iter, SoupMessageHeaders *hdrs),
  (iter, hdrs))
LATE(gboolean, soup_message_headers_iter_next,
  (SoupMessageHeadersIter *iter, const char **name, const char **value),
  (iter, name, value))
LATE(void, soup_message_headers_replace, (SoupMessageHeaders *hdrs, const char *name, const char *value),
  (hdrs, name, value))
LATE(SoupMessage *, soup_message_new, (const char *method, const char *uri_string), (method, uri_string))
LATE(void, soup_message_set_request_body,
  (SoupMessage *msg, const char *content_type, GInputStream *stream, gssize content_length),
  (msg, content_type, stream, content_length))
LATE(void, soup_message_set_request_body_from_bytes,
  (SoupMessage *msg, const char *content_type, GBytes *bytes),
  (msg, content_type, bytes))
LATE(void, soup_message_set_tls_client_certificate, (SoupMessage *msg, GTlsCertificate *certificate),
  (msg, certificate))
LATE(void, soup_message_tls_client_certificate_password_request_complete, (SoupMessage *msg), (msg))
LATE(void, soup_server_add_early_handler,
  (SoupServer *server, const char *path, SoupServerCallback callback, gpointer user_data,
    GDestroyNotify destroy),
  (server, path, callback, user_data, destroy))
LATE(void, soup_server_add_handler,
  (SoupServer *server, const char *path, SoupServerCallback callback, gpointer user_data,
    GDestroyNotify destroy),
  (server, path, callback, user_data, destroy))
LATE(void, soup_server_disconnect, (SoupServer *server), (server))
LATE(GType, soup_server_get_type, (void), ())
LATE(gboolean, soup_server_listen_socket,
  (SoupServer *server, GSocket *socket, SoupServerListenOptions options, GError **error),
  (server, socket, options, error))
LATE(const char *, soup_server_message_get_method, (SoupServerMessage *msg), (msg))
LATE(SoupMessageBody *, soup_server_message_get_request_body, (SoupServerMessage *msg), (msg))
LATE(SoupMessageHeaders *, soup_server_message_get_request_headers, (SoupServerMessage *msg), (msg))
LATE(SoupMessageBody *, soup_server_message_get_response_body, (SoupServerMessage *msg), (msg))
LATE(SoupMessageHeaders *, soup_server_message_get_response_headers, (SoupServerMessage *msg), (msg))
LATE(GSocket *, soup_server_message_get_socket, (SoupServerMessage *msg), (msg))
LATE(guint, soup_server_message_get_status, (SoupServerMessage *msg), (msg))
LATE(GUri *, soup_server_message_get_uri, (SoupServerMessage *msg), (msg))
LATE(void, soup_server_message_pause, (SoupServerMessage *msg), (msg))
LATE(void, soup_server_message_set_status,
  (SoupServerMessage *msg, guint status_code, const char *reason_phrase),
  (msg, status_code, reason_phrase))
LATE(void, soup_server_message_unpause, (SoupServerMessage *msg), (msg))
LATE(void, soup_session_abort, (SoupSession *session), (session))
LATE(void, soup_session_add_feature_by_type, (SoupSession *session, GType feature_type),
  (session, feature_type))
LATE(GQuark, soup_session_error_quark, (void), ())
LATE(SoupSessionFeature *, soup_session_get_feature, (SoupSession *session, GType feature_type),
  (session, feature_type))
LATE(SoupSession *, soup_session_new, (void), ())
LATE(void, soup_session_remove_feature_by_type, (SoupSession *session, GType feature_type),
  (session, feature_type))
LATE(void, soup_session_send_async,
  (SoupSession *session, SoupMessage *msg, int io_priority, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data),
  (session, msg, io_priority, cancellable, callback, user_data))
LATE(GInputStream *, soup_session_send_finish, (SoupSession *session, GAsyncResult *result, GError **error),
  (session, result, error))
LATE(GProxyResolver *, soup_session_get_proxy_resolver, (SoupSession *session), (session))
LATE(void, soup_session_set_proxy_resolver, (SoupSession *session, GProxyResolver *proxy_resolver),
  (session, proxy_resolver))
LATE(void, soup_session_set_tls_database, (SoupSession *session, GTlsDatabase *tls_database),
  (session, tls_database))
