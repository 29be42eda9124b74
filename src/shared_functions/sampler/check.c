/* What a message may ask of a surface and a sampler. */
#include "shared_functions/sampler/sampler.h"
#include "rules/plural.h"

#include <math.h>
#include <string.h>

struct checker {
   struct sampler_message *s;
   bool fatal; /* the message cannot be executed */
};

#define SAY(c, rule, ...) sampler_report((c)->s, PERGOLA_ERROR, rule, __VA_ARGS__)

static bool
is_mono8(const struct surface *f)
{
   return f->format == GEN7_SURFACE_FORMAT_MONO8;
}

static bool
has_mode(const struct texture *x, unsigned mode)
{
   for (unsigned i = 0; i < x->axes; i++)
      if (x->state.mode[i] == mode)
         return true;
   return false;
}

static bool
has_border(const struct texture *x)
{
   return has_mode(x, GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER) ||
          has_mode(x, GEN7_TEXTURE_COORDINATE_MODE_HALF_BORDER);
}

static bool
has_filter(const struct texture *x, unsigned filter)
{
   return x->state.mag == filter || x->state.min == filter;
}

/* ---- the message ----------------------------------------------------------------------------- */

/* SMP-227 */
static void
check_response(struct checker *c)
{
   const struct sampler_message *s = c->s;
   unsigned masked = (unsigned)__builtin_popcount(s->masked);
   unsigned want = s->simd == SAMPLER_SIMD4X2 ? 1 : s->simd == SAMPLER_SIMD8 ? 4 : 8 - 2 * masked;
   want += s->type == SAMPLER_KILLPIX;
   if (s->m->rlen > want || (s->simd == SAMPLER_SIMD16 && s->m->rlen != want) ||
       (s->type == SAMPLER_KILLPIX && s->m->rlen != want))
      SAY(c, "SMP-227", "response length is %u where the message returns %u register%s", s->m->rlen,
          want, plural(want));
}

static void
check_message(struct checker *c)
{
   const struct sampler_message *s = c->s;
   unsigned flags = s->kind->flags, sent = (unsigned)__builtin_popcount(s->sent);
   check_response(c);
   if (s->m->eot)
      SAY(c, "SMP-202", "a sampler message cannot end the thread");
   if (s->masked == 15)
      SAY(c, "SMP-216", "all four channels are masked");
   if (s->masked && flags & SAMPLER_GATHERS)
      SAY(c, "SMP-216", "the write channel mask must be 0");
   if (s->gather_channel && flags & SAMPLER_GATHERS && flags & SAMPLER_COMPARES)
      SAY(c, "SMP-215", "Gather4 Source Channel Select must be red");
   if (s->simd == SAMPLER_SIMD4X2 && flags & SAMPLER_NO_4X2)
      SAY(c, s->type == SAMPLER_SAMPLE_C ? "SMP-247" : s->kind->rule,
          "the message does not exist in SIMD4x2");
   if (s->simd == SAMPLER_SIMD16 && flags & SAMPLER_EXPLICIT)
      SAY(c, "SMP-230", "the message does not exist in SIMD16");
   else if (s->simd == SAMPLER_SIMD16 && sent > 5)
      SAY(c, "SMP-229", "%u parameters in SIMD16, which has at most five", sent);
   if (s->type == SAMPLER_KILLPIX && s->simd != SAMPLER_SIMD8)
      SAY(c, "SMP-238", "sample+killpix is SIMD8 only");
}

/* ---- the surface ----------------------------------------------------------------------------- */

enum {
   ON_1D = 1 << SURFTYPE_1D,
   ON_2D = 1 << SURFTYPE_2D,
   ON_3D = 1 << SURFTYPE_3D,
   ON_CUBE = 1 << SURFTYPE_CUBE,
   ON_BUFFER = 1 << SURFTYPE_BUFFER,
   ON_NULL = 1 << SURFTYPE_NULL,
};

