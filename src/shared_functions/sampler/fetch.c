/* Messages that do not filter: ld and its family, resinfo, sampleinfo. */
#include "sanitize/sanitize.h"
#include "shared_functions/sampler/sampler.h"
#include "surface/mcs.h"

#include <string.h>

static void
give(struct sampler_message *s, unsigned pixel, const format_texel t)
{
   for (unsigned c = 0; c < 4; c++)
      s->result[c][pixel] = t[c];
}

/* SMP-266, SMP-304: 1D u, array; 2D u, v, array; 3D u, v, r; BUFFER u. SMP-048: a level out of
 * range is outside. False: outside. */
static bool
ld_place(const struct sampler_message *s, unsigned pixel, uint32_t at[3], unsigned *level)
{
   const struct surface *f = &s->x->s;
   uint32_t lod = s->p[P_LOD][pixel];
   at[0] = s->p[P_U][pixel];
   at[1] = s->p[P_V][pixel];
   at[2] = s->p[P_R][pixel];
   *level = 0;
   if (f->type == SURFTYPE_BUFFER) {
      at[1] = at[2] = 0;
      return true;
   }
   if (lod >= f->levels || lod + f->min_lod >= TEXTURE_LEVELS)
      return false;
   *level = lod;
   at[0] += (uint32_t)s->offset[0];
   if (f->type == SURFTYPE_1D) {
      at[2] = f->array ? at[1] : 0;
      at[1] = 0;
      return true;
   }
   at[1] += (uint32_t)s->offset[1];
   if (f->type == SURFTYPE_3D)
      at[2] += (uint32_t)s->offset[2];
   else if (!f->array)
      at[2] = 0;
   return true;
}

/* For the sanitizer: threads of the 3D pipeline have pixels that only help others, and read
 * anywhere. */
static void
outside(struct sampler_message *s, const uint32_t at[3], format_texel t)
{
   const struct eu_env *env = s->t->env;
   const uint32_t texel[4] = {at[0], at[1], at[2], s->p[P_LOD][s->pixel]};
   const struct sanitize_access a = {.t = s->t,
                                     .ip = s->m->ip,
                                     .kind = SANITIZE_READ,
                                     .channel = s->pixel,
                                     .bti = (uint8_t)s->m->desc,
                                     .texel = texel,
                                     .size = s->x->s.info->bits / 8u};
   sampler_outside(&s->x->s, true, t);
   if (__builtin_expect(env->dev->sanitizer != NULL, 0) && env->media_pipeline)
      sanitize_outside(env->dev->sanitizer, &a, 0,
                       s->x->s.type == SURFTYPE_NULL ? "the surface is null" : NULL);
}

/* All texels at once, if there are no blocks or planes. */
static bool
ld_watched(struct sampler_message *s)
{
   const struct eu_env *env = s->t->env;
   const struct surface *f = &s->x->s;
   uint64_t address[SAMPLER_PIXELS];
   uint32_t found = 0;
   if (f->info->layout != FORMAT_PLAIN || f->info->bits > 128)
      return false;
   EACH_PIXEL(s, i)
   {
      uint32_t at[3], where;
      unsigned level;
      struct surface_view *v = ld_place(s, i, at, &level) ? texture_level(s->x, level) : NULL;
      if (!v || !surface_view_contains(v, at[0], at[1], at[2]) ||
          !surface_view_address(v, at[0], at[1], at[2], 0, &where))
         continue;
      address[i] = where;
      found |= 1u << i;
   }
   const struct sanitize_access a = {.t = s->t,
                                     .ip = s->m->ip,
                                     .kind = SANITIZE_READ,
                                     .port = SANITIZE_DATA_PORT,
                                     .bti = (uint8_t)s->m->desc,
                                     .size = f->info->bits / 8u};
   return sanitize_slots(env->dev->sanitizer, &a, address, s->pixels, found);
}

void
sampler_ld(struct sampler_message *s)
{
   if (__builtin_expect(s->t->env->dev->sanitizer != NULL, 0))
      s->watched = ld_watched(s);
   EACH_PIXEL(s, i)
   {
      uint32_t at[3];
      unsigned level;
      format_texel t;
      struct surface_view *v = NULL;
      s->pixel = (uint8_t)i;
      if (ld_place(s, i, at, &level))
         v = texture_level(s->x, level);
      if (v && surface_view_contains(v, at[0], at[1], at[2]))
         sampler_fetch(s, v, at[0], at[1], at[2], 0, t);
      else
         outside(s, at, t);
      give(s, i, t);
   }
}

