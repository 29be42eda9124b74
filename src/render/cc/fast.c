/* Which targets have a fast path. */
#include "render/cc/fast.h"

#include "machine/host.h"

#include <math.h>
#include <string.h>

static bool
is_plain(const struct cc_target *t)
{
   static const uint8_t zeros[CC_ELEMENT_B];
   return !t->blend && !t->alpha_to_one && !memcmp(t->keep, zeros, sizeof(zeros));
}

static bool
is_unorm(const struct surface_view *v)
{
   for (unsigned i = 0; i < 4; i++)
      if (v->channel[i].kind != VIEW_CHANNEL_UNORM && v->format->channel[i].type != CHANNEL_NONE)
         return false;
   return !v->format->srgb && v->size_log2 <= 3;
}

static bool
is_float32(const struct surface_view *v)
{
   for (unsigned i = 0; i < 4; i++)
      if (v->format->channel[i].type != CHANNEL_NONE &&
          (v->format->channel[i].type != CHANNEL_FLOAT || v->format->channel[i].bits != 32))
         return false;
   return true;
}

/* Four channels of eight bits. */
static bool
is_eights(const struct surface_view *v)
{
   for (unsigned i = 0; i < 4; i++)
      if (v->channel[i].kind != VIEW_CHANNEL_UNORM || v->channel[i].bits != 8)
         return false;
   return v->size_log2 == 2;
}

/* Source alpha over what is there, all channels alike, both clamps to [0, 1]. */
static bool
is_over(const struct cc_target *t)
{
   static const uint8_t zeros[CC_ELEMENT_B];
   return t->color.function == GEN7_BLEND_FUNCTION_ADD &&
          t->color.source == GEN7_BLEND_FACTOR_SRC_ALPHA &&
          t->color.destination == GEN7_BLEND_FACTOR_INV_SRC_ALPHA &&
          !memcmp(&t->alpha, &t->color, sizeof(t->alpha)) && t->pre[0] == 0 && t->pre[1] == 1 &&
          !t->alpha_to_one && !memcmp(t->keep, zeros, sizeof(zeros));
}

static bool
is_unbounded(const float range[2])
{
   return isinf(range[0]) && isinf(range[1]);
}

bool
cc_choose_fast(const struct cc_target *t, const struct surface_view *v, cc_mix_fn *fn,
               cc_mix_row_fn *row)
{
   bool floats = t->format->channel_class == FORMAT_CLASS_FLOAT, unorm = is_unorm(v);
   *fn = NULL;
   *row = NULL;
   if (t->dither || t->dual_source || t->logic_op != GEN7_LOGIC_OPERATION_COPY)
      return false;
   if (is_plain(t) && (!floats || unorm || (is_unbounded(t->pre) && is_unbounded(t->post))))
      return true; /* packing clamps as much as the clamps would */
   /* Threads run with denormals flushed: with sources of at most 1 that makes no difference. */
   const struct cc_fast_functions *f = HOST_CHOOSE(cc_fast);
   if (unorm && (!t->blend || !is_unbounded(t->pre)))
      *fn = !is_eights(v) ? f->unorm : t->blend && is_over(t) && v->eights ? f->over : f->eights;
   else if (floats && is_float32(v))
      *fn = f->floats;
   *row = *fn == f->over ? f->over_row : *fn == f->eights ? f->eights_row : NULL;
   return *fn != NULL;
}