static unsigned
types_for(const struct sampler_message *s)
{
   switch (s->type) {
   case SAMPLER_SAMPLE_C:
   case SAMPLER_SAMPLE_B_C:
   case SAMPLER_SAMPLE_L_C:
   case SAMPLER_SAMPLE_D_C:
      return ON_1D | ON_2D | ON_CUBE | ON_NULL;
   case SAMPLER_GATHER4:
   case SAMPLER_GATHER4_C:
      return ON_2D | ON_CUBE | ON_NULL;
   case SAMPLER_GATHER4_PO:
   case SAMPLER_GATHER4_PO_C:
   case SAMPLER_LD_MCS:
   case SAMPLER_LD2DMS:
   case SAMPLER_LD2DSS:
   case SAMPLER_SAMPLEINFO:
      return ON_2D | ON_NULL;
   case SAMPLER_LD:
      return ON_1D | ON_2D | ON_3D | ON_BUFFER | ON_NULL;
   case SAMPLER_RESINFO:
      return ~0u;
   default:
      return ON_1D | ON_2D | ON_3D | ON_CUBE | ON_NULL;
   }
}

static bool
gather_compares_format(unsigned format)
{
   return format == GEN7_SURFACE_FORMAT_R32_FLOAT_X8X24_TYPELESS ||
          format == GEN7_SURFACE_FORMAT_R32_FLOAT ||
          format == GEN7_SURFACE_FORMAT_R24_UNORM_X8_TYPELESS ||
          format == GEN7_SURFACE_FORMAT_R16_UNORM;
}

static bool
no_cube_shadow(unsigned format)
{
   return (format >= GEN7_SURFACE_FORMAT_I24X8_UNORM && format <= GEN7_SURFACE_FORMAT_A32_FLOAT);
}

static void
check_samples(struct checker *c)
{
   const struct surface *f = &c->s->x->s;
   bool loads =
       c->s->type == SAMPLER_LD2DMS || c->s->type == SAMPLER_LD2DSS || c->s->type == SAMPLER_LD_MCS;
   if (f->type > SURFTYPE_CUBE || c->s->type == SAMPLER_RESINFO || c->s->type == SAMPLER_SAMPLEINFO)
      return;
   if (f->samples > 1 && !loads) { /* SMP-106 */
      SAY(c, c->s->type == SAMPLER_LD ? "SMP-273" : "SMP-104", "the surface has %u samples a pixel",
          f->samples);
      c->fatal = true;
   }
   if (f->samples > 1 && f->interleaved && c->s->type != SAMPLER_LD2DMS && loads)
      SAY(c, "SMP-104", "MSFMT_DEPTH_STENCIL is for ld2dms only");
   if (f->samples > 1 &&
       (f->min_lod || f->levels > 1 || f->resource_min_lod || f->min_array_element))
      SAY(c, "SMP-104", "a multisampled surface has one level and starts at element 0");
   if (f->samples == 1 && c->s->type == SAMPLER_LD_MCS)
      SAY(c, "SMP-271", "the surface is not multisampled");
}

/* Integer formats: SMP-236 and its like. */
static void
check_integer(struct checker *c)
{
   const struct sampler_message *s = c->s;
   const struct texture *x = s->x;
   if (!x->integer || !(s->kind->flags & SAMPLER_USES_STATE))
      return;
   if (s->kind->flags & SAMPLER_GATHERS || s->type == SAMPLER_LOD)
      SAY(c, s->kind->rule, "format %s is of integers", x->s.info->name);
   else if (x->s.type == SURFTYPE_3D || x->s.type == SURFTYPE_CUBE)
      SAY(c, s->kind->rule, "format %s on a 3D or CUBE surface", x->s.info->name);
   if (has_border(x))
      SAY(c, s->kind->rule, "a border with format %s", x->s.info->name);
}

