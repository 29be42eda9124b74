#include "tests/vme/stand.h"

#include "memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void
sink(void *data, const struct pergola_diagnostic *d)
{
   struct vme_stand *s = data;
   if (s->rule_count < 64)
      snprintf(s->rules[s->rule_count++], sizeof(s->rules[0]), "%s", d->rule);
}

bool
stand_said(const struct vme_stand *s, const char *rule)
{
   for (unsigned i = 0; i < s->rule_count; i++)
      if (!strcmp(s->rules[i], rule))
         return true;
   return false;
}

struct vme_stand *
stand_create(bool check)
{
   struct vme_stand *s = calloc(1, sizeof(*s));
   struct pergola_config config = {.check = check ? PERGOLA_CHECK_REPORT : PERGOLA_CHECK_OFF,
                                   .host_threads = 1};
   struct pergola_machine_memory memory = {
       .physical = STAND_FIRST, .size = STAND_SIZE, .graphics = STAND_FIRST, .mapped = STAND_SIZE};
   assert_int_equal(pergola_machine_create(&s->machine, &config, &memory, NULL), 0);
   s->dev = s->machine.dev;
   s->host = s->machine.memory;
   s->env = (struct eu_env){.dev = s->dev,
                            .space = &s->dev->ggtt,
                            .surface_state_base = STAND_SURFACES,
                            .dynamic_state_base = STAND_STATE,
                            .engine = "EU",
                            .media_pipeline = true};
   s->t = aligned_alloc(64, (sizeof(*s->t) + 63) & ~(size_t)63);
   memset(s->t, 0, sizeof(*s->t));
   s->t->env = &s->env;
   s->t->binding_table = 0x40;
   s->exec_mask = 0xff;
   s->format = GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM;
   pergola_add_diagnostic_sink(s->dev, sink, s);
   return s;
}

void
stand_destroy(struct vme_stand *s)
{
   pergola_machine_destroy(&s->machine);
   free(s->t);
   free(s);
}

int
stand_setup(void **state)
{
   *state = stand_create(true);
   return 0;
}

int
stand_teardown(void **state)
{
   stand_destroy(*state);
   return 0;
}

static uint8_t *
at(struct vme_stand *s, uint64_t address)
{
   return s->host + (address - STAND_FIRST);
}

static void
put_picture(struct vme_stand *s, unsigned which, const struct vme_picture *p)
{
   static const enum mem_tiling tilings[] = {MEM_LINEAR, MEM_LINEAR, MEM_TILE_X, MEM_TILE_Y};
   uint32_t base = STAND_PICTURES + which * 0x800000u, state = 0x1000 + 32 * which, dw[8];
   uint32_t pitch = s->tiling == STAND_LINEAR ? p->width : (p->width + 511) & ~511u;
   uint32_t entry = state;
   struct hw_media_surface_state st = {.surface_base_address = base,
                                       .width = p->width - 1,
                                       .height = p->height - 1,
                                       .surface_format = s->format,
                                       .surface_pitch = pitch - 1,
                                       .tile_mode = s->tiling};
   gen7_media_surface_state_pack(dw, &st);
   if (memcmp(at(s, STAND_SURFACES + state), dw, 32)) {
      memcpy(at(s, STAND_SURFACES + state), dw, 32);
      surface_cache_invalidate(s->dev->surfaces);
      s->loaded[which] = NULL;
   }
   memcpy(at(s, STAND_SURFACES + 0x40 + 4 * which), &entry, 4);
   if (s->loaded[which] == p->pixels)
      return;
   s->loaded[which] = p->pixels;
   for (uint32_t y = 0; y < p->height; y++)
      for (uint32_t x = 0; x < p->width; x++)
         *at(s, base + mem_tile_offset(tilings[s->tiling], x, y, pitch)) =
             p->pixels[y * p->width + x];
}

void
stand_forget(struct vme_stand *s)
{
   memset(s->loaded, 0, sizeof(s->loaded));
}

