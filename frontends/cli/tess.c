/* pergola tess: the tessellation engine by itself. */
#include "cli.h"

#include "json/json.h"
#include "render/te/te.h"
#include "rules/plural.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE 768
#define MARGIN 24

static const char usage_text[] =
    "usage: pergola tess [OPTIONS] quad|tri|isoline integer|odd|even FACTOR...\n"
    "\n"
    "Tessellates a patch as the Gen7 tessellation engine does and prints its points and indices.\n"
    "Factors: quad: edges U=0, V=0, U=1, V=1, inside U, V (6); tri: edges U=0, V=0, W=0, inside\n"
    "(4); isoline: detail (segments), density (lines). Of fewer factors the last is repeated.\n"
    "  --topology points|lines|cw|ccw   what comes out (cw; isolines: lines)\n"
    "  --png FILE       a picture of the patch\n"
    "  --size N         its width and height in pixels (768; 64 to 8192)\n"
    "  --json           points (16.16 fixed point) and indices for programs\n"
    "Exit code: 0 done, also for a culled patch; 1 a file cannot be written; 2 usage.\n";

struct options {
   struct te_state state;
   const char *png;
   unsigned size;
   bool json;
   float factor[6];
};

/* ---- pictures ------------------------------------------------------------------------------- */

struct picture {
   unsigned size;
   uint8_t *pixel; /* grey */
};

/* Where a point of the patch is drawn: triangles stand on a side, V upwards. */
static void
project(const struct options *o, const struct te_point *p, double *x, double *y)
{
   double u = p->u / 65536.0, v = p->v / 65536.0, room = o->size - 2.0 * MARGIN;
   if (o->state.domain == TE_TRI) {
      *x = MARGIN + (u + v / 2) * room;
      *y = MARGIN + (1 - v * sqrt(3) / 2) * room;
   } else {
      *x = MARGIN + u * room;
      *y = MARGIN + (1 - v) * room;
   }
}

static void
shade(struct picture *p, double x, double y, double amount)
{
   if (x < 0 || y < 0 || x >= p->size || y >= p->size)
      return;
   uint8_t *pixel = &p->pixel[(size_t)y * p->size + (size_t)x];
   double left = *pixel * (1 - amount);
   *pixel = (uint8_t)left;
}

/* A line of one pixel's width, its two nearest pixels shaded by distance. */
static void
draw_line(struct picture *p, double x0, double y0, double x1, double y1)
{
   double dx = x1 - x0, dy = y1 - y0;
   unsigned steps = (unsigned)ceil(fmax(fabs(dx), fabs(dy)));
   bool steep = fabs(dy) > fabs(dx);
   for (unsigned i = 0; i <= steps; i++) {
      double t = steps ? (double)i / steps : 0, x = x0 + t * dx, y = y0 + t * dy;
      double across = steep ? x : y, part = across - floor(across);
      shade(p, x, y, 1 - part);
      shade(p, steep ? x + 1 : x, steep ? y : y + 1, part);
   }
}

static void
draw_dot(struct picture *p, double x, double y)
{
   for (int dy = -2; dy <= 2; dy++)
      for (int dx = -2; dx <= 2; dx++)
         if (dx * dx + dy * dy <= 5)
            shade(p, x + dx, y + dy, 1);
}

static void
draw(const struct options *o, const struct te_output *t, struct picture *p)
{
   bool triangles = o->state.topology >= TE_TRI_CW && o->state.domain != TE_ISOLINE;
   unsigned corners = triangles ? 3 : o->state.topology == TE_POINTS ? 1 : 2;
   for (unsigned i = 0; i + corners <= t->indices; i += corners)
      for (unsigned k = 0; k < corners && corners > 1; k++) {
         double x0, y0, x1, y1;
         project(o, &t->point[t->index[i + k]], &x0, &y0);
         project(o, &t->point[t->index[i + (k + 1) % corners]], &x1, &y1);
         draw_line(p, x0, y0, x1, y1);
      }
   for (unsigned i = 0; i < t->points; i++) {
      double x, y;
      project(o, &t->point[i], &x, &y);
      draw_dot(p, x, y);
   }
}