static void
check_surface(struct checker *c)
{
   const struct sampler_message *s = c->s;
   const struct surface *f = &s->x->s;
   unsigned flags = s->kind->flags;
   if (!(types_for(s) >> f->type & 1)) {
      SAY(c, s->kind->rule, "surface type %u is not for %s", f->type, s->name);
      c->fatal = true;
   }
   if (f->type >= SURFTYPE_RESERVED || s->type == SAMPLER_RESINFO || s->type == SAMPLER_SAMPLEINFO)
      return;
   if (f->info->layout == FORMAT_RAW)
      SAY(c, "SMP-114", "RAW is for untyped messages");
   else if (!(f->info->capabilities & FORMAT_SAMPLER))
      SAY(c, "SMP-115", "format %s cannot be sampled",
          *f->info->name ? f->info->name : "(reserved)");
   if (is_mono8(f) && s->type != SAMPLER_SAMPLE_L) {
      SAY(c, s->kind->rule, "format MONO8 is for the monochrome filter of sample_l");
      c->fatal = true;
   }
   if (flags & SAMPLER_GATHERS && flags & SAMPLER_COMPARES && !gather_compares_format(f->format))
      SAY(c, "SMP-291", "format %s cannot be compared by gather4_c", f->info->name);
   else if (flags & SAMPLER_COMPARES && !(f->info->capabilities & FORMAT_SHADOW))
      SAY(c, "SMP-096", "format %s is not for shadow maps", f->info->name);
   if (flags & SAMPLER_COMPARES && f->type == SURFTYPE_CUBE && no_cube_shadow(f->format))
      SAY(c, "SMP-250", "format %s cannot be compared on a cube", f->info->name);
   bool offsets = s->offset[0] || s->offset[1] || s->offset[2];
   if (offsets && (f->type == SURFTYPE_CUBE || f->type == SURFTYPE_BUFFER))
      SAY(c, "SMP-217", "texel offsets on a CUBE or BUFFER surface");
   if (offsets && (s->type == SAMPLER_LD2DMS || s->type == SAMPLER_LD2DSS))
      SAY(c, "SMP-269", "texel offsets with %s", s->name);
   check_samples(c);
   check_integer(c);
}

/* What the surface state may not say. */
static void
check_layout(struct checker *c)
{
   const struct surface *f = &c->s->x->s;
   bool arrays = f->type == SURFTYPE_1D || f->type == SURFTYPE_2D || f->type == SURFTYPE_CUBE;
   if (f->rules & SURFACE_BAD_SIZE)
      SAY(c, "SMP-477", "the surface is larger than 2 GiB");
   bool buffer = f->type == SURFTYPE_BUFFER || f->type == SURFTYPE_STRBUF;
   if (f->rules & SURFACE_BAD_PITCH && (buffer || f->tiling != MEM_LINEAR))
      SAY(c, "SMP-363", "a pitch of %u byte%s, which the tiling or the type does not allow",
          f->pitch_B, plural(f->pitch_B));
   if (f->rules & SURFACE_BAD_TILED)
      SAY(c, "SMP-478", "a tiled buffer");
   if (f->type > SURFTYPE_CUBE)
      return;
   if (f->rules & SURFACE_BAD_BASE && f->tiling != MEM_LINEAR) /* SMP-467 */
      SAY(c, "SMP-360", "the base address of a tiled surface is not aligned to 4 KiB");
   if (f->array && !arrays)
      SAY(c, "SMP-354", "Surface Array is set for a 3D surface");
   if (f->type == SURFTYPE_CUBE && f->width != f->height)
      SAY(c, "SMP-361", "a cube of %u by %u texels; its faces are squares", f->width, f->height);
   if ((f->x_offset || f->y_offset) && f->tiling == MEM_LINEAR)
      SAY(c, "SMP-368", "X Offset or Y Offset of a linear surface");
   if (f->samples == 1)
      return;
   bool yuv = f->info->layout == FORMAT_YUV422;
   if (f->info->layout == FORMAT_BLOCK || yuv || (f->samples == 8 && f->info->bits > 64))
      SAY(c, "SMP-355", "format %s cannot have %u samples", f->info->name, f->samples);
   if (f->valign != 4)
      SAY(c, "SMP-356", "a multisampled surface needs VALIGN_4");
   if (f->tiling == MEM_LINEAR)
      SAY(c, "SMP-357", "a multisampled surface is not tiled");
   if (!f->interleaved && !f->lod0_spacing)
      SAY(c, "SMP-359", "MSFMT_MSS needs ARYSPC_LOD0");
   if (f->samples == 8 && f->width > 8192 && f->interleaved)
      SAY(c, "SMP-367", "eight samples of a surface wider than 8192 need MSFMT_MSS");
}

