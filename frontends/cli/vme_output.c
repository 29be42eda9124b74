/* What a search found: parts, prediction, tables. */
#include "vme.h"

#include "json/json.h"
#include "rules/plural.h"
#include "shared_functions/vme/dsp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const shapes[] = {"16x16", "16x8", "8x16", "8x8"};
static const char *const directions[] = {"forward", "backward", "both"};
static const char *const intra_types[] = {"intra16x16", "intra8x8", "intra4x4", "?"};

static void
take_vectors(const struct vme_answer *a, unsigned slot, struct vme_part *p)
{
   for (unsigned r = 0; r < 2; r++) {
      uint32_t dw = a->w[1 + slot / 4][2 * (slot % 4) + r];
      p->mv[r][0] = (int16_t)dw;
      p->mv[r][1] = (int16_t)(dw >> 16);
   }
   p->cost = a->w[5][slot / 2] >> 16 * (slot % 2) & 0x3fff;
}

/* The parts of an 8x8 (in 32MV form its slots are 4k and on; else slot k). */
static unsigned
minor_parts(const struct vme_answer *a, const struct hw_vme_w0 *w0, unsigned k, struct vme_part *p)
{
   static const uint8_t count[] = {1, 2, 2, 4};
   unsigned shape = w0->submbshape >> 2 * k & 3;
   for (unsigned i = 0; i < count[shape]; i++) {
      unsigned x = shape == 2   ? i
                   : shape == 3 ? i & 1
                                : 0,
               y = shape == 1   ? i
                   : shape == 3 ? i >> 1
                                : 0;
      p[i] = (struct vme_part){.x = (uint8_t)(k % 2 * 8 + 4 * x),
                               .y = (uint8_t)(k / 2 * 8 + 4 * y),
                               .w = shape >= 2 ? 4 : 8,
                               .h = shape & 1 ? 4 : 8,
                               .direction = w0->submbpredmode >> 2 * k & 3,
                               .direct = w0->direct8x8pattern >> k & 1};
      take_vectors(a, w0->mvsize == GEN7_VME_W0_MVSIZE_32MV ? 4 * k + x + 2 * y : k, &p[i]);
   }
   return count[shape];
}

unsigned
vme_parts(const struct vme_answer *a, struct vme_part parts[16])
{
   struct hw_vme_w0 w0;
   unsigned n = 0;
   gen7_vme_w0_unpack(&w0, a->w[0]);
   if (w0.intrambflag)
      return 0;
   if (w0.intermbmode == GEN7_VME_W0_INTERMBMODE_INTER8X8) {
      for (unsigned k = 0; k < 4; k++)
         n += minor_parts(a, &w0, k, parts + n);
      return n;
   }
   n = w0.intermbmode ? 2 : 1;
   for (unsigned i = 0; i < n; i++) {
      bool flat = w0.intermbmode == GEN7_VME_W0_INTERMBMODE_INTER16X8,
           tall = w0.intermbmode == GEN7_VME_W0_INTERMBMODE_INTER8X16;
      parts[i] = (struct vme_part){.x = tall && i ? 8 : 0,
                                   .y = flat && i ? 8 : 0,
                                   .w = tall ? 8 : 16,
                                   .h = flat ? 8 : 16,
                                   .direction = w0.submbpredmode >> 2 * i & 3,
                                   .direct = w0.mbskipflag};
      take_vectors(a, flat ? 2 * i : i, &parts[i]);
   }
   return n;
}

/* ---- prediction ---- */

static int32_t
clamp(int32_t v, uint32_t size)
{
   return v < 0 ? 0 : v >= (int32_t)size ? (int32_t)size - 1 : v;
}

/* A part of one reference; 16 bytes a row. */
static void
fetch_part(const struct vme_image *ref, int32_t x4, int32_t y4, unsigned w, unsigned h,
           bool bilinear, uint8_t *out)
{
   uint8_t px[19 * 32 + 32];
   for (int32_t y = 0; y < (int32_t)h + 3; y++)
      for (int32_t x = 0; x < (int32_t)w + 3; x++)
         px[y * 32 + x] = ref->y[(size_t)clamp((y4 >> 2) - 1 + y, ref->rows) * ref->stride +
                                 (size_t)clamp((x4 >> 2) - 1 + x, ref->stride)];
   vme_dsp_c.predict(px + 33, 32, (unsigned)x4 & 3, (unsigned)y4 & 3, bilinear, w, h, out);
}

