/* Random states, coordinates and formats against the reference. PERGOLA_SEED looks elsewhere. */
#include "eu/fpmode.h"
#include "reference.h"
#include "rig.h"

#define TEXTURE_BYTES 0x400000u

struct chance {
   uint64_t state;
};

static uint32_t
draw(struct chance *c, uint32_t below)
{
   c->state = c->state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)((c->state >> 33) % below);
}

static float
draw_float(struct chance *c, float low, float high)
{
   return low + (high - low) * (float)draw(c, 1u << 20) / (float)(1u << 20);
}

/* Formats that filter; those with floats are filled with numbers. */
static const uint16_t formats[] = {
    GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,     GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,
    GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM,     GEN7_SURFACE_FORMAT_R8_UNORM,
    GEN7_SURFACE_FORMAT_R8G8_UNORM,         GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM_SRGB,
    GEN7_SURFACE_FORMAT_R8G8B8A8_SNORM,     GEN7_SURFACE_FORMAT_B5G6R5_UNORM,
    GEN7_SURFACE_FORMAT_R16_UNORM,          GEN7_SURFACE_FORMAT_R16G16B16A16_UNORM,
    GEN7_SURFACE_FORMAT_R32G32B32A32_FLOAT, GEN7_SURFACE_FORMAT_R32_FLOAT,
    GEN7_SURFACE_FORMAT_R16G16B16A16_FLOAT, GEN7_SURFACE_FORMAT_L8_UNORM,
    GEN7_SURFACE_FORMAT_I8_UNORM,           GEN7_SURFACE_FORMAT_A8_UNORM,
    GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM,     GEN7_SURFACE_FORMAT_R10G10B10A2_UNORM,
    GEN7_SURFACE_FORMAT_BC1_UNORM,          GEN7_SURFACE_FORMAT_BC3_UNORM,
    GEN7_SURFACE_FORMAT_R11G11B10_FLOAT,    GEN7_SURFACE_FORMAT_R9G9B9E5_SHAREDEXP,
};

struct world {
   struct fx *f;
   struct chance c;
   struct surface s;
   struct ref_texture t;
   struct ref_sampler r;
   unsigned long samples, doubtful, messages, quick;
   bool common;     /* what most programs sample, alone */
   bool stretched;  /* and they are filtered so */
   bool one_level;  /* no surface has more; */
   bool all_levels; /* … has less than it can have */
   bool cubes;      /* alone */
   bool lines;      /* 1D surfaces alone */
   bool blocks;     /* compressed formats alone */
   bool headers;    /* of messages, with offsets in texels */
   int offset[3];
};

/* The texel as the surface room has it: layouts and formats have tests of their own. */
static void
texel(const void *data, int level, int x, int y, int slice, double out[4])
{
   const struct world *w = data;
   struct surface_view v;
   uint32_t address;
   uint8_t element[16] = {0};
   format_texel t = {0};
   surface_view_make(&v, &w->s, w->s.min_lod + (unsigned)level);
   assert_true(surface_view_contains(&v, (uint32_t)x, (uint32_t)y, (uint32_t)slice));
   assert_true(surface_view_address(&v, (uint32_t)x, (uint32_t)y, (uint32_t)slice, 0, &address));
   memcpy(element, fx_at(w->f, address), v.size_B);
   v.unpack(v.format, element, (uint32_t)x, (uint32_t)y, t);
   for (unsigned i = 0; i < 4; i++)
      out[i] = rig_float(t[i]);
}

static void
fill(struct world *w)
{
   const struct format_info *f = w->s.info;
   for (uint32_t i = 0; i < TEXTURE_BYTES; i += 4) { /* as far as the largest reaches */
      uint32_t v = draw(&w->c, 1u << 31) << 1 | draw(&w->c, 2);
      if (f->channel[0].type == CHANNEL_FLOAT && f->channel[0].bits == 32)
         v = rig_bits(draw_float(&w->c, -4, 4));
      else if (f->channel[0].type == CHANNEL_FLOAT && f->channel[0].bits == 16)
         v &= 0xbbffbbff; /* below 2 */
      else if (f->channel[0].type == CHANNEL_FLOAT)
         v &= 0xeffbfdff & ~(1u << 10 | 1u << 21 | 1u << 31);
      memcpy(fx_at(w->f, FX_DATA + i), &v, 4);
   }
}