/* ---- the sampler ----------------------------------------------------------------------------- */

/* SMP-379: what unnormalised coordinates do not go with, or NULL. */
static const char *
unnormalized_fault(const struct texture *x)
{
   const struct sampler_state *st = &x->state;
   if (x->s.type != SURFTYPE_2D && x->s.type != SURFTYPE_3D)
      return "the surface is neither 2D nor 3D";
   if (has_mode(x, GEN7_TEXTURE_COORDINATE_MODE_WRAP) ||
       has_mode(x, GEN7_TEXTURE_COORDINATE_MODE_CUBE))
      return "an address mode neither clamps nor has a border";
   if (st->mag > GEN7_MAP_FILTER_LINEAR || st->min > GEN7_MAP_FILTER_LINEAR)
      return "a filter is neither nearest nor linear";
   if (st->mip)
      return "the mip filter is not NONE";
   if (st->min_lod || st->max_lod || st->bias)
      return "Min LOD, Max LOD or LOD Bias is not 0";
   return x->s.levels > 1 || x->s.min_lod ? "the surface has more than one level" : NULL;
}

static void
check_unnormalized(struct checker *c)
{
   const struct texture *x = c->s->x;
   if (!x->state.unnormalized)
      return;
   if (has_mode(x, GEN7_TEXTURE_COORDINATE_MODE_MIRROR) ||
       has_mode(x, GEN7_TEXTURE_COORDINATE_MODE_MIRROR_ONCE))
      SAY(c, "SMP-071", "a mirror mode with unnormalised coordinates");
   const char *fault = unnormalized_fault(x);
   if (fault)
      SAY(c, "SMP-379", "unnormalised coordinates: %s", fault);
}

static void
check_cube(struct checker *c)
{
   const struct texture *x = c->s->x;
   const uint8_t *mode = x->state.mode;
   if (x->state.cube_override)
      sampler_report(c->s, PERGOLA_WARNING, "SMP-376",
                     "Cube Surface Control Mode must be PROGRAMMED");
   if (x->s.type != SURFTYPE_CUBE) {
      if (has_mode(x, GEN7_TEXTURE_COORDINATE_MODE_CUBE))
         SAY(c, "SMP-069", "TEXCOORDMODE_CUBE on a surface that is no cube");
      return;
   }
   if (mode[0] != mode[1] || mode[0] != mode[2] ||
       (mode[0] != GEN7_TEXTURE_COORDINATE_MODE_CLAMP &&
        mode[0] != GEN7_TEXTURE_COORDINATE_MODE_CUBE))
      SAY(c, "SMP-376", "address modes of a cube are all CLAMP or all CUBE");
   if (mode[0] != GEN7_TEXTURE_COORDINATE_MODE_CUBE && x->s.cube_faces != 0x3f)
      SAY(c, "SMP-249", "a disabled face without TEXCOORDMODE_CUBE");
}