static void
predict_part(const struct vme_settings *s, const struct vme_image *const reference[2],
             const struct vme_part *p, uint32_t x, uint32_t y, uint8_t *out)
{
   struct hw_vme_m0 m0;
   struct hw_vme_m1 m1;
   uint8_t other[16 * 16];
   gen7_vme_m0_unpack(&m0, s->in[0]);
   gen7_vme_m1_unpack(&m1, s->in[1]);
   unsigned first = p->direction == 1;
   const struct vme_image *second = reference[1] ? reference[1] : reference[0];
   fetch_part(first ? second : reference[0], (int32_t)(4 * (x + p->x)) + p->mv[first][0],
              (int32_t)(4 * (y + p->y)) + p->mv[first][1], p->w, p->h, m1.bilinearenable, out);
   if (p->direction != 2)
      return;
   unsigned alpha =
       m0.searchctrl == GEN7_VME_M0_SEARCHCTRL_DUAL_REFERENCE_DUAL_RECORD ? m1.biweight : 32;
   fetch_part(second, (int32_t)(4 * (x + p->x)) + p->mv[1][0],
              (int32_t)(4 * (y + p->y)) + p->mv[1][1], p->w, p->h, m1.bilinearenable, other);
   for (unsigned i = 0; i < 256; i++)
      out[i] = (uint8_t)(((64 - alpha) * out[i] + alpha * other[i] + 32) >> 6);
}

static void
fill_mean(const struct vme_image *source, uint32_t x, uint32_t y, struct vme_image *out)
{
   unsigned sum = 0;
   for (unsigned i = 0; i < 256; i++)
      sum += source->y[(size_t)(y + i / 16) * source->stride + x + i % 16];
   for (unsigned i = 0; i < 16; i++)
      memset(out->y + (size_t)(y + i) * out->stride + x, (int)(sum / 256), 16);
}

bool
vme_compensate(const struct vme_settings *s, const struct vme_image *source,
               const struct vme_image *const reference[2], const struct vme_answer *answers,
               struct vme_image *out)
{
   uint32_t columns = source->stride / 16;
   if (!vme_image_create(out, source->width, source->height))
      return false;
   for (uint32_t i = 0; i < columns * (source->rows / 16); i++) {
      uint32_t x = i % columns * 16, y = i / columns * 16;
      struct vme_part parts[16];
      unsigned n = vme_parts(&answers[i], parts);
      if (!n)
         fill_mean(source, x, y, out);
      for (unsigned k = 0; k < n; k++) {
         uint8_t px[16 * 16] = {0};
         predict_part(s, reference, &parts[k], x, y, px);
         for (unsigned row = 0; row < parts[k].h; row++)
            memcpy(out->y + (size_t)(y + parts[k].y + row) * out->stride + x + parts[k].x,
                   px + row * 16, parts[k].w);
      }
   }
   return true;
}

double
vme_psnr(const struct vme_image *a, const struct vme_image *b)
{
   double sum = 0;
   for (uint32_t y = 0; y < a->height; y++)
      for (uint32_t x = 0; x < a->width; x++) {
         int d = a->y[(size_t)y * a->stride + x] - b->y[(size_t)y * b->stride + x];
         sum += d * d;
      }
   return sum ? 10 * log10(255.0 * 255.0 * a->width * a->height / sum) : INFINITY;
}

/* ---- tables ---- */

static const char *
kind_of(const struct hw_vme_w0 *w0)
{
   return w0->intrambflag ? intra_types[w0->intrambmode] : w0->mbskipflag ? "skip" : "inter";
}

void
vme_write_csv(FILE *f, const struct vme_image *source, const struct vme_answer *answers,
              unsigned frame)
{
   uint32_t columns = source->stride / 16;
   for (uint32_t i = 0; i < columns * (source->rows / 16); i++) {
      struct hw_vme_w0 w0;
      struct vme_part parts[16];
      unsigned n = vme_parts(&answers[i], parts);
      gen7_vme_w0_unpack(&w0, answers[i].w[0]);
      fprintf(f, "%u,%u,%u,%s,%s,%u,%u,%u,%u", frame, i % columns, i / columns, kind_of(&w0),
              w0.intrambflag ? "" : shapes[w0.intermbmode], w0.minimal_distortion,
              w0.interdistortion, w0.bestintradistortion, w0.search_path_length);
      fputs(n ? ",\"" : ",", f);
      for (unsigned k = 0; k < n; k++)
         fprintf(f, "%s%u %u %ux%u %s %d %d %d %d", k ? "; " : "", parts[k].x, parts[k].y,
                 parts[k].w, parts[k].h, directions[parts[k].direction % 3], parts[k].mv[0][0],
                 parts[k].mv[0][1], parts[k].mv[1][0], parts[k].mv[1][1]);
      fputs(n ? "\"\n" : "\n", f);
   }
}

