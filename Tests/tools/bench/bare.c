/* The least code for a login in a window: WebKit's default settings and its sandbox, without any of Tokentry's checks.
 * usage: bare AUTHORIZATION-URL TOKEN-URL REDIRECT-URI */
#include <stdio.h>
#include <webkit2/webkit2.h>

static char **arguments;

/* Exchanges the code of the callback, and prints the answer. */
static void finish(const char *callback) {
  const char *query = strchr(callback, '?');
  GHashTable *fields = soup_form_decode(query ? query + 1 : "");
  const char *code = g_hash_table_lookup(fields, "code");
  char *form = soup_form_encode("grant_type", "authorization_code", "code", code ? code : "", "redirect_uri", arguments[3],
                                "client_id", "1", NULL);
  SoupMessage *message = soup_message_new_from_encoded_form("POST", arguments[2], form);
  GError *error = NULL;
  GBytes *answer = soup_session_send_and_read(soup_session_new(), message, NULL, &error);
  if (!answer) g_error("%s", error->message);
  fwrite(g_bytes_get_data(answer, NULL), 1, g_bytes_get_size(answer), stdout);
  gtk_main_quit();
}

static gboolean decide(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type) {
  if (type != WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION) return FALSE;
  WebKitNavigationAction *action =
      webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
  const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
  if (!g_str_has_prefix(uri, arguments[3])) return FALSE;
  webkit_policy_decision_ignore(decision);
  finish(uri);
  return TRUE;
}

int main(int argc, char **argv) {
  gtk_init(&argc, &argv);
  if (argc != 4) return 2;
  arguments = argv;
  WebKitWebContext *context = webkit_web_context_get_default();
  webkit_web_context_set_sandbox_enabled(context, TRUE);
  GtkWidget *view = webkit_web_view_new_with_context(context);
  g_signal_connect(view, "decide-policy", G_CALLBACK(decide), NULL);
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_default_size(GTK_WINDOW(window), 480, 640);
  g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
  gtk_container_add(GTK_CONTAINER(window), view);
  gtk_widget_show_all(window);
  webkit_web_view_load_uri(WEBKIT_WEB_VIEW(view), argv[1]);
  gtk_main();
  return 0;
}