static void
check_filters(struct checker *c)
{
   const struct sampler_message *s = c->s;
   const struct texture *x = s->x;
   const struct sampler_state *st = &x->state;
   unsigned type = x->s.type;
   bool linear = has_filter(x, GEN7_MAP_FILTER_LINEAR) ||
                 has_filter(x, GEN7_MAP_FILTER_ANISOTROPIC) ||
                 st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_LINEAR;
   bool mono = has_filter(x, GEN7_MAP_FILTER_MONO);
   for (unsigned i = 0; i < x->axes; i++)
      if (st->mode[i] == 7)
         SAY(c, "SMP-076", "address control mode 7 is reserved");
   if ((st->mag > 2 && st->mag != GEN7_MAP_FILTER_MONO) ||
       (st->min > 2 && st->min != GEN7_MAP_FILTER_MONO) || st->mip == 2)
      SAY(c, "SMP-175", "a filter mode is reserved");
   if (has_filter(x, GEN7_MAP_FILTER_ANISOTROPIC) && type == SURFTYPE_3D)
      SAY(c, "SMP-057", "anisotropic filtering of a 3D surface");
   if (linear && !(s->kind->flags & (SAMPLER_COMPARES | SAMPLER_GATHERS)) &&
       s->type != SAMPLER_LOD && !(x->s.info->capabilities & FORMAT_FILTER))
      SAY(c, "SMP-374", "format %s cannot be filtered", x->s.info->name);
   if ((mono || is_mono8(&x->s)) &&
       (st->mag != st->min || !mono || st->mip || st->min_lod || type != SURFTYPE_2D ||
        !is_mono8(&x->s) || st->mode[0] != GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER ||
        st->mode[1] != GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER))
      SAY(c, type != SURFTYPE_2D || !is_mono8(&x->s) ? "SMP-060" : "SMP-374",
          "the monochrome filter needs a 2D surface of format MONO8, both filters, no mip filter, "
          "Min LOD 0 and CLAMP_BORDER");
   if (s->kind->flags & SAMPLER_GATHERS && st->mip)
      SAY(c, s->kind->flags & SAMPLER_COMPARES ? "SMP-291" : "SMP-285",
          "gather4 needs MIPFILTER_NONE");
   if (x->s.vls && (st->mip || x->s.info->layout == FORMAT_BLOCK))
      SAY(c, "SMP-358", "Vertical Line Stride with a mip filter or a compressed format");
}

/* SMP-117, SMP-189, SMP-373: which formats have which border colour mode. */
static void
check_border(struct checker *c)
{
   const struct sampler_message *s = c->s;
   const struct texture *x = s->x;
   const struct format_info *f = x->s.info;
   unsigned code = x->s.format;
   bool faces = x->s.type == SURFTYPE_CUBE && x->s.cube_faces != 0x3f;
   bool nibbles = code == GEN7_SURFACE_FORMAT_P4A4_UNORM_PALETTE0 ||
                  code == GEN7_SURFACE_FORMAT_P4A4_UNORM_PALETTE1 ||
                  code == GEN7_SURFACE_FORMAT_A4P4_UNORM_PALETTE0 ||
                  code == GEN7_SURFACE_FORMAT_A4P4_UNORM_PALETTE1;
   if (!x->state.dx9) {
      if (nibbles)
         SAY(c, "SMP-373", "format %s needs DX9 border colour mode", f->name);
      return;
   }
   if (x->integer || code == GEN7_SURFACE_FORMAT_YCRCB_SWAPUV ||
       code == GEN7_SURFACE_FORMAT_YCRCB_SWAPY)
      SAY(c, "SMP-373", "format %s needs DX10/OGL border colour mode", f->name);
   else if ((code >= GEN7_SURFACE_FORMAT_R8_UNORM && code <= GEN7_SURFACE_FORMAT_R8_UINT) ||
            code == GEN7_SURFACE_FORMAT_R16_UNORM || code == GEN7_SURFACE_FORMAT_R16_SNORM ||
            code == GEN7_SURFACE_FORMAT_R32_FLOAT_X8X24_TYPELESS ||
            code == GEN7_SURFACE_FORMAT_R24_UNORM_X8_TYPELESS ||
            code == GEN7_SURFACE_FORMAT_L32A32_FLOAT || code == GEN7_SURFACE_FORMAT_BC4_UNORM ||
            code == GEN7_SURFACE_FORMAT_BC5_UNORM || code == GEN7_SURFACE_FORMAT_BC4_SNORM ||
            code == GEN7_SURFACE_FORMAT_BC5_SNORM)
      SAY(c, "SMP-117", "format %s is for DX10/OGL border colour mode", f->name);
   for (unsigned i = 0; i < 4; i++)
      if (f->channel[i].bits > 16 && f->channel[i].type != CHANNEL_FLOAT && !x->integer) {
         SAY(c, "SMP-189", "format %s is too wide for DX9 border colour mode", f->name);
         break;
      }
   if (s->kind->flags & SAMPLER_COMPARES && (has_border(x) || faces))
      SAY(c, s->kind->flags & SAMPLER_GATHERS ? "SMP-289" : "SMP-248",
          "a comparison with a DX9 border");
   else if (s->kind->flags & SAMPLER_GATHERS && (has_border(x) || faces))
      SAY(c, "SMP-289", "gather4 with a DX9 border");
}

