/* A policy that makes a first and a last name of a name, for bench/run policies: what a compiled program takes.
   It reads only what bulkmigrate writes for this policy: "rows":[[1,"Ada Lovelace"],[2,null]]. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *output;
static size_t used, room;

static void say(const char *text, size_t count) {
  if (used + count > room) output = realloc(output, room = 2 * (used + count));
  memcpy(output + used, text, count);
  used += count;
}

static void say_text(const char *text) { say(text, strlen(text)); }

/* The end of a string of JSON, at its closing quotation mark. */
static char *end_of(char *text) {
  for (; *text != '"'; text++)
    if (*text == '\\') text++;
  return text;
}

static void answer_rows(char *place) {
  const char *before = "";
  say_text(",\"objects\":[");
  while (*place == '[') {
    place = strchr(place, ',') + 1;
    say_text(before);
    before = ",";
    if (*place == '"') {
      char *end = end_of(++place), *space = memchr(place, ' ', end - place);
      say_text("{\"set\":{\"first\":\"");
      say(place, (space ? space : end) - place);
      say_text("\",\"last\":\"");
      say(space ? space + 1 : place, end - (space ? space + 1 : place));
      say_text("\"}}");
      place = end + 1;
    } else {
      say_text("{\"set\":{\"first\":\"\",\"last\":\"\"}}");
      place = strchr(place, ']');
    }
    place++;
    if (*place == ',') place++;
  }
  say_text("]");
}

int main(void) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    used = 0;
    say(line, strchr(line, ',') - line);
    if (strstr(line, "\"hook\":\"start\""))
      say_text(",\"bulkmigrate\":\"policy/1\",\"hooks\":[\"createDestinationInstances\"],\"values\":[\"name\"]");
    char *rows = strstr(line, ",\"rows\":[");
    if (rows) answer_rows(rows + strlen(",\"rows\":["));
    say_text("}\n");
    fwrite(output, 1, used, stdout);
    fflush(stdout);
  }
  return 0;
}