/* SMP-105, SMP-271, SMP-370: the control surface is a surface of its own, in Y tiles. */
void
sampler_ld_mcs(struct sampler_message *s)
{
   struct surface mcs;
   struct surface_view v;
   format_texel t = {0};
   mcs_surface(&s->x->s, &mcs);
   surface_view_make(&v, &mcs, mcs.min_lod);
   EACH_PIXEL(s, i)
   {
      uint32_t at[3] = {s->p[P_U][i], s->p[P_V][i], mcs.array ? s->p[P_R][i] : 0};
      s->pixel = (uint8_t)i;
      memset(t, 0, sizeof(t));
      if (s->x->s.mcs_pitch_tiles && surface_view_contains(&v, at[0], at[1], at[2])) {
         sampler_fetch(s, &v, at[0], at[1], at[2], 0, t);
         t[1] = t[2] = t[3] = 0;
      }
      give(s, i, t);
   }
}

/* SMP-108: no slice is valid, the colour is that of the surface state. */
static void
clear_colour(const struct surface *f, format_texel t)
{
   for (unsigned c = 0; c < 4; c++) {
      bool on = f->clear_colour >> (3 - c) & 1;
      t[c] = f->info->channel_class == FORMAT_CLASS_FLOAT ? (on ? FLOAT_ONE : 0) : on;
      if (f->info->channel[c].type == CHANNEL_NONE)
         t[c] = c < 3 ? 0 : f->info->channel_class == FORMAT_CLASS_FLOAT ? FLOAT_ONE : 1;
   }
}

/* SMP-107, SMP-270, SMP-272, SMP-476: which slice holds a sample. False: the pixel is clear. */
static bool
slice_of_sample(const struct sampler_message *s, unsigned pixel, unsigned *sample)
{
   const struct surface *f = &s->x->s;
   uint32_t si = s->p[P_SI][pixel], mcs = s->p[P_MCS][pixel];
   *sample = si < f->samples ? si : f->samples - 1u; /* SMP-268 */
   if (s->type != SAMPLER_LD2DMS || !mcs_present(f))
      return true;
   if (mcs_is_clear(f->samples, mcs))
      return false;
   *sample = mcs_slice(f->samples, mcs, *sample);
   return true;
}

/* ld2dms, ld2dss */
void
sampler_ld2d(struct sampler_message *s)
{
   EACH_PIXEL(s, i)
   {
      uint32_t at[3];
      unsigned level, sample;
      format_texel t;
      struct surface_view *v = NULL;
      s->pixel = (uint8_t)i;
      if (ld_place(s, i, at, &level))
         v = texture_level(s->x, level);
      if (!v || !surface_view_contains(v, at[0], at[1], at[2]))
         outside(s, at, t);
      else if (slice_of_sample(s, i, &sample))
         sampler_fetch(s, v, at[0], at[1], at[2], sample, t);
      else
         clear_colour(&s->x->s, t);
      give(s, i, t);
   }
}

/* SMP-257 to SMP-265: width, height, depth, MIP count of the level in lod; zeros for a level that
 * does not exist. */
void
sampler_resinfo(struct sampler_message *s)
{
   const struct surface *f = &s->x->s;
   EACH_PIXEL(s, i)
   {
      format_texel t = {0};
      uint32_t lod = s->p[P_LOD][i];
      if (f->type == SURFTYPE_BUFFER || f->type == SURFTYPE_STRBUF)
         t[0] = f->entries;
      else if (f->type != SURFTYPE_NULL)
         t[3] = f->levels;
      if (f->type < SURFTYPE_BUFFER && lod < f->levels) {
         struct surface_extent e = surface_level_size(f, lod + f->min_lod);
         bool array = f->array && f->type != SURFTYPE_3D;
         uint32_t layers = f->type == SURFTYPE_CUBE ? e.depth / 6 : e.depth;
         t[0] = e.width;
         t[1] = f->type == SURFTYPE_1D ? (array ? layers : 0) : e.height;
         if (f->type == SURFTYPE_3D)
            t[2] = e.depth;
         else if (f->type != SURFTYPE_1D)
            t[2] = array ? layers : 0;
      }
      give(s, i, t);
   }
}

/* SMP-276 */
void
sampler_sampleinfo(struct sampler_message *s)
{
   const struct surface *f = &s->x->s;
   format_texel t = {f->type == SURFTYPE_NULL ? 0 : f->samples, 0, 0, f->palette + 1u};
   EACH_PIXEL(s, i)
   give(s, i, t);
}
