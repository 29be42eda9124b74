/* MEDIA_SURFACE_STATE to struct media_surface, its rules, its planes. */
#include "surface/media_surface.h"

#include "surface/format.h"

#include <string.h>

/* SMP-172, SMP-372: by Surface Format. */
static const struct media_format {
   uint8_t pixel_B;            /* bytes of a pixel: of luma, for planes */
   uint8_t chroma_w, chroma_h; /* pixels that share a chroma sample; 0: no chroma */
   bool planar;
   uint16_t packed; /* SURFACE_FORMAT of the same order of bytes, for packed YCrCb */
   uint8_t users;   /* enum media_user */
} formats[16] = {
#define ALL (MEDIA_SAMPLE_8X8 | MEDIA_DEINTERLACE | MEDIA_VME)
    [GEN7_MEDIA_SURFACE_FORMAT_YCRCB_NORMAL] = {2, 2, 1, false, GEN7_SURFACE_FORMAT_YCRCB_NORMAL,
                                                ALL},
    [GEN7_MEDIA_SURFACE_FORMAT_YCRCB_SWAPUVY] = {2, 2, 1, false, GEN7_SURFACE_FORMAT_YCRCB_SWAPUVY,
                                                 ALL},
    [GEN7_MEDIA_SURFACE_FORMAT_YCRCB_SWAPUV] = {2, 2, 1, false, GEN7_SURFACE_FORMAT_YCRCB_SWAPUV,
                                                ALL},
    [GEN7_MEDIA_SURFACE_FORMAT_YCRCB_SWAPY] = {2, 2, 1, false, GEN7_SURFACE_FORMAT_YCRCB_SWAPY,
                                               ALL},
    [GEN7_MEDIA_SURFACE_FORMAT_PLANAR_420_8] = {1, 2, 2, true, 0, ALL},
    [GEN7_MEDIA_SURFACE_FORMAT_PLANAR_411_8] = {1, 4, 1, true, 0, MEDIA_DEINTERLACE},
    [GEN7_MEDIA_SURFACE_FORMAT_PLANAR_422_8] = {1, 2, 1, true, 0, MEDIA_DEINTERLACE},
    [GEN7_MEDIA_SURFACE_FORMAT_STMM_DN_STATISTICS] = {1, 0, 0, false, 0, MEDIA_DEINTERLACE},
    [GEN7_MEDIA_SURFACE_FORMAT_R10G10B10A2_UNORM] = {4, 0, 0, false, 0, MEDIA_SAMPLE_8X8},
    [GEN7_MEDIA_SURFACE_FORMAT_R8G8B8A8_UNORM] = {4, 0, 0, false, 0, MEDIA_SAMPLE_8X8},
    [GEN7_MEDIA_SURFACE_FORMAT_R8B8_UNORM] = {2, 0, 0, false, 0, MEDIA_SAMPLE_8X8},
    [GEN7_MEDIA_SURFACE_FORMAT_R8_UNORM] = {1, 0, 0, false, 0, MEDIA_SAMPLE_8X8},
    [GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM] = {1, 0, 0, false, 0, ALL},
    /* Reserved, and said so: bytes. */
    [13] = {.pixel_B = 1},
    [14] = {.pixel_B = 1},
    [15] = {.pixel_B = 1},
#undef ALL
};

static bool
separate_v(const struct media_surface *s)
{
   return formats[s->format].planar && !s->interleave_chroma;
}

static uint32_t
check_pitch(const struct media_surface *s, const struct media_format *f)
{
   uint32_t tile_B = s->tiling == MEM_TILE_X ? 512 : s->tiling == MEM_TILE_Y ? 128 : 1;
   if (s->pitch_B % (f->planar && s->half_pitch_chroma ? 2 * tile_B : tile_B))
      return SURFACE_BAD_PITCH;
   return (uint32_t)s->width * f->pixel_B > s->pitch_B ? SURFACE_BAD_PITCH : 0;
}

static uint32_t
check_offsets(const struct media_surface *s, const struct media_format *f)
{
   bool even_x = f->planar && f->chroma_w == 2;
   unsigned odd = s->u_y | (even_x ? s->u_x : 0);
   if (separate_v(s))
      odd |= s->v_y | (even_x ? s->v_x : 0);
   return odd & 1 ? SURFACE_BAD_OFFSET : 0;
}

/* SMP-372, VME-395 */
static uint32_t
check(const struct media_surface *s, const uint32_t dw[8])
{
   const struct media_format *f = &formats[s->format];
   uint32_t rules = check_pitch(s, f) | check_offsets(s, f);
   if (hw_validate(hw_struct_by_name("MEDIA_SURFACE_STATE"), dw, 8, NULL, NULL))
      rules |= SURFACE_BAD_RESERVED;
   if (f->chroma_w && (s->width % f->chroma_w || s->height % f->chroma_h))
      rules |= SURFACE_BAD_MULTIPLE;
   if (s->tiling != MEM_LINEAR && s->base % 4096)
      rules |= SURFACE_BAD_BASE;
   return rules;
}