/* A surface of any kind, not large. */
static void
make_surface(struct world *w, bool shadow)
{
   struct chance *c = &w->c;
   unsigned kind = shadow ? (draw(c, 3) == 0 ? SURFTYPE_CUBE : SURFTYPE_2D) : draw(c, 6);
   kind = w->cubes               ? SURFTYPE_CUBE
          : w->lines             ? SURFTYPE_1D
          : kind > SURFTYPE_CUBE ? SURFTYPE_2D
                                 : kind;
   unsigned format = formats[draw(c, sizeof(formats) / sizeof(formats[0]))];
   if (shadow)
      format = (unsigned[]){GEN7_SURFACE_FORMAT_R32_FLOAT, GEN7_SURFACE_FORMAT_R16_UNORM,
                            GEN7_SURFACE_FORMAT_R24_UNORM_X8_TYPELESS}[draw(c, 3)];
   if (w->blocks)
      format = (unsigned[]){GEN7_SURFACE_FORMAT_BC1_UNORM, GEN7_SURFACE_FORMAT_BC2_UNORM,
                            GEN7_SURFACE_FORMAT_BC3_UNORM_SRGB,
                            GEN7_SURFACE_FORMAT_BC7_UNORM}[draw(c, 4)];
   if (w->common) {
      kind = SURFTYPE_2D;
      format = draw(c, 2) ? GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM : GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM;
   }
   const struct format_info *info = format_get(format);
   bool blocks = info->layout == FORMAT_BLOCK;
   if (blocks && (kind == SURFTYPE_1D || kind == SURFTYPE_3D))
      kind = SURFTYPE_2D;
   unsigned tiling = draw(c, 3);
   unsigned most = kind == SURFTYPE_3D ? 16 : 60, w0 = 1 + draw(c, most), h0 = 1 + draw(c, most);
   if (w->common) {
      w0 = 1u << draw(c, 6);
      h0 = 1u << draw(c, 6);
   }
   if (kind == SURFTYPE_CUBE)
      h0 = w0;
   if (kind == SURFTYPE_1D)
      h0 = 1;
   unsigned depth = kind == SURFTYPE_3D ? 1 + draw(c, 12) : 1;
   bool array = kind != SURFTYPE_3D && draw(c, 2);
   if (array)
      depth = 1 + draw(c, 3);
   unsigned largest = w0 > h0 ? w0 : h0, levels = 1, min_lod = 0;
   while (largest >> levels && !w->one_level && (w->all_levels || draw(c, 4)))
      levels++;
   if (levels > 1 && draw(c, 3) == 0)
      min_lod = 1 + draw(c, levels - 1);
   struct hw_render_surface_state st = {.surface_type = kind,
                                        .surface_array = array,
                                        .surface_format = format,
                                        .surface_base_address = FX_DATA,
                                        .width = w0 - 1,
                                        .height = h0 - 1,
                                        .depth = depth - 1,
                                        .surface_pitch = 4095,
                                        .surface_vertical_alignment = draw(c, 2),
                                        .tiled_surface = tiling != 0,
                                        .tile_walk = tiling == 2,
                                        .surface_min_lod = min_lod,
                                        .mip_count_or_lod = levels - 1 - min_lod,
                                        .cube_face_enable_negative_x = 1,
                                        .cube_face_enable_positive_x = 1,
                                        .cube_face_enable_negative_y = 1,
                                        .cube_face_enable_positive_y = 1,
                                        .cube_face_enable_negative_z = 1,
                                        .cube_face_enable_positive_z = 1};
   if (draw(c, 4) == 0 && levels - min_lod > 1)
      st.resource_min_lod = (min_lod << 8) + draw(c, (levels - min_lod) << 8);
   uint32_t dw[8];
   gen7_render_surface_state_pack(dw, &st);
   fx_surface_dw(w->f, 1, dw);
   surface_unpack(&w->s, dw, w->f->dev->hw_device);
   fill(w);
   struct surface_extent e = surface_level_size(&w->s, min_lod);
   w->t = (struct ref_texture){.kind = (enum ref_kind)kind,
                               .width = (int)e.width,
                               .height = (int)e.height,
                               .depth = kind == SURFTYPE_3D ? (int)e.depth : 1,
                               .layers = array ? (int)depth : 1,
                               .levels = (int)(levels - min_lod),
                               .has_alpha = info->channel[3].type != CHANNEL_NONE || blocks,
                               .unorm = info->channel[0].type == CHANNEL_UNORM,
                               .texel = texel,
                               .data = w};
   w->r.resource_min_lod = st.resource_min_lod / 256.0 - min_lod;
}

/* What the border colour becomes, from SMP-189. */
static void
border(struct world *w, const float given[4])
{
   static const char *const ones = "LI";
   const char *name = w->s.info->name;
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &w->s.info->channel[i];
      double v = given[strchr(ones, name[0]) && (i < 3 || name[0] == 'I') ? 0 : i];
      if (w->s.info->layout != FORMAT_PLAIN || c->type == CHANNEL_UNORM)
         v = fmin(fmax(v, 0), 1);
      else if (c->type == CHANNEL_SNORM)
         v = fmin(fmax(v, -1), 1);
      if (w->s.info->layout == FORMAT_PLAIN && c->type == CHANNEL_NONE)
         v = i == 3;
      if (w->s.info->layout == FORMAT_SHAREDEXP)
         v = i == 3 ? 1 : given[i];
      w->r.border[i] = v;
   }
}

