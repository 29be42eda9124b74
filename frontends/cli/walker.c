/* pergola walker: draws a media walk from its parameters, as text or as a picture. */
#include "apng.h"
#include "cli.h"

#include "media/media_walker.h"
#include "rules/plural.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 1000000u
#define CELL 24u
#define MOST_PICTURE (UINT64_C(1) << 30) /* bytes */
#define MOST_FRAMES 4096u
#define MOVIE_MS 8000u /* all steps together, if there are few enough */
#define MOVIE_PAUSE_MS 1000u

#define PATTERNS "raster, column, 45, 26, checkerboard, mbaff"

static const char usage[] =
    "usage: pergola walker [PATTERN] [OPTIONS]\n"
    "\n"
    "Draws the order in which the media walker visits a plane of units.\n"
    "\n"
    "PATTERN: " PATTERNS "\n"
    "\n"
    "  --resolution W,H      of the whole plane (default 8,8)\n"
    "  --block W,H           of the local block (default: the plane)\n"
    "  --local-start X,Y  --local-outer X,Y  --local-inner X,Y\n"
    "  --middle X,Y  --extra-steps N\n"
    "  --global-start X,Y --global-outer X,Y --global-inner X,Y\n"
    "  --local-count N  --global-count N    largest index of an outer iteration (default: no "
    "limit)\n"
    "  --dual | --repel | --attract         order of the inner walk (default: repel)\n"
    "  --colors N            how often each position is visited\n"
    "  --list                one line a step: number, x, y, color\n"
    "  --png FILE            a picture, numbered and coloured by time, red to violet\n"
    "  --apng FILE           the same, step by step: a moving picture for a browser\n"
    "  --scale N             pictures of 1 to 8 times the size (1)\n";

struct options {
   struct walk_parameters p;
   bool block_given, outer_given, inner_given, list;
   const char *png, *apng;
   unsigned scale;
};

struct drawing {
   int w, h;
   unsigned *order; /* 1 + step of the last visit; 0: not visited */
   unsigned steps;
};

struct pattern {
   const char *name;
   struct walk_vector outer, inner, middle;
   unsigned extra;
};

static const struct pattern patterns[] = {
    {"raster", {0, 1}, {1, 0}, {0, 0}, 0},        {"column", {1, 0}, {0, 1}, {0, 0}, 0},
    {"45", {1, 0}, {-1, 1}, {0, 0}, 0},           {"26", {1, 0}, {-2, 1}, {0, 0}, 0},
    {"checkerboard", {2, 0}, {-1, 1}, {0, 0}, 0}, {"mbaff", {1, 0}, {-2, 2}, {0, 1}, 1},
};

static bool
parse_pair(const char *text, int low, int high, struct walk_vector *v)
{
   char *end;
   long x = strtol(text, &end, 10);
   if (end == text || *end != ',')
      return false;
   const char *second = end + 1;
   long y = strtol(second, &end, 10);
   if (end == second || *end || x < low || x > high || y < low || y > high)
      return false;
   *v = (struct walk_vector){(int)x, (int)y};
   return true;
}

static bool
parse_number(const char *text, unsigned most, unsigned *value)
{
   uint64_t v;
   if (!cli_parse_u64(text, &v) || v > most)
      return false;
   *value = (unsigned)v;
   return true;
}

static bool
take_pattern(struct options *o, const char *name)
{
   for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
      if (!strcmp(name, patterns[i].name)) {
         o->p.local_outer = patterns[i].outer;
         o->p.local_inner = patterns[i].inner;
         o->p.middle = patterns[i].middle;
         o->p.middle_extra_steps = patterns[i].extra;
         return true;
      }
   return false;
}

