/* A virtual US keyboard for a Wayland compositor that lets programs type (virtual-keyboard-unstable-v1). It exists as
   long as this program runs.

   Each line of input is a key with its modifiers, in X's names: "ctrl+shift+u". The answer is an empty line once the
   compositor has the key, or "no such key". */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client.h>
#include <xkbcommon/xkbcommon.h>

enum { CREATE = 0, KEYMAP = 0, KEY = 1, MODIFIERS = 2, EVDEV = 8 };

static const struct wl_interface keyboard_interface;
static const struct wl_interface *created[] = {&wl_seat_interface, &keyboard_interface};
static const struct wl_interface *none[] = {NULL, NULL, NULL, NULL};
static const struct wl_message manager_requests[] = {{"create_virtual_keyboard", "on", created}};
static const struct wl_message keyboard_requests[] = {
    {"keymap", "uhu", none}, {"key", "uuu", none}, {"modifiers", "uuuu", none}, {"destroy", "", none}};
static const struct wl_interface manager_interface = {
    "zwp_virtual_keyboard_manager_v1", 1, 1, manager_requests, 0, NULL};
static const struct wl_interface keyboard_interface = {
    "zwp_virtual_keyboard_v1", 1, 4, keyboard_requests, 0, NULL};

static struct wl_seat *seat;
static struct wl_proxy *manager, *keyboard;
static struct wl_display *display;
static struct xkb_keymap *keymap;

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  (void)data, (void)version;
  if (strcmp(interface, wl_seat_interface.name) == 0)
    seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
  if (strcmp(interface, manager_interface.name) == 0)
    manager = wl_registry_bind(registry, name, &manager_interface, 1);
}

static void lost(void *data, struct wl_registry *registry, uint32_t name) { (void)data, (void)registry, (void)name; }

static void fail(const char *reason) {
  fprintf(stderr, "%s\n", reason);
  exit(1);
}

static void connect_keyboard(void) {
  static const struct wl_registry_listener listener = {found, lost};
  display = wl_display_connect(NULL);
  if (!display) fail("cannot connect to the display");
  wl_registry_add_listener(wl_display_get_registry(display), &listener, NULL);
  wl_display_roundtrip(display);
  if (!seat || !manager) fail("the compositor has no seat or no virtual keyboards");
  keyboard = wl_proxy_marshal_flags(manager, CREATE, &keyboard_interface, 1, 0, seat, NULL);
  struct xkb_rule_names names = {.layout = "us"};
  keymap = xkb_keymap_new_from_names(xkb_context_new(XKB_CONTEXT_NO_FLAGS), &names, 0);
  char *text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1);
  size_t size = strlen(text) + 1;
  int file = memfd_create("keymap", 0);
  if (write(file, text, size) != (ssize_t)size) fail("cannot write the keymap");
  wl_proxy_marshal_flags(keyboard, KEYMAP, NULL, 1, 0, XKB_KEYMAP_FORMAT_TEXT_V1, file, (uint32_t)size);
  wl_display_roundtrip(display);
}

/* Finds the key for a symbol. Sets `is_shifted` if it needs the shift key. */
static xkb_keycode_t key_of(xkb_keysym_t sym, int *is_shifted) {
  for (xkb_level_index_t level = 0; level < 2; level++)
    for (xkb_keycode_t key = xkb_keymap_min_keycode(keymap); key <= xkb_keymap_max_keycode(keymap); key++) {
      const xkb_keysym_t *syms;
      if (xkb_keymap_key_get_syms_by_level(keymap, key, 0, level, &syms) == 1 && syms[0] == sym) {
        *is_shifted = level == 1;
        return key;
      }
    }
  return 0;
}

static uint32_t modifier(const char *name) {
  const char *names[][2] = {{"shift", XKB_MOD_NAME_SHIFT}, {"ctrl", XKB_MOD_NAME_CTRL}, {"alt", XKB_MOD_NAME_ALT}};
  for (size_t i = 0; i < 3; i++)
    if (strcmp(name, names[i][0]) == 0) return 1u << xkb_keymap_mod_get_index(keymap, names[i][1]);
  return 0;
}

static void send_key(xkb_keycode_t key, int is_down) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint32_t time = (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
  wl_proxy_marshal_flags(keyboard, KEY, NULL, 1, 0, time, key - EVDEV, is_down);
}

static int press(char *line) {
  uint32_t held = 0;
  char *name = line, *plus;
  while ((plus = strchr(name, '+')) && plus[1]) {
    *plus = 0;
    held |= modifier(name);
    name = plus + 1;
  }
  int is_shifted = 0;
  xkb_keycode_t key = key_of(xkb_keysym_from_name(name, XKB_KEYSYM_NO_FLAGS), &is_shifted);
  if (!key) return 0;
  if (is_shifted) held |= modifier("shift");
  wl_proxy_marshal_flags(keyboard, MODIFIERS, NULL, 1, 0, held, 0, 0, 0);
  send_key(key, 1);
  send_key(key, 0);
  wl_proxy_marshal_flags(keyboard, MODIFIERS, NULL, 1, 0, 0, 0, 0, 0);
  wl_display_roundtrip(display);
  return 1;
}

int main(void) {
  char line[200];
  connect_keyboard();
  puts("");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    puts(press(line) ? "" : "no such key");
    fflush(stdout);
  }
  return 0;
}