static void
make_sampler(struct world *w, bool gathers)
{
   static const uint8_t modes[] = {REF_WRAP,   REF_MIRROR,      REF_CLAMP,
                                   REF_BORDER, REF_MIRROR_ONCE, REF_HALF_BORDER};
   struct chance *c = &w->c;
   unsigned kind = (unsigned)w->t.kind, mode[3];
   bool unnormalized = !w->common && (kind == REF_2D || kind == REF_3D) && w->t.levels == 1 &&
                       w->s.min_lod == 0 && draw(c, 4) == 0;
   for (unsigned i = 0; i < 3; i++)
      mode[i] = unnormalized ? (draw(c, 2) ? REF_CLAMP : REF_BORDER) : modes[draw(c, 6)];
   if (kind == REF_CUBE)
      mode[0] = mode[1] = mode[2] = draw(c, 3) ? REF_CUBE_EDGES : REF_CLAMP;
   unsigned filters = kind == REF_3D || unnormalized ? 2 : 3;
   struct hw_sampler_state st = {
       .mag_mode_filter = draw(c, filters),
       .min_mode_filter = draw(c, filters),
       .mip_mode_filter = unnormalized || gathers ? 0 : (unsigned[]){0, 1, 3, 3}[draw(c, 4)],
       .lod_preclamp_enable = draw(c, 2),
       .base_mip_level = draw(c, 4) ? 0 : draw(c, 5),
       .texture_lod_bias = unnormalized || draw(c, 2) ? 0 : (int32_t)draw(c, 1024) - 512,
       .min_lod = unnormalized || draw(c, 2) ? 0 : draw(c, 1024),
       .max_lod = unnormalized ? 0
                  : draw(c, 2) ? 14 << 8
                               : draw(c, 1500),
       .maximum_anisotropy = draw(c, 8),
       .trilinear_filter_quality = (unsigned[]){0, 0, 2, 3}[draw(c, 4)],
       .non_normalized_coordinate_enable = unnormalized,
       .shadow_function = draw(c, 8),
       .u_address_mag_filter_rounding_enable = draw(c, 2),
       .u_address_min_filter_rounding_enable = draw(c, 2),
       .v_address_mag_filter_rounding_enable = draw(c, 2),
       .v_address_min_filter_rounding_enable = draw(c, 2),
       .r_address_mag_filter_rounding_enable = draw(c, 2),
       .r_address_min_filter_rounding_enable = draw(c, 2),
       .tcx_address_control_mode = mode[0],
       .tcy_address_control_mode = mode[1],
       .tcz_address_control_mode = mode[2],
       .border_color_pointer = RIG_BORDER};
   if (w->common) {
      mode[0] = mode[1] = draw(c, 2) ? REF_WRAP : REF_CLAMP;
      st.tcx_address_control_mode = st.tcy_address_control_mode = mode[0];
      st.mag_mode_filter = st.min_mode_filter =
          w->stretched ? GEN7_MAP_FILTER_ANISOTROPIC : draw(c, 2);
      st.mip_mode_filter = draw(c, 2) ? 0 : 3;
   }
   if (w->stretched && filters == 3)
      st.mag_mode_filter = st.min_mode_filter = GEN7_MAP_FILTER_ANISOTROPIC;
   float colour[4];
   for (unsigned i = 0; i < 4; i++)
      colour[i] = draw_float(c, -1.5f, 1.5f);
   rig_border(w->f, colour[0], colour[1], colour[2], colour[3]);
   rig_sampler(w->f, 2, &st);
   double resource = w->r.resource_min_lod;
   w->r = (struct ref_sampler){
       .mag = (enum ref_filter)st.mag_mode_filter,
       .min = (enum ref_filter)st.min_mode_filter,
       .mip = (enum ref_mip)st.mip_mode_filter,
       .mode = {(enum ref_mode)mode[0], (enum ref_mode)mode[1], (enum ref_mode)mode[2]},
       .unnormalized = unnormalized,
       .preclamp = st.lod_preclamp_enable,
       .bias = st.texture_lod_bias / 256.0,
       .min_lod = st.min_lod / 256.0,
       .max_lod = st.max_lod / 256.0,
       .base = st.base_mip_level / 2.0,
       .resource_min_lod = resource,
       .max_anisotropy = (int)(2 * (st.maximum_anisotropy + 1)),
       .quality = (int)st.trilinear_filter_quality,
       .compare = (enum ref_compare)st.shadow_function};
   bool round[2][3] = {
       {st.u_address_mag_filter_rounding_enable, st.v_address_mag_filter_rounding_enable,
        st.r_address_mag_filter_rounding_enable},
       {st.u_address_min_filter_rounding_enable, st.v_address_min_filter_rounding_enable,
        st.r_address_min_filter_rounding_enable}};
   memcpy(w->r.round, round, sizeof(round));
   border(w, colour);
}