static void
check_key(struct checker *c)
{
   const struct texture *x = c->s->x;
   if (!x->state.chroma_key)
      return;
   if (x->s.type == SURFTYPE_3D || has_filter(x, GEN7_MAP_FILTER_MONO) ||
       has_filter(x, GEN7_MAP_FILTER_ANISOTROPIC) || !(x->s.info->capabilities & FORMAT_CHROMA_KEY))
      SAY(c, "SMP-377", "chroma keying of a 3D surface, with this filter, or of format %s",
          x->s.info->name);
   if (x->s.resource_min_lod)
      SAY(c, "SMP-371", "Resource Min LOD with chroma keying");
}

static void
check_state(struct checker *c)
{
   const struct surface *f = &c->s->x->s;
   check_unnormalized(c);
   check_cube(c);
   check_filters(c);
   check_border(c);
   check_key(c);
   if (is_mono8(f) && f->resource_min_lod)
      SAY(c, "SMP-371", "Resource Min LOD with format MONO8");
}

/* ---- parameters ------------------------------------------------------------------------------ */

static void
check_parameters(struct checker *c)
{
   const struct sampler_message *s = c->s;
   bool cube = s->x->s.type == SURFTYPE_CUBE && !(s->kind->flags & SAMPLER_EXPLICIT) &&
               s->kind->flags & SAMPLER_USES_STATE;
   bool biases = s->sent >> P_BIAS & 1;
   EACH_PIXEL(s, i)
   {
      float bias = bits_float(s->p[P_BIAS][i]), most = 0;
      if (biases && !(bias >= -16.0f && bias < 16.0f)) {
         SAY(c, "SMP-239", "the bias is outside [-16, 16)");
         biases = false;
      }
      for (unsigned k = 0; k < 3; k++)
         most = fmaxf(most, fabsf(bits_float(s->p[P_U + k][i])));
      if (cube && fabsf(most - 1.0f) > 1.0f / 256) { /* SMP-299 */
         SAY(c, "SMP-019", "the coordinates of a cube are not divided by the largest");
         cube = false;
      }
   }
}

bool
sampler_check(struct sampler_message *s)
{
   struct checker c = {.s = s};
   const struct surface *f = &s->x->s;
   if (rules_on(s->t->env->dev)) {
      check_message(&c);
      check_surface(&c);
      check_layout(&c);
      if (s->kind->flags & SAMPLER_USES_STATE && f->type <= SURFTYPE_CUBE)
         check_state(&c);
      check_parameters(&c);
   }
   if (c.fatal)
      return false;
   /* The same, where nobody wants to hear of it. */
   bool samples = s->type == SAMPLER_LD2DMS || s->type == SAMPLER_LD2DSS ||
                  s->type == SAMPLER_LD_MCS || s->type == SAMPLER_RESINFO ||
                  s->type == SAMPLER_SAMPLEINFO;
   return types_for(s) >> f->type & 1 && (f->samples == 1 || samples);
}