static bool
write_png(const struct options *o, const struct te_output *t)
{
   struct picture p = {o->size, malloc((size_t)o->size * o->size)};
   if (!p.pixel)
      return false;
   memset(p.pixel, 255, (size_t)o->size * o->size);
   draw(o, t, &p);
   bool ok = cli_write_png(o->png, CLI_GRAY, o->size, o->size, p.pixel);
   free(p.pixel);
   return ok;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void
print_json(const struct te_output *t)
{
   struct json j = {.file = stdout};
   json_object(&j, NULL);
   json_array(&j, "points");
   for (unsigned i = 0; i < t->points; i++) {
      json_array(&j, NULL);
      json_unsigned(&j, NULL, t->point[i].u);
      json_unsigned(&j, NULL, t->point[i].v);
      json_end_array(&j);
   }
   json_end_array(&j);
   json_array(&j, "indices");
   for (unsigned i = 0; i < t->indices; i++)
      json_unsigned(&j, NULL, t->index[i]);
   json_end_array(&j);
   json_end_object(&j);
   putchar('\n');
}

static void
print_text(const struct options *o, const struct te_output *t)
{
   bool triangles = o->state.topology >= TE_TRI_CW && o->state.domain != TE_ISOLINE;
   unsigned corners = triangles ? 3 : o->state.topology == TE_POINTS ? 1 : 2;
   unsigned pieces = t->indices / corners;
   const char *one = triangles ? "triangle" : corners == 2 ? "line" : "vert";
   const char *ending = corners > 1 ? plural(pieces) : pieces == 1 ? "ex" : "ices";
   printf("%u point%s, %u %s%s\n", t->points, plural(t->points), pieces, one, ending);
   for (unsigned i = 0; i < t->points; i++)
      printf("%5u  u %.6f  v %.6f\n", i, t->point[i].u / 65536.0, t->point[i].v / 65536.0);
   for (unsigned i = 0; corners > 1 && i + corners <= t->indices; i += corners) {
      printf("   ");
      for (unsigned k = 0; k < corners; k++)
         printf(" %u", t->index[i + k]);
      printf("\n");
   }
}

/* ---- the command line ----------------------------------------------------------------------- */

static bool
choose(const char *what, const char *text, const char *const *names, unsigned *value)
{
   for (unsigned i = 0; names[i]; i++)
      if (!strcmp(text, names[i])) {
         *value = i;
         return true;
      }
   fprintf(stderr, "pergola: '%s' is not a %s; they are", text, what);
   for (unsigned i = 0; names[i]; i++)
      fprintf(stderr, " %s", names[i]);
   fprintf(stderr, "\n");
   return false;
}

static bool
parse_patch(struct options *o, char **word, int words)
{
   static const char *const domains[] = {"quad", "tri", "isoline", NULL};
   static const char *const modes[] = {"integer", "odd", "even", NULL};
   static const unsigned factors[] = {6, 4, 2};
   unsigned domain, mode;
   if (words < 3) {
      fputs(usage_text, stderr);
      return false;
   }
   if (!choose("domain", word[0], domains, &domain) ||
       !choose("partitioning", word[1], modes, &mode))
      return false;
   if (words - 2 > (int)factors[domain]) {
      fprintf(stderr, "pergola: a %s has %u factors, not %d\n", word[0], factors[domain],
              words - 2);
      return false;
   }
   for (unsigned i = 0; i < factors[domain]; i++) {
      const char *text = word[2 + ((int)i < words - 2 ? (int)i : words - 3)];
      char *end;
      o->factor[i] = strtof(text, &end);
      if (end == text || *end) {
         fprintf(stderr, "pergola: '%s' is not a tessellation factor; give a number\n", text);
         return false;
      }
   }
   o->state.domain = (enum te_domain)domain;
   o->state.partitioning = (enum te_partitioning)mode;
   return true;
}

/* CLI_OK, or the exit code in *code. */
static bool
parse(int argc, char **argv, struct options *o, int *code)
{
   static const char *const topologies[] = {"points", "lines", "cw", "ccw", NULL};
   static const struct option options[] = {
       {"topology", required_argument, NULL, 't'}, {"png", required_argument, NULL, 'p'},
       {"size", required_argument, NULL, 's'},     {"json", no_argument, NULL, 'j'},
       {"help", no_argument, NULL, 'h'},           {0}};
   unsigned topology = TE_TRI_CW;
   bool chosen = false;
   uint64_t size;
   *code = CLI_USAGE;
   for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      switch (c) {
      case 't':
         chosen = true;
         for (topology = 0; topologies[topology] && strcmp(optarg, topologies[topology]);)
            topology++;
         if (!topologies[topology]) {
            cli_bad_value("tess", "topology", "points, lines, cw or ccw", optarg);
            return false;
         }
         break;
      case 'p':
         o->png = optarg;
         break;
      case 's':
         if (!cli_parse_u64(optarg, &size) || size < 64 || size > 8192) {
            cli_bad_value("tess", "size", "a number of pixels from 64 to 8192", optarg);
            return false;
         }
         o->size = (unsigned)size;
         break;
      case 'j':
         o->json = true;
         break;
      case 'h':
         fputs(usage_text, stdout);
         *code = CLI_OK;
         return false;
      default:
         cli_bad_option("tess", argv, c);
         return false;
      }
   }
   if (!parse_patch(o, argv + optind, argc - optind))
      return false;
   if (!chosen && o->state.domain == TE_ISOLINE)
      topology = TE_LINES;
   o->state.topology = (enum te_topology)topology;
   return true;
}

int
cli_tess(int argc, char **argv)
{
   struct options o = {.state = {.max_odd = 63, .max_not_odd = 64}, .size = DEFAULT_SIZE};
   uint32_t header[8] = {0};
   int code;
   if (!parse(argc, argv, &o, &code))
      return code;
   struct cli_output written = {.option = "--png", .path = o.png};
   if (!cli_outputs_ok(&written, 1))
      return CLI_USAGE;
   for (unsigned i = 0; i < 6; i++)
      memcpy(&header[7 - i], &o.factor[i], 4);
   struct te_output *t = malloc(sizeof(*t));
   if (!t) {
      fprintf(stderr, "pergola: out of memory\n");
      return CLI_FAILED;
   }
   bool ok = true;
   if (!te_tessellate(&o.state, header, t))
      fprintf(stderr, "pergola: the patch is culled: an edge factor is not greater than zero\n");
   if (o.json)
      print_json(t);
   else if (!o.png)
      print_text(&o, t);
   if (o.png)
      ok = write_png(&o, t);
   free(t);
   ok &= !fflush(stdout) && !ferror(stdout);
   return ok ? CLI_OK : CLI_FAILED;
}