static void
json_vector(struct json *j, const int16_t mv[2])
{
   json_array(j, NULL);
   json_signed(j, NULL, mv[0]);
   json_signed(j, NULL, mv[1]);
   json_end_array(j);
}

static void
json_macroblock(struct json *j, const struct vme_answer *answer, unsigned x, unsigned y)
{
   struct hw_vme_w0 w0;
   struct vme_part p[16];
   unsigned n = vme_parts(answer, p);
   gen7_vme_w0_unpack(&w0, answer->w[0]);
   json_object(j, NULL);
   json_unsigned(j, "x", x);
   json_unsigned(j, "y", y);
   json_text(j, "kind", kind_of(&w0));
   json_unsigned(j, "type", w0.mbtype);
   json_unsigned(j, "cost", w0.minimal_distortion);
   json_unsigned(j, "inter", w0.interdistortion);
   json_unsigned(j, "intra", w0.bestintradistortion);
   json_unsigned(j, "units", w0.search_path_length);
   json_array(j, "parts");
   for (unsigned k = 0; k < n; k++) {
      json_object(j, NULL);
      json_unsigned(j, "x", p[k].x);
      json_unsigned(j, "y", p[k].y);
      json_unsigned(j, "w", p[k].w);
      json_unsigned(j, "h", p[k].h);
      json_text(j, "direction", directions[p[k].direction % 3]);
      json_array(j, "mv");
      json_vector(j, p[k].mv[0]);
      json_vector(j, p[k].mv[1]);
      json_end_array(j);
      json_unsigned(j, "cost", p[k].cost);
      json_end_object(j);
   }
   json_end_array(j);
   json_end_object(j);
}

void
vme_write_json(FILE *f, const struct vme_image *source, const struct vme_answer *answers,
               unsigned frame, double psnr)
{
   uint32_t columns = source->stride / 16, count = columns * (source->rows / 16);
   struct json j = {.file = f};
   json_object(&j, NULL);
   json_unsigned(&j, "frame", frame);
   json_unsigned(&j, "columns", columns);
   json_unsigned(&j, "rows", source->rows / 16);
   if (isinf(psnr))
      json_text(&j, "psnr", NULL);
   else
      json_thousandths(&j, "psnr", (uint64_t)llround(psnr * 1000));
   json_array(&j, "macroblocks");
   for (uint32_t i = 0; i < count; i++) {
      json_line(&j);
      json_macroblock(&j, &answers[i], i % columns, i / columns);
   }
   json_end_array(&j);
   json_end_object(&j);
   putc('\n', f);
}

void
vme_print_summary(FILE *f, const struct vme_image *source, const struct vme_answer *answers,
                  double psnr)
{
   uint32_t count = source->stride / 16 * (source->rows / 16);
   unsigned inter[4] = {0}, intra[4] = {0}, skip = 0;
   uint64_t cost = 0, units = 0;
   for (uint32_t i = 0; i < count; i++) {
      struct hw_vme_w0 w0;
      gen7_vme_w0_unpack(&w0, answers[i].w[0]);
      cost += w0.minimal_distortion;
      units += w0.search_path_length;
      if (w0.intrambflag)
         intra[w0.intrambmode]++;
      else if (w0.mbskipflag)
         skip++;
      else
         inter[w0.intermbmode]++;
   }
   fprintf(f,
           "%u macroblock%s: 16x16 %u, 16x8 %u, 8x16 %u, 8x8 %u, skip %u, intra 16x16 %u, 8x8 %u, "
           "4x4 %u\n",
           count, plural(count), inter[0], inter[1], inter[2], inter[3], skip, intra[0], intra[1],
           intra[2]);
   fprintf(f, "mean cost %.1f, mean search units %.1f, PSNR of the prediction %.2f dB\n",
           (double)cost / count, (double)units / count, psnr);
}