void
media_surface_unpack(struct media_surface *s, const uint32_t dw[8])
{
   static const uint8_t tilings[4] = {MEM_LINEAR, MEM_LINEAR, MEM_TILE_X, MEM_TILE_Y};
   struct hw_media_surface_state st;
   gen7_media_surface_state_unpack(&st, dw);
   *s = (struct media_surface){.base = st.surface_base_address,
                               .pitch_B = st.surface_pitch + 1,
                               .width = (uint16_t)(st.width + 1),
                               .height = (uint16_t)(st.height + 1),
                               .format = (uint8_t)st.surface_format,
                               .tiling = tilings[st.tile_mode],
                               .picture = (uint8_t)st.picture_structure,
                               .interleave_chroma = st.interleave_chroma,
                               .half_pitch_chroma = st.half_pitch_for_chroma,
                               .mocs = (uint8_t)st.memory_object_control_state,
                               .u_x = (uint16_t)st.x_offset_for_u,
                               .u_y = (uint16_t)st.y_offset_for_u,
                               .v_x = (uint16_t)st.x_offset_for_v,
                               .v_y = (uint16_t)st.y_offset_for_v};
   if (s->format == GEN7_MEDIA_SURFACE_FORMAT_PLANAR_420_8) /* ignored for all others */
      s->chroma_v_offset = (uint8_t)st.cr_cb_pixel_offset_v_direction;
   s->rules = check(s, dw);
}

void
media_surface_rules(const struct media_surface *s, enum media_user user,
                    void (*fn)(void *data, const char *rule, const char *text), void *data)
{
   static const struct {
      uint32_t bit;
      const char *rule, *text;
   } what[] = {
       {SURFACE_BAD_RESERVED, "SMP-172", "a reserved bit is set or a field has a reserved value"},
       {SURFACE_BAD_BASE, "SMP-372", "the base address of a tiled surface is not aligned to 4 KiB"},
       {SURFACE_BAD_PITCH, "SMP-372",
        "the pitch is shorter than a row, or no multiple of the width of a tile "
        "(twice that with Half Pitch for Chroma)"},
       {SURFACE_BAD_OFFSET, "SMP-372", "an offset of a chroma plane is odd"},
       {SURFACE_BAD_MULTIPLE, "SMP-372",
        "the size is no multiple of the pixels that share a chroma sample"},
   };
   for (unsigned i = 0; i < sizeof(what) / sizeof(what[0]); i++)
      if (s->rules & what[i].bit)
         fn(data, what[i].rule, what[i].text);
   if (formats[s->format].users && !(formats[s->format].users & user))
      fn(data, "SMP-172", "the message does not take surfaces of this format");
   if (user == MEDIA_DEINTERLACE && s->width % 8)
      fn(data, "SMP-372", "the width is no multiple of 8, which deinterlacing needs");
}

bool
media_surface_alike(const struct media_surface *a, const struct media_surface *b)
{
   return a->width == b->width && a->height == b->height && a->format == b->format &&
          a->pitch_B == b->pitch_B && a->half_pitch_chroma == b->half_pitch_chroma &&
          a->tiling == b->tiling;
}

/* SMP-372: offsets are counted in bytes and rows of the plane's own pitch. Interleaved chroma: U,
 * then V. */
static void
chroma_plane(const struct media_surface *s, bool v, struct media_plane *p)
{
   if (s->half_pitch_chroma && s->pitch_B > 1)
      p->pitch_B = s->pitch_B / 2;
   p->x_B = s->interleave_chroma ? s->u_x + (uint32_t)v : v ? s->v_x : s->u_x;
   p->y = v && !s->interleave_chroma ? s->v_y : s->u_y;
   p->step_B = s->interleave_chroma ? 2 : 1;
}

bool
media_surface_plane(const struct media_surface *s, enum media_plane_id which,
                    struct media_plane *out)
{
   const struct media_format *f = &formats[s->format];
   bool chroma = which != MEDIA_PLANE_Y;
   *out = (struct media_plane){.base = s->base,
                               .pitch_B = s->pitch_B,
                               .tiling = s->tiling,
                               .width = s->width,
                               .height = s->height,
                               .step_B = f->pixel_B};
   if (chroma) {
      if (!f->chroma_w)
         return false;
      out->width = (s->width + f->chroma_w - 1u) / f->chroma_w;
      out->height = (s->height + f->chroma_h - 1u) / f->chroma_h;
   }
   if (f->planar) {
      if (chroma)
         chroma_plane(s, which == MEDIA_PLANE_V, out);
      return true;
   }
   out->x_B = (uint32_t)s->u_x * f->pixel_B; /* SMP-372: the origin of the surface */
   out->y = s->u_y;
   if (f->packed) {
      const struct format_yuv422_order *o = format_yuv422_order(f->packed);
      out->x_B += !chroma ? o->y0 : which == MEDIA_PLANE_U ? o->u : o->v;
      out->step_B = chroma ? 4 : 2;
   }
   return true;
}

bool
media_plane_address(const struct media_plane *p, uint32_t x, uint32_t y, uint32_t *address)
{
   uint64_t a = p->base + mem_tile_offset(p->tiling, p->x_B + x * p->step_B, p->y + y, p->pitch_B);
   *address = (uint32_t)a;
   return a >> 32 == 0;
}