enum {
   RESOLUTION = 2, /* 1: not an option */
   BLOCK,
   LOCAL_START,
   LOCAL_OUTER,
   LOCAL_INNER,
   MIDDLE,
   EXTRA_STEPS,
   GLOBAL_START,
   GLOBAL_OUTER,
   GLOBAL_INNER,
   LOCAL_COUNT,
   GLOBAL_COUNT,
   COLORS,
   PNG,
   APNG,
   SCALE,
   DUAL,
   REPEL,
   ATTRACT,
   LIST,
};
static const struct option known[] = {{"resolution", required_argument, NULL, RESOLUTION},
                                      {"block", required_argument, NULL, BLOCK},
                                      {"local-start", required_argument, NULL, LOCAL_START},
                                      {"local-outer", required_argument, NULL, LOCAL_OUTER},
                                      {"local-inner", required_argument, NULL, LOCAL_INNER},
                                      {"middle", required_argument, NULL, MIDDLE},
                                      {"extra-steps", required_argument, NULL, EXTRA_STEPS},
                                      {"global-start", required_argument, NULL, GLOBAL_START},
                                      {"global-outer", required_argument, NULL, GLOBAL_OUTER},
                                      {"global-inner", required_argument, NULL, GLOBAL_INNER},
                                      {"local-count", required_argument, NULL, LOCAL_COUNT},
                                      {"global-count", required_argument, NULL, GLOBAL_COUNT},
                                      {"colors", required_argument, NULL, COLORS},
                                      {"png", required_argument, NULL, PNG},
                                      {"apng", required_argument, NULL, APNG},
                                      {"scale", required_argument, NULL, SCALE},
                                      {"dual", no_argument, NULL, DUAL},
                                      {"repel", no_argument, NULL, REPEL},
                                      {"attract", no_argument, NULL, ATTRACT},
                                      {"list", no_argument, NULL, LIST},
                                      {0}};

/* The ranges are those of the command's fields. False: the value is not in its own, which wanted()
 * tells. */
static bool
take(struct options *o, int option)
{
   struct walk_parameters *p = &o->p;
   switch (option) {
   case RESOLUTION:
      return parse_pair(optarg, 0, 511, &p->resolution);
   case BLOCK:
      return o->block_given = parse_pair(optarg, 0, 511, &p->block);
   case LOCAL_START:
      return parse_pair(optarg, 0, 511, &p->local_start);
   case LOCAL_OUTER:
      return parse_pair(optarg, -512, 511, &p->local_outer);
   case LOCAL_INNER:
      return parse_pair(optarg, -512, 511, &p->local_inner);
   case MIDDLE:
      return parse_pair(optarg, -2, 1, &p->middle);
   case EXTRA_STEPS:
      return parse_number(optarg, 31, &p->middle_extra_steps);
   case GLOBAL_START:
      return parse_pair(optarg, -512, 511, &p->global_start);
   case GLOBAL_OUTER:
      return o->outer_given = parse_pair(optarg, -512, 511, &p->global_outer);
   case GLOBAL_INNER:
      return o->inner_given = parse_pair(optarg, -512, 511, &p->global_inner);
   case LOCAL_COUNT:
      return parse_number(optarg, 1023, &p->local_count);
   case GLOBAL_COUNT:
      return parse_number(optarg, 1023, &p->global_count);
   case COLORS:
      return parse_number(optarg, 16, &p->colors) && p->colors;
   case PNG:
      return (o->png = optarg) != NULL;
   case APNG:
      return (o->apng = optarg) != NULL;
   case SCALE:
      return parse_number(optarg, 8, &o->scale) && o->scale;
   case DUAL:
      return o->p.dual = true;
   case LIST:
      return o->list = true;
   default:
      o->p.repel = option == REPEL;
      return true;
   }
}

static const char *
wanted(int option)
{
   switch (option) {
   case RESOLUTION:
   case BLOCK:
   case LOCAL_START:
      return "X,Y, each from 0 to 511";
   case MIDDLE:
      return "X,Y, each from -2 to 1";
   case EXTRA_STEPS:
      return "a number from 0 to 31";
   case LOCAL_COUNT:
   case GLOBAL_COUNT:
      return "a number from 0 to 1023";
   case COLORS:
      return "a number from 1 to 16";
   case SCALE:
      return "a number from 1 to 8";
   default:
      return "X,Y, each from -512 to 511";
   }
}

