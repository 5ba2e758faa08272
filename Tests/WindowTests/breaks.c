/* A preloaded library that writes each line break inside a word of a label to the file LOG: the text before it, and
   U+2010 if the label shows a hyphen there that is not part of the text. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pango/pangocairo.h>
#include <stdio.h>

static int has_hyphen(PangoLayoutLine *line) {
  int found = 0;
  for (GSList *run = line->runs; run; run = run->next)
    found |= ((PangoGlyphItem *)run->data)->item->analysis.flags & PANGO_ANALYSIS_FLAG_NEED_HYPHEN;
  return found;
}

void pango_cairo_show_layout(cairo_t *context, PangoLayout *layout) {
  const char *text = pango_layout_get_text(layout);
  FILE *log = fopen(LOG, "a");
  for (GSList *next = pango_layout_get_lines_readonly(layout); log && next; next = next->next) {
    PangoLayoutLine *line = next->data;
    const char *end = text + line->start_index + line->length;
    if (next->next && *end && *end != '\n' && end[-1] != ' ')
      fprintf(log, "%.*s%s\n", line->length, text + line->start_index, has_hyphen(line) ? "\u2010" : "");
  }
  if (log) fclose(log);
  ((void (*)(cairo_t *, PangoLayout *))dlsym(RTLD_NEXT, "pango_cairo_show_layout"))(context, layout);
}