/* A coordinate: mostly about the map, sometimes far, sometimes on a grid of 1/8 texels. */
static float
coordinate(struct world *w, unsigned axis)
{
   struct chance *c = &w->c;
   int size = axis == 0 ? w->t.width : axis == 1 ? w->t.height : w->t.depth;
   float v = draw(c, 8) ? draw_float(c, -0.5f, 1.5f) : draw_float(c, -20, 20);
   if (draw(c, 4) == 0)
      v = (float)(int)(v * (float)size * 8) / (8.0f * (float)size);
   return w->r.unnormalized ? v * (float)size : v;
}

struct pixel {
   float at[3], layer, d[2][3], lod, bias, ref;
};

static void
make_cube_point(struct world *w, struct pixel *p)
{
   unsigned major = draw(&w->c, 3);
   for (unsigned i = 0; i < 3; i++)
      p->at[i] = draw_float(&w->c, -1, 1);
   p->at[major] = draw(&w->c, 2) ? 1 : -1;
}

static void
make_pixel(struct world *w, struct pixel *p)
{
   struct chance *c = &w->c;
   if (w->t.kind == REF_CUBE)
      make_cube_point(w, p);
   for (unsigned i = 0; i < 3 && w->t.kind != REF_CUBE; i++)
      p->at[i] = coordinate(w, i);
   p->layer = draw(c, 8) ? (float)draw(c, 4) : draw_float(c, -2, 6);
   if (fabsf(p->layer - floorf(p->layer) - 0.5f) < 0.01f)
      p->layer += 0.1f;
   p->lod = draw_float(c, -2, 7);
   p->bias = draw_float(c, -3, 3);
   p->ref = draw_float(c, -0.2f, 1.2f);
}

/* SMP-214, SMP-220: steps of texels in a header. */
static void
put_header(struct world *w)
{
   memset(w->offset, 0, sizeof(w->offset));
   if (!w->headers)
      return;
   bool moves = w->t.kind != REF_CUBE && draw(&w->c, 4);
   for (unsigned i = 0; i < 3 && moves; i++)
      w->offset[i] = (int)draw(&w->c, 16) - 8;
   memset(fx_in(w->f, 0), 0, EU_REG_SIZE);
   fx_in(w->f, 0)[2] = ((uint32_t)w->offset[0] & 15) << 8 | ((uint32_t)w->offset[1] & 15) << 4 |
                       ((uint32_t)w->offset[2] & 15);
}

/* One message of eight or sixteen pixels of one type. */
static void
put_message(struct world *w, unsigned type, unsigned simd, const struct pixel *p, unsigned n)
{
   struct fx *f = w->f;
   bool header = w->headers;
   unsigned at = 0, axes = w->t.kind == REF_1D ? 1 : w->t.kind == REF_2D ? 2 : 3;
   if (sampler_kinds[type].flags & SAMPLER_COMPARES)
      rig_put_float(f, simd, header, at++, n, p->ref);
   if (type == SAMPLER_SAMPLE_B || type == SAMPLER_SAMPLE_B_C)
      rig_put_float(f, simd, header, at++, n, p->bias);
   if (type == SAMPLER_SAMPLE_L || type == SAMPLER_SAMPLE_L_C)
      rig_put_float(f, simd, header, at++, n, p->lod);
   for (unsigned i = 0; i < 3; i++) {
      rig_put_float(f, simd, header, at++, n, i < axes ? p->at[i] : p->layer);
      for (unsigned k = 0; k < 2 && type == SAMPLER_SAMPLE_D; k++)
         rig_put_float(f, simd, header, at++, n, p->d[k][i]);
   }
   if (w->t.kind == REF_CUBE)
      rig_put_float(f, simd, header, at++, n, p->layer);
}

static unsigned
parameters_of(const struct world *w, unsigned type)
{
   unsigned n = 3 + (w->t.kind == REF_CUBE);
   if (type == SAMPLER_SAMPLE_D)
      n += 6;
   for (unsigned i = 0; i < 11 && type != SAMPLER_SAMPLE_D; i++)
      n += sampler_kinds[type].order[i] == P_REF || sampler_kinds[type].order[i] == P_BIAS ||
           sampler_kinds[type].order[i] == P_LOD;
   return n;
}

