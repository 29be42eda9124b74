/* Messages that do not filter: ld, resinfo, sampleinfo. */
#include "shared_functions/sampler/sampler.h"

#include "surface/view.h"

#include <string.h>

static uint32_t
parameter(const struct sampler_message *s, unsigned index, unsigned pixel)
{
   return index < s->parameters ? s->parameter[index][pixel] : 0;
}

/* SMP-274: these return 0 in alpha outside the map although they have none. */
static bool
alpha_is_zero_outside(unsigned format)
{
   static const uint16_t list[] = {
       GEN7_SURFACE_FORMAT_R32G32B32X32_FLOAT,
       GEN7_SURFACE_FORMAT_X32_TYPELESS_G8X24_UINT,
       GEN7_SURFACE_FORMAT_R16G16B16X16_UNORM,
       GEN7_SURFACE_FORMAT_R16G16B16X16_FLOAT,
       GEN7_SURFACE_FORMAT_X24_TYPELESS_G8_UINT,
       GEN7_SURFACE_FORMAT_L24X8_UNORM,
       GEN7_SURFACE_FORMAT_L32_FLOAT,
       GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM,
       GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_R8G8B8X8_UNORM,
       GEN7_SURFACE_FORMAT_R8G8B8X8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_B10G10R10X2_UNORM,
       GEN7_SURFACE_FORMAT_B5G6R5_UNORM,
       GEN7_SURFACE_FORMAT_B5G6R5_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_L16_UNORM,
       GEN7_SURFACE_FORMAT_R5G5_SNORM_B6_UNORM,
       GEN7_SURFACE_FORMAT_L8_UNORM,
       GEN7_SURFACE_FORMAT_L8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_R1_UNORM,
       GEN7_SURFACE_FORMAT_BC4_UNORM,
   };
   for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++)
      if (list[i] == format)
         return true;
   return false;
}

/* SMP-267: zero everywhere, alpha 1 where the format has none. */
static void
outside(const struct surface *s, sampler_texel out)
{
   memset(out, 0, sizeof(sampler_texel));
   if (s->type == SURFTYPE_NULL || s->info->channel[3].type != CHANNEL_NONE ||
       s->info->layout == FORMAT_NONE || alpha_is_zero_outside(s->format))
      return;
   out[3] = s->info->channel_class == FORMAT_CLASS_FLOAT ? 0x3f800000u : 1;
}

static bool
ld_allowed(const struct sampler_message *s)
{
   unsigned type = s->s.type;
   bool kind_ok = type == SURFTYPE_1D || type == SURFTYPE_2D || type == SURFTYPE_3D ||
                  type == SURFTYPE_BUFFER || type == SURFTYPE_NULL;
   bool samples_ok = type == SURFTYPE_BUFFER || s->s.samples == 1;
   bool format_ok = s->s.format != GEN7_SURFACE_FORMAT_MONO8;
   if (!kind_ok || !samples_ok || !format_ok)
      sampler_report(s, PERGOLA_ERROR, "SMP-273",
                     "ld needs a 1D, 2D, 3D or BUFFER surface with one sample, not of MONO8");
   return kind_ok && samples_ok && format_ok;
}

/* SMP-266, SMP-304: 1D u, array; 2D u, v, array; 3D u, v, r; BUFFER u. SMP-232: order u, lod, v, r
 * for SIMD8 and SIMD16, u, v, r, lod for SIMD4x2. */
static struct surface_texel
ld_place(const struct sampler_message *s, unsigned pixel, uint64_t *lod)
{
   bool wide = s->simd != SAMPLER_SIMD4X2;
   uint32_t u = parameter(s, 0, pixel), v = parameter(s, wide ? 2 : 1, pixel);
   uint32_t r = parameter(s, wide ? 3 : 2, pixel);
   *lod = (uint64_t)parameter(s, wide ? 1 : 3, pixel) + s->s.min_lod; /* SMP-046, SMP-048 */
   struct surface_texel at = {.x = u};
   switch (s->s.type) {
   case SURFTYPE_BUFFER:
      *lod = 0;
      break;
   case SURFTYPE_1D:
      at.x += (uint32_t)s->offset[0];
      at.slice = s->s.array ? v : 0;
      break;
   default:
      at.x += (uint32_t)s->offset[0];
      at.y = v + (uint32_t)s->offset[1];
      at.slice = s->s.type == SURFTYPE_3D ? r + (uint32_t)s->offset[2] : s->s.array ? r : 0;
   }
   return at;
}

void
sampler_ld(const struct sampler_message *s, unsigned pixel, sampler_texel out)
{
   uint64_t lod;
   outside(&s->s, out);
   if (s->s.type == SURFTYPE_NULL || !ld_allowed(s))
      return;
   struct surface_texel at = ld_place(s, pixel, &lod);
   if (lod > 14)
      return; /* SMP-048: past every MIP range */
   at.lod = (uint8_t)lod;
   struct surface_view v;
   uint32_t address;
   uint8_t element[16] = {0};
   if (!surface_contains(&s->s, &at))
      return;
   surface_view_make(&v, &s->s, at.lod);
   if (!v.size_B || v.size_B > sizeof(element) ||
       !surface_view_address(&v, at.x, at.y, at.slice, 0, &address))
      return;
   if (!mem_read(s->t->env->space, address, element, v.size_B))
      return; /* the page fault has been reported */
   if (v.unpack)
      v.unpack(v.format, element, at.x, at.y, out);
   else
      sampler_report(s, PERGOLA_WARNING, "SMP-266", "fetches of format %s are not modelled yet",
                     s->s.info->name[0] ? s->s.info->name : "(reserved)");
}

/* SMP-259, SMP-260, SMP-261, SMP-262, SMP-263, SMP-264, SMP-265: width, height, depth, MIP count of
 * the level in lod; zeros for a level that does not exist. */
void
sampler_resinfo(const struct sampler_message *s, unsigned pixel, sampler_texel out)
{
   memset(out, 0, sizeof(sampler_texel));
   if (s->s.type == SURFTYPE_NULL)
      return;
   if (s->s.type == SURFTYPE_BUFFER || s->s.type == SURFTYPE_STRBUF) {
      out[0] = s->s.entries;
      return;
   }
   uint64_t lod = (uint64_t)parameter(s, 0, pixel) + s->s.min_lod;
   out[3] = s->s.levels;
   if (lod >= (uint64_t)s->s.min_lod + s->s.levels)
      return;
   struct surface_extent e = surface_level_size(&s->s, (unsigned)lod);
   bool array = s->s.array && s->s.type != SURFTYPE_3D;
   uint32_t layers = s->s.type == SURFTYPE_CUBE ? e.depth / 6 : e.depth;
   out[0] = e.width;
   out[1] = s->s.type == SURFTYPE_1D ? (array ? layers : 0) : e.height;
   if (s->s.type == SURFTYPE_3D)
      out[2] = e.depth;
   else if (s->s.type != SURFTYPE_1D)
      out[2] = array ? layers : 0;
}

/* SMP-276, SMP-277 */
void
sampler_sampleinfo(const struct sampler_message *s, unsigned pixel, sampler_texel out)
{
   (void)pixel;
   memset(out, 0, sizeof(sampler_texel));
   if (s->s.type != SURFTYPE_2D && s->s.type != SURFTYPE_NULL) {
      sampler_report(s, PERGOLA_ERROR, "SMP-277", "sampleinfo needs a 2D or NULL surface");
      return;
   }
   out[0] = s->s.type == SURFTYPE_NULL ? 0 : s->s.samples;
   out[3] = s->s.palette + 1u;
}