unsigned
vme_model_run(struct vme_stand *s, const struct vme_request *q, uint32_t out[10][8])
{
   bool inter = q->descriptor >> 13 & 1, dual = (q->in[0][3] >> 8 & 7) == 7;
   unsigned stream = dual ? 4 : 2;
   unsigned mlen = 5 + (inter && q->descriptor & VME_STREAM_IN ? stream : 0);
   unsigned rlen = inter ? 6 + (q->descriptor & VME_STREAM_OUT ? stream : 0) : 1;
   put_picture(s, 0, &q->source);
   for (unsigned r = 0; r < 2; r++)
      if (q->reference[r].pixels)
         put_picture(s, 1 + r, &q->reference[r]);
   memcpy(at(s, STAND_STATE + 128 * (q->descriptor >> 8 & 7)), q->state, 128);
   memcpy(eu_grf(s->t, 10), q->in, sizeof(q->in));
   struct sf_message m = {.sfid = SFID_VME,
                          .header = !s->no_header,
                          .eot = s->eot,
                          .mlen = (uint8_t)(s->mlen ? s->mlen : mlen),
                          .rlen = (uint8_t)(s->rlen ? s->rlen : rlen),
                          .exec_size = 8,
                          .exec_mask = s->exec_mask,
                          .desc = q->descriptor,
                          .payload = s->t->grf + 10 * EU_REG_SIZE,
                          .response = s->t->grf + 40 * EU_REG_SIZE,
                          .ip = s->t->ip};
   m.desc = (m.desc & 0xfffff) | (uint32_t)m.rlen << 20 | (uint32_t)m.mlen << 25;
   s->t->ip += 16; /* every send is a place of its own */
   memset(eu_grf(s->t, 40), 0xee, 10 * sizeof(out[0]));
   assert_int_equal(sf_send(s->t, &m), SF_OK);
   memcpy(out, eu_grf(s->t, 40), 10 * sizeof(out[0]));
   return m.rlen;
}

void
request_get(const struct vme_request *q, struct request_fields *f)
{
   gen7_vme_m0_unpack(&f->m0, q->in[0]);
   gen7_vme_m1_unpack(&f->m1, q->in[1]);
}

void
request_put(struct vme_request *q, const struct request_fields *f)
{
   gen7_vme_m0_pack(q->in[0], &f->m0);
   gen7_vme_m1_pack(q->in[1], &f->m1);
}

void
request_path(struct vme_request *q, const uint8_t *deltas, unsigned count)
{
   memset(q->state, 0, 56);
   memcpy(q->state, deltas, count);
}

/* VME-403 */
void
request_serpentine(struct vme_request *q, unsigned columns, unsigned rows)
{
   uint8_t deltas[56];
   unsigned n = 0;
   for (unsigned row = 0; row < rows; row++) {
      for (unsigned i = 1; i < columns; i++)
         deltas[n++] = row % 2 ? 0x0f : 0x01;
      if (row + 1 < rows)
         deltas[n++] = 0x10;
   }
   request_path(q, deltas, n);
}

void
request_plain(struct vme_request *q, const struct vme_picture *source,
              const struct vme_picture *reference, unsigned x, unsigned y)
{
   struct request_fields f = {
       .m0 = {.ref0x = -16, .ref0y = -12, .srcx = x, .srcy = y, .refwidth = 48, .refheight = 40},
       .m1 = {.lensp = 48, .maxnumsu = 48, .maxnummvs = 32, .biweight = 32}};
   memset(q, 0, sizeof(*q));
   q->descriptor = VME_DESCRIPTOR(VME_TYPE_INTER);
   q->source = *source;
   q->reference[0] = q->reference[1] = *reference;
   request_put(q, &f);
   request_serpentine(q, 8, 6);
}

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

void
picture_random(uint8_t *px, unsigned w, unsigned h, uint32_t seed)
{
   for (unsigned i = 0; i < w * h; i++)
      px[i] = (uint8_t)next(&seed);
}

void
picture_natural(uint8_t *px, unsigned w, unsigned h, int dx4, int dy4, uint32_t seed)
{
   double f[6][4];
   for (unsigned i = 0; i < 6; i++) {
      double scale = 0.02 * (1 << i);
      f[i][0] = scale * (0.5 + next(&seed) % 1000 / 1000.0);
      f[i][1] = scale * (0.5 + next(&seed) % 1000 / 1000.0) * (i % 2 ? 1 : -1);
      f[i][2] = next(&seed) % 628 / 100.0;
      f[i][3] = 40.0 / (1 + i);
   }
   for (unsigned y = 0; y < h; y++)
      for (unsigned x = 0; x < w; x++) {
         double u = x + dx4 / 4.0, v = y + dy4 / 4.0, sum = 128;
         for (unsigned i = 0; i < 6; i++)
            sum += f[i][3] * sin(f[i][0] * u + f[i][1] * v + f[i][2]);
         px[y * w + x] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
      }
}
