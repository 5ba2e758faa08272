/* A minimal login window: one view with WebKit's default settings, one handler, and the sandbox.
 * usage: bare URL REDIRECT-URI */
#include <stdio.h>
#include <webkit2/webkit2.h>

static gboolean decide(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type,
                       gpointer redirect) {
  if (type != WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION) return FALSE;
  WebKitNavigationAction *action =
      webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
  const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
  if (!g_str_has_prefix(uri, redirect)) return FALSE;
  webkit_policy_decision_ignore(decision);
  printf("{\"callback\":\"%s\"}\n", uri);
  fflush(stdout);
  gtk_main_quit();
  return TRUE;
}

int main(int argc, char **argv) {
  gtk_init(&argc, &argv);
  if (argc != 3) return 2;
  WebKitWebContext *context = webkit_web_context_get_default();
  webkit_web_context_set_sandbox_enabled(context, TRUE);
  GtkWidget *view = webkit_web_view_new_with_context(context);
  g_signal_connect(view, "decide-policy", G_CALLBACK(decide), argv[2]);
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_default_size(GTK_WINDOW(window), 480, 640);
  g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
  gtk_container_add(GTK_CONTAINER(window), view);
  gtk_widget_show_all(window);
  webkit_web_view_load_uri(WEBKIT_WEB_VIEW(view), argv[1]);
  gtk_main();
  return 0;
}