static bool
parse(int argc, char **argv, struct options *o)
{
   *o = (struct options){.scale = 1,
                         .p = {.repel = true,
                               .colors = 1,
                               .local_count = 1023,
                               .global_count = 1023,
                               .resolution = {8, 8}}};
   take_pattern(o, "raster");
   /* '-' first: patterns and options in the order in which they are given, a later one wins */
   for (int c, which; (c = getopt_long(argc, argv, "-:", known, &which)) != -1;) {
      if (c == '?' || c == ':') {
         cli_bad_option("walker", argv, c);
         return false;
      }
      bool pattern = c == 1 && take_pattern(o, optarg);
      if (pattern || (c != 1 && take(o, c)))
         continue;
      if (c == 1)
         fprintf(stderr, "pergola walker: '%s' is not a pattern; they are " PATTERNS "\n", optarg);
      else
         cli_bad_value("walker", known[which].name, wanted(c), optarg);
      return false;
   }
   if (!o->block_given)
      o->p.block = o->p.resolution;
   if (!o->outer_given)
      o->p.global_outer = (struct walk_vector){0, o->p.block.y};
   if (!o->inner_given)
      o->p.global_inner = (struct walk_vector){o->p.block.x, 0};
   return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void
hue(double at, uint8_t rgb[3])
{
   double h = at * 5.0; /* red to violet */
   int i = (int)h;
   double f = h - i;
   const double table[6][3] = {{1, f, 0},     {1 - f, 1, 0}, {0, 1, f},
                               {0, 1 - f, 1}, {f, 0, 1},     {1, 0, 1 - f}};
   for (unsigned c = 0; c < 3; c++)
      rgb[c] = (uint8_t)(90 + 165 * table[i < 0 ? 0 : i > 5 ? 5 : i][c]);
}

static void
print_grid(const struct drawing *d)
{
   int width = snprintf(NULL, 0, "%u", d->steps);
   bool color = cli_color();
   for (int y = 0; y < d->h; y++) {
      for (int x = 0; x < d->w; x++) {
         unsigned n = d->order[y * d->w + x];
         uint8_t rgb[3];
         if (!n) {
            printf("%s%*s", x ? " " : "", width, ".");
            continue;
         }
         hue((double)(n - 1) / d->steps, rgb);
         if (color)
            printf("%s\033[38;2;%u;%u;%um%*u\033[0m", x ? " " : "", rgb[0], rgb[1], rgb[2], width,
                   n - 1);
         else
            printf("%s%*u", x ? " " : "", width, n - 1);
      }
      putchar('\n');
   }
   printf("%u step%s\n", d->steps, plural(d->steps));
}

/* ---- picture --------------------------------------------------------------------------------- */

/* Digits of 3 x 5 points. */
static const uint16_t digits[10] = {0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9,
                                    0x79cf, 0x79ef, 0x7249, 0x7bef, 0x7bcf};

/* The picture of a walk: cells with a line of white between them. */
struct picture {
   uint8_t *pixels;
   unsigned cell; /* pixels of a cell */
   uint32_t width, height;
};

static void
draw_number(const struct picture *p, unsigned left, unsigned top, unsigned value)
{
   char text[12];
   unsigned n = (unsigned)snprintf(text, sizeof(text), "%u", value), dot = p->cell / CELL;
   unsigned wide = 4 * n * dot, x0 = left + (p->cell > wide ? (p->cell - wide) / 2 : 1);
   unsigned y0 = top + (p->cell - 5 * dot) / 2;
   for (unsigned i = 0; i < n; i++)
      for (unsigned y = 0; y < 5 * dot; y++)
         for (unsigned x = 0; x < 3 * dot; x++) {
            unsigned px = x0 + 4 * i * dot + x, bit = 14 - (y / dot * 3 + x / dot);
            if (digits[text[i] - '0'] >> bit & 1 && px < left + p->cell)
               memset(p->pixels + ((size_t)(y0 + y) * p->width + px) * 3, 0, 3);
         }
}

/* `n`: 1 + the step that visits it; 0: nobody has yet. */
static void
draw_cell(const struct picture *p, unsigned x, unsigned y, unsigned n, unsigned steps)
{
   uint8_t rgb[3] = {255, 255, 255};
   if (n)
      hue((double)(n - 1) / steps, rgb);
   for (unsigned r = 0; r + 1 < p->cell; r++)
      for (unsigned c = 0; c + 1 < p->cell; c++)
         memcpy(p->pixels + (((size_t)y * p->cell + r) * p->width + (size_t)x * p->cell + c) * 3,
                rgb, 3);
   if (n)
      draw_number(p, x * p->cell, y * p->cell, n - 1);
}

static bool
picture_begin(struct picture *p, const struct drawing *d, unsigned scale)
{
   *p = (struct picture){.cell = CELL * scale};
   p->width = (uint32_t)d->w * p->cell;
   p->height = (uint32_t)d->h * p->cell;
   size_t size = (size_t)p->width * p->height * 3;
   p->pixels = size <= MOST_PICTURE ? malloc(size) : NULL;
   if (p->pixels)
      memset(p->pixels, 255, size);
   else
      fprintf(stderr, "pergola walker: a picture of %u x %u pixels is too large\n", p->width,
              p->height);
   return p->pixels != NULL;
}

static bool
write_png(const struct drawing *d, const char *path, unsigned scale)
{
   struct picture p;
   if (!picture_begin(&p, d, scale))
      return false;
   for (int y = 0; y < d->h; y++)
      for (int x = 0; x < d->w; x++)
         draw_cell(&p, (unsigned)x, (unsigned)y, d->order[y * d->w + x], d->steps);
   bool ok = cli_write_png(path, CLI_RGB, p.width, p.height, p.pixels);
   free(p.pixels);
   return ok;
}

/* A frame a step. */
static bool
write_apng(const struct options *o, const struct drawing *d)
{
   struct picture p;
   struct apng a;
   struct walk w;
   struct walk_point at;
   if (d->steps > MOST_FRAMES) {
      fprintf(stderr, "pergola walker: --apng shows at most %u steps, and there are %u\n",
              MOST_FRAMES, d->steps);
      return false;
   }
   if (!picture_begin(&p, d, o->scale) ||
       !apng_begin(&a, o->apng, p.width, p.height, d->steps + 1)) {
      free(p.pixels);
      return false;
   }
   unsigned each = d->steps ? MOVIE_MS / d->steps : 0;
   struct apng_frame f = {.width = p.width, .height = p.height, .delay_ms = MOVIE_PAUSE_MS};
   apng_add(&a, &f, p.pixels);
   walk_begin(&w, &o->p);
   for (unsigned n = 1; n <= d->steps && walk_next(&w, &at); n++) {
      draw_cell(&p, (unsigned)at.x, (unsigned)at.y, n, d->steps);
      f = (struct apng_frame){(uint32_t)at.x * p.cell, (uint32_t)at.y * p.cell, p.cell, p.cell,
                              (uint16_t)(n == d->steps ? MOVIE_PAUSE_MS
                                         : each > 20   ? each
                                                       : 20)};
      apng_add(&a, &f, p.pixels);
   }
   free(p.pixels);
   return apng_end(&a, o->apng);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void
walk_all(const struct options *o, struct drawing *d)
{
   struct walk w;
   struct walk_point at;
   walk_begin(&w, &o->p);
   while (d->steps < MAX_POINTS && walk_next(&w, &at)) {
      if (o->list)
         printf("%u %d %d %u\n", d->steps, at.x, at.y, at.color);
      d->order[at.y * d->w + at.x] = ++d->steps;
   }
}

int
cli_walker(int argc, char **argv)
{
   struct options o;
   if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
      fputs(usage, stdout);
      return CLI_OK;
   }
   if (!parse(argc, argv, &o))
      return CLI_USAGE;
   const struct cli_output written[] = {{"--png", o.png, false}, {"--apng", o.apng, false}};
   if (!cli_outputs_ok(written, 2))
      return CLI_USAGE;
   struct drawing d = {.w = o.p.resolution.x, .h = o.p.resolution.y};
   if (!d.w || !d.h) {
      fprintf(stderr, "pergola walker: the plane is empty\n");
      return CLI_USAGE;
   }
   d.order = calloc((size_t)d.w * (size_t)d.h, sizeof(*d.order));
   if (!d.order)
      return CLI_FAILED;
   walk_all(&o, &d);
   bool ok = true;
   if (o.png)
      ok = write_png(&d, o.png, o.scale);
   if (o.apng)
      ok &= write_apng(&o, &d);
   if (!o.png && !o.apng && !o.list)
      print_grid(&d);
   if (d.steps == MAX_POINTS)
      fprintf(stderr, "pergola walker: stopped after %u steps\n", MAX_POINTS);
   free(d.order);
   return ok ? CLI_OK : CLI_FAILED;
}