static void
check_pixel(struct world *w, unsigned simd, unsigned n, const struct ref_point *p, unsigned type)
{
   struct ref_result r = ref_sample(&w->t, &w->r, p);
   w->samples++;
   w->doubtful += r.doubtful;
   if (r.doubtful)
      return;
   for (unsigned c = 0; c < 4; c++) {
      double got = rig_get_float(w->f, simd, c, n);
      if (fabs(got - r.value[c]) <= r.slack[c] + 1e-6)
         continue;
      fail_msg("%s %s kind %d size %dx%dx%d levels %d modes %d %d %d filters %d/%d/%d pixel %u "
               "at %g %g %g layer %g lod %g channel %u: %.9g for %.9g (slack %g)",
               sampler_kinds[type].name, w->s.info->name, (int)w->t.kind, w->t.width, w->t.height,
               w->t.depth, w->t.levels, (int)w->r.mode[0], (int)w->r.mode[1], (int)w->r.mode[2],
               (int)w->r.mag, (int)w->r.min, (int)w->r.mip, n, p->at[0], p->at[1], p->at[2],
               p->layer, p->lod, c, got, r.value[c], r.slack[c]);
   }
}

/* Gradients of a quad: the pixels lie on a plane, so that differences say what was meant. */
static void
make_quads(struct world *w, struct pixel *p, unsigned pixels)
{
   for (unsigned q = 0; q < pixels; q += 4) {
      float scale = draw_float(&w->c, 0.001f, 0.4f);
      for (unsigned i = 0; i < 3; i++) {
         float size = w->r.unnormalized ? (float)w->t.width : 1;
         float dx = draw_float(&w->c, -scale, scale) * size,
               dy = draw_float(&w->c, -scale, scale) * size;
         for (unsigned k = 1; k < 4; k++)
            p[q + k].at[i] = p[q].at[i] + (k & 1 ? dx : 0) + (k & 2 ? dy : 0);
      }
   }
}

/* The fast path, if it takes the message, gives the same bits and touches no other register. */
static void
check_quick(struct world *w, unsigned type, unsigned simd, unsigned parameters)
{
   struct fx *f = w->f;
   unsigned regs = simd == SIMD16 ? 2 : 1, mlen = w->headers + regs * parameters, rlen = 4 * regs;
   uint32_t desc =
       1 | 2 << 8 | type << 12 | simd << 17 | (uint32_t)w->headers << 19 | rlen << 20 | mlen << 25;
   struct sf_quick q;
   if (!sf_quick_select(&q, f->dev, SFID_SAMPLER, desc, false, FX_PAYLOAD, FX_RESPONSE))
      return;
   w->messages++;
   uint8_t want[8 * EU_REG_SIZE], before[sizeof(f->t.grf)];
   memcpy(want, fx_out(f, 0), rlen * EU_REG_SIZE);
   memset(fx_out(f, 0), 0xa5, rlen * EU_REG_SIZE);
   memcpy(before, f->t.grf, sizeof(before));
   uint32_t mask = f->exec_mask;
   unsigned modes = fpmode_get();
   fpmode_set(FPMODE_HOST | FPMODE_FLUSH); /* as a thread has them: denormals are flushed */
   bool done = q.fn(&f->t, &q, mask);
   fpmode_set(modes);
   if (!done) {
      assert_memory_equal(before, f->t.grf, sizeof(before));
      memcpy(fx_out(f, 0), want, rlen * EU_REG_SIZE);
      return;
   }
   w->quick++;
   for (unsigned r = 0; r < rlen; r++)
      for (unsigned i = 0; i < 8; i++) {
         bool on = mask >> (i + (regs == 2 ? 8 * (r % 2) : 0)) & 1;
         uint32_t expected = 0xa5a5a5a5;
         if (on)
            memcpy(&expected, want + r * EU_REG_SIZE + 4 * i, 4);
         if (fx_out(f, r)[i] != expected)
            fail_msg("%s %s size %dx%d levels %d modes %d %d filters %d/%d/%d register %u lane %u: "
                     "%08x for %08x",
                     sampler_kinds[type].name, w->s.info->name, w->t.width, w->t.height,
                     w->t.levels, (int)w->r.mode[0], (int)w->r.mode[1], (int)w->r.mag,
                     (int)w->r.min, (int)w->r.mip, r, i, fx_out(f, r)[i], expected);
      }
   memcpy(fx_out(f, 0), want, rlen * EU_REG_SIZE);
   memcpy(before + FX_RESPONSE * EU_REG_SIZE, want, rlen * EU_REG_SIZE);
   assert_memory_equal(before, f->t.grf, sizeof(before));
}

