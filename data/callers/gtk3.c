/* A GTK 3 application that signs its user in. It stays responsive, its button cancels the login, and Tokentry's window is
   in front of its own. The arguments are those of tokentry login.

   cc -Wall -o gtk3 gtk3.c $(pkg-config --cflags --libs gtk+-3.0 json-glib-1.0) */

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <string.h>
#ifdef GDK_WINDOWING_WAYLAND
#include <gdk/gdkwayland.h>
#endif
#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

static char **options;
static GtkWidget *window, *button;
/* The running login; there is at most one. */
static GSubprocess *login;
static gboolean is_starting;

static void show(const char *text) {
  char *title = g_strdup_printf("Mail: %s", text);
  gtk_window_set_title(GTK_WINDOW(window), title);
  gtk_button_set_label(GTK_BUTTON(button), login ? "Cancel" : "Sign in");
  g_free(title);
}

static void ended(GObject *process, GAsyncResult *result, gpointer data) {
  char *output = NULL;
  JsonParser *parser = json_parser_new();
  (void)data;
  g_subprocess_communicate_utf8_finish(login, result, &output, NULL, NULL);
  gboolean is_signed_in = g_subprocess_get_successful(login);
  g_clear_object(&login);
  JsonNode *root = output && json_parser_load_from_data(parser, output, -1, NULL) ? json_parser_get_root(parser) : NULL;
  JsonObject *answer = root ? json_node_get_object(root) : NULL;
  if (!answer)
    show("Tokentry was ended before it could answer");
  else if (is_signed_in) /* the member access_token is the token */
    show("signed in");
  else if (!strcmp(json_object_get_string_member(answer, "error"), "cancelled")) /* the user knows about it */
    show("cancelled");
  else
    show(json_object_get_string_member(answer, "error_description"));
  g_object_unref(parser);
  g_free(output);
  g_object_unref(process);
}

static void start(const char *parent) {
  GPtrArray *words = g_ptr_array_new();
  GError *error = NULL;
  is_starting = FALSE;
  for (const char *const *word = (const char *const[]){"tokentry", "login", NULL}; *word; word++)
    g_ptr_array_add(words, (char *)*word);
  if (parent) {
    g_ptr_array_add(words, "--parent");
    g_ptr_array_add(words, (char *)parent);
  }
  for (char **option = options; *option; option++) g_ptr_array_add(words, *option);
  g_ptr_array_add(words, NULL);
  login = g_subprocess_newv((const char *const *)words->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_ptr_array_free(words, TRUE);
  if (login) {
    g_subprocess_communicate_utf8_async(g_object_ref(login), NULL, NULL, ended, NULL);
    show("signing in");
  } else {
    show(error->message);
    g_error_free(error);
  }
}

#ifdef GDK_WINDOWING_WAYLAND
static void exported(GdkWindow *surface, const char *handle, gpointer data) {
  (void)surface, (void)data;
  char *parent = g_strdup_printf("wayland:%s", handle);
  start(parent);
  g_free(parent);
}
#endif

static void pressed(void) {
  if (is_starting) return;
  if (login) {
    g_subprocess_send_signal(login, SIGTERM);
    return;
  }
  is_starting = TRUE;
  GdkWindow *surface = gtk_widget_get_window(window);
#ifdef GDK_WINDOWING_WAYLAND
  if (GDK_IS_WAYLAND_WINDOW(surface) && gdk_wayland_window_export_handle(surface, exported, NULL, NULL)) return;
#endif
#ifdef GDK_WINDOWING_X11
  if (GDK_IS_X11_WINDOW(surface)) {
    char *parent = g_strdup_printf("x11:%lx", gdk_x11_window_get_xid(surface));
    start(parent);
    g_free(parent);
    return;
  }
#endif
  start(NULL);
}

int main(int count, char **arguments) {
  gtk_init(&count, &arguments);
  options = arguments + 1;
  window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  button = gtk_button_new();
  gtk_container_add(GTK_CONTAINER(window), button);
  gtk_window_set_default_size(GTK_WINDOW(window), 320, 80);
  g_signal_connect(button, "clicked", G_CALLBACK(pressed), NULL);
  g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
  show("not signed in");
  gtk_widget_show_all(window);
  gtk_main();
  /* A running login ends by itself, because the reader of its output has gone. */
}