static void
run_message(struct world *w, unsigned type, unsigned simd)
{
   struct pixel p[16];
   unsigned pixels = simd == SIMD16 ? 16 : 8;
   unsigned flags = sampler_kinds[type].flags;
   bool cube = w->t.kind == REF_CUBE;
   for (unsigned n = 0; n < pixels; n++)
      make_pixel(w, &p[n]);
   for (unsigned n = 1, one = draw(&w->c, 2); n < pixels && one; n++)
      p[n].layer = p[0].layer;
   put_header(w);
   if (flags & SAMPLER_GRADIENTS && !cube)
      make_quads(w, p, pixels);
   if (flags & SAMPLER_GRADIENTS && cube) /* a cube's pixels lie in one place: magnified */
      for (unsigned n = 0; n < pixels; n++)
         memcpy(p[n].at, p[n & ~3u].at, sizeof(p[n].at));
   for (unsigned n = 0; n < pixels; n++) {
      for (unsigned k = 0; k < 6; k++)
         p[n].d[k % 2][k / 2] =
             draw_float(&w->c, -0.3f, 0.3f) * (w->r.unnormalized ? (float)w->t.width : 1.0f);
      if (type == SAMPLER_SAMPLE_D && cube) { /* on the face, r is its number */
         p[n].at[2] = (float)draw(&w->c, 6);
         p[n].at[0] = draw_float(&w->c, -1, 1);
         p[n].at[1] = draw_float(&w->c, -1, 1);
      }
      put_message(w, type, simd, &p[n], n);
   }
   rig_send_full(w->f, type, simd, 1, 2, w->headers, parameters_of(w, type), 0, false);
   w->f->exec_mask = draw(&w->c, 4) ? 0xffff : draw(&w->c, 0x10000);
   check_quick(w, type, simd, parameters_of(w, type));
   w->f->exec_mask = 0xffff;
   for (unsigned n = 0; n < pixels; n++) {
      struct ref_point r = {
          .at = {p[n].at[0], p[n].at[1], p[n].at[2]}, .layer = p[n].layer, .ref = p[n].ref};
      memcpy(r.offset, w->offset, sizeof(r.offset));
      const struct pixel *q = &p[n & ~3u];
      struct ref_sampler old = w->r;
      w->r.compares = flags & SAMPLER_COMPARES;
      if (type == SAMPLER_SAMPLE_L || type == SAMPLER_SAMPLE_L_C) {
         r.lod = p[n].lod;
         w->r.mag = w->r.mag == REF_ANISOTROPIC ? REF_LINEAR : w->r.mag; /* SMP-374 */
         w->r.min = w->r.min == REF_ANISOTROPIC ? REF_LINEAR : w->r.min;
      } else {
         r.has_gradients = true;
         for (unsigned k = 0; k < 3; k++) {
            r.dx[k] = type == SAMPLER_SAMPLE_D ? p[n].d[0][k] : q[1].at[k] - q[0].at[k];
            r.dy[k] = type == SAMPLER_SAMPLE_D ? p[n].d[1][k] : q[2].at[k] - q[0].at[k];
            if (cube) { /* faces run from -1 to 1 */
               r.dx[k] /= 2;
               r.dy[k] /= 2;
            }
         }
         if (type == SAMPLER_SAMPLE_B || type == SAMPLER_SAMPLE_B_C)
            w->r.bias += nearbyint(p[n].bias * 256) / 256;
      }
      if (type == SAMPLER_SAMPLE_D && cube) {
         double s = p[n].at[0], t = p[n].at[1];
         unsigned face = (unsigned)p[n].at[2];
         double v[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                           {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
         memcpy(r.at, v[face], sizeof(r.at));
      }
      check_pixel(w, simd, n, &r, type);
      w->r = old;
   }
}

/* gather4 and its relatives: parameters in their order, channels and offsets of the header. */
static void
gather_message(struct world *w, unsigned type, unsigned simd, bool compares)
{
   struct fx *f = w->f;
   unsigned pixels = simd == SIMD16 ? 16 : 8, count = 0;
   const uint8_t *order = sampler_kinds[type].order;
   w->headers = draw(&w->c, 2);
   put_header(w);
   fx_in(f, 0)[2] |= w->headers && !compares ? draw(&w->c, 4) << 16 : 0;
   while (count < 6 && order[count] != P_NONE)
      count++;
   for (unsigned n = 0; n < pixels; n++) {
      struct pixel p;
      make_pixel(w, &p);
      for (unsigned i = 0; i < count; i++)
         if (order[i] == P_OFFU || order[i] == P_OFFV)
            rig_put(f, simd, w->headers, i, n, draw(&w->c, 256));
         else
            rig_put_float(f, simd, w->headers, i, n,
                          order[i] == P_REF                        ? p.ref
                          : order[i] == P_AI                       ? p.layer
                          : order[i] == P_R && w->t.kind == REF_2D ? p.layer
                                                                   : p.at[order[i] - P_U]);
   }
   f->exec_mask = 0xffff;
   rig_send_full(f, type, simd, 1, 2, w->headers, count, 0, false);
   f->exec_mask = draw(&w->c, 4) ? 0xffff : draw(&w->c, 0x10000);
   check_quick(w, type, simd, count);
}

/* Messages of these types. */
static void
run(struct world *w, struct fx *f, unsigned rounds, const uint8_t *types, unsigned count)
{
   const char *seed = getenv("PERGOLA_SEED");
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   bool compares = sampler_kinds[types[0]].flags & SAMPLER_COMPARES;
   w->f = f;
   w->c.state = seed ? strtoull(seed, NULL, 0) : 14;
   f->exec_mask = 0xffff;
   f->t.buffers = buffers;
   for (unsigned n = 0; n < rounds; n++) {
      make_surface(w, compares);
      for (unsigned k = 0; k < 8; k++) {
         make_sampler(w, false);
         for (unsigned j = 0; j < 40; j++) {
            unsigned type = types[draw(&w->c, count)];
            bool narrow = type == SAMPLER_SAMPLE_D || parameters_of(w, type) > 5;
            run_message(w, type, narrow || draw(&w->c, 2) ? SIMD8 : SIMD16);
         }
      }
   }
   /* Most of them must have been compared. */
   assert_true(w->samples > 100u * rounds && w->doubtful * 2 < w->samples);
   assert_silent(f);
   f->t.buffers = NULL;
   free(buffers);
}

#define RUN(w, f, rounds, ...)                                                                     \
   run(w, f, rounds, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
#define MESSAGES SAMPLER_SAMPLE, SAMPLER_SAMPLE_B, SAMPLER_SAMPLE_L, SAMPLER_SAMPLE_D

/* Each message is the first of its sampler: what was found out for the one before is forgotten. */
static void
samplers_change(void **state)
{
   struct fx *f = *state;
   struct world w = {.f = f, .c = {77}, .common = true};
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   void (*met[32])(void);
   unsigned functions = 0;
   f->exec_mask = 0xffff;
   f->t.buffers = buffers;
   for (unsigned n = 0; n < 400; n++) {
      make_surface(&w, false);
      unsigned simd = parameters_of(&w, SAMPLER_SAMPLE_L) > 5 ? SIMD8 : SIMD16;
      for (unsigned k = 0; k < 16; k++) {
         make_sampler(&w, false);
         run_message(&w, SAMPLER_SAMPLE_L, simd);
         void (*fn)(void) = buffers->texture[sf_texture_slot(1, 2)].plain.fn;
         unsigned i = 0;
         while (i < functions && met[i] != fn)
            i++;
         assert_true(i < 32);
         met[i] = fn;
         functions += i == functions;
      }
   }
   assert_in_range(functions, 15, 32);
   f->t.buffers = NULL;
   free(buffers);
}

/* Anisotropic samples of plain textures, which have functions of their own. */
static void
lines(void **state)
{
   struct fx *f = *state;
   struct world w = {.f = f, .c = {58}, .common = true, .stretched = true};
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   proves("SMP-058", "SMP-059");
   f->exec_mask = 0xffff;
   f->t.buffers = buffers;
   for (unsigned n = 0; n < 200; n++) {
      make_surface(&w, false);
      make_sampler(&w, false);
      for (unsigned k = 0; k < 16; k++)
         run_message(&w, draw(&w.c, 2) ? SAMPLER_SAMPLE_D : SAMPLER_SAMPLE, SIMD8);
   }
   assert_true(w.quick * 10 > w.messages * 9);
   f->t.buffers = NULL;
   free(buffers);
}

/* Surfaces, filters and messages of all kinds. */
static void
filters(void **state)
{
   proves("SMP-004", "SMP-008", "SMP-013", "SMP-014", "SMP-021", "SMP-022", "SMP-054", "SMP-056",
          "SMP-098");
   struct world w = {0};
   RUN(&w, *state, 100, MESSAGES);
   assert_true(w.quick * 3 > w.messages);
}

/* Each message by itself, with its parameters. */
static void
messages(void **state)
{
   proves("SMP-003", "SMP-235", "SMP-241", "SMP-253", "SMP-222", "SMP-300", "SMP-301", "SMP-302",
          "SMP-306");
   static const uint8_t type[] = {MESSAGES};
   for (unsigned i = 0; i < sizeof(type); i++) {
      struct world w = {0};
      run(&w, *state, 10, &type[i], 1);
   }
}

/* Modes of coordinates. */
static void
coordinates(void **state)
{
   proves("SMP-045", "SMP-063", "SMP-065", "SMP-067", "SMP-068", "SMP-070", "SMP-072", "SMP-073",
          "SMP-075");
   struct world w = {.one_level = true};
   RUN(&w, *state, 60, SAMPLER_SAMPLE, SAMPLER_SAMPLE_L);
}

static void
cubes(void **state)
{
   proves("SMP-069", "SMP-074", "SMP-255");
   struct world w = {.cubes = true};
   RUN(&w, *state, 30, MESSAGES);
}

/* How the level is computed. */
static void
levels_of_detail(void **state)
{
   proves("SMP-026", "SMP-028", "SMP-029", "SMP-030", "SMP-031", "SMP-034", "SMP-035", "SMP-037",
          "SMP-038", "SMP-039");
   struct world w = {.all_levels = true};
   RUN(&w, *state, 40, SAMPLER_SAMPLE, SAMPLER_SAMPLE_B, SAMPLER_SAMPLE_D);
}

/* What comes of it: magnified or not, and the levels that are read. */
static void
levels_between(void **state)
{
   proves("SMP-027", "SMP-032", "SMP-036", "SMP-040", "SMP-041", "SMP-049", "SMP-375");
   struct world w = {.all_levels = true};
   RUN(&w, *state, 40, SAMPLER_SAMPLE_L);
}

static void
levels_that_are_read(void **state)
{
   proves("SMP-042", "SMP-043", "SMP-046", "SMP-047", "SMP-050", "SMP-051", "SMP-052", "SMP-053");
   struct world w = {.all_levels = true};
   RUN(&w, *state, 40, MESSAGES);
}

static void
anisotropy(void **state)
{
   proves("SMP-058", "SMP-059", "SMP-378");
   struct world w = {.stretched = true};
   RUN(&w, *state, 40, SAMPLER_SAMPLE, SAMPLER_SAMPLE_B, SAMPLER_SAMPLE_D);
}

/* Functions of the comparison. */
static void
shadows(void **state)
{
   proves("SMP-087", "SMP-088", "SMP-089", "SMP-090", "SMP-091", "SMP-092", "SMP-093", "SMP-094",
          "SMP-086");
   struct world w = {0};
   RUN(&w, *state, 60, SAMPLER_SAMPLE_C);
   assert_true(w.quick * 2 > w.messages);
}

/* Surfaces of one axis, and arrays of them. */
static void
one_axis(void **state)
{
   proves("SMP-013", "SMP-056");
   struct world w = {.lines = true};
   RUN(&w, *state, 40, MESSAGES);
   assert_true(w.quick * 10 > w.messages * 6);
}

/* Compressed textures. */
static void
compressed(void **state)
{
   proves("SMP-078");
   struct world w = {.blocks = true};
   RUN(&w, *state, 40, MESSAGES);
   assert_true(w.quick * 10 > w.messages * 6);
}

/* Coordinates that the header moves by texels. */
static void
moved(void **state)
{
   proves("SMP-214", "SMP-220");
   struct world w = {.headers = true};
   RUN(&w, *state, 60, SAMPLER_SAMPLE, SAMPLER_SAMPLE_B, SAMPLER_SAMPLE_L);
   assert_true(w.quick * 3 > w.messages);
}

/* Four texels: the fast path has the bits of the other, which test_messages.c holds to the rows. */
static void
gathers(void **state)
{
   static const uint8_t types[] = {SAMPLER_GATHER4, SAMPLER_GATHER4_C, SAMPLER_GATHER4_PO,
                                   SAMPLER_GATHER4_PO_C};
   struct fx *f = *state;
   struct world w = {.f = f, .c = {91}};
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   f->exec_mask = 0xffff;
   f->t.buffers = buffers;
   for (unsigned n = 0; n < 300; n++) {
      unsigned type = types[draw(&w.c, 4)], simd = draw(&w.c, 2) ? SIMD8 : SIMD16;
      bool compares = sampler_kinds[type].flags & SAMPLER_COMPARES;
      make_surface(&w, compares);
      if (w.t.kind == REF_1D || w.t.kind == REF_3D)
         continue;
      for (unsigned k = 0; k < 40; k++) {
         if (k % 8 == 0)
            make_sampler(&w, true);
         gather_message(&w, type, simd, compares);
      }
   }
   assert_true(w.messages > 2000);
   assert_true(w.quick * 10 > w.messages * 4);
   f->t.buffers = NULL;
   free(buffers);
}

/* Messages that compare. */
static void
shadow_messages(void **state)
{
   proves("SMP-007", "SMP-097", "SMP-243", "SMP-246", "SMP-251");
   struct world w = {0};
   RUN(&w, *state, 60, SAMPLER_SAMPLE_C, SAMPLER_SAMPLE_L_C, SAMPLER_SAMPLE_B_C);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(filters),
       CASE(messages),
       CASE(coordinates),
       CASE(cubes),
       CASE(levels_of_detail),
       CASE(levels_between),
       CASE(levels_that_are_read),
       CASE(anisotropy),
       CASE(samplers_change),
       CASE(lines),
       CASE(shadows),
       CASE(shadow_messages),
       CASE(one_axis),
       CASE(compressed),
       CASE(moved),
       CASE(gathers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
