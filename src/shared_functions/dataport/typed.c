/* Typed surface read, write and atomic: a texel each slot, converted from and to the surface
 * format. */
#include "machine/float_bits.h"
#include "shared_functions/dataport/atomic.h"
#include "shared_functions/dataport/dataport.h"
#include "surface/view.h"

#define SLOTS 8u /* DP-223 */

struct typed {
   uint32_t exec; /* slots that get an answer */
   uint32_t mask; /* slots that touch memory to write */
   unsigned params;
   uint32_t param[4][SLOTS]; /* U, V, R, LOD */
   struct surface_view view; /* of the level of the last slot */
   bool viewed;
   uint64_t address[SLOTS]; /* of those that are inside */
};

static void
check_surface(struct dp *d, unsigned capability, const char *format_rule)
{
   if (d->s.type == SURFTYPE_CUBE || d->s.type == SURFTYPE_STRBUF || d->s.type == SURFTYPE_RESERVED)
      dp_note(d, PERGOLA_ERROR, "DP-215", "type of surface %u is not for typed messages", d->bti);
   if (!(d->s.info->capabilities & capability))
      dp_note(d, PERGOLA_ERROR, format_rule, "format %s of surface %u is not for this message",
              d->s.info->name[0] ? d->s.info->name : "(reserved)", d->bti);
   if (d->s.vls && (d->s.type != SURFTYPE_2D || d->s.array))
      dp_note(d, PERGOLA_ERROR, "DP-184",
              "Vertical Line Stride on surface %u, which is no plain 2D", d->bti);
   if (d->s.type == SURFTYPE_3D && d->s.min_array_element)
      dp_note(d, PERGOLA_WARNING, "DP-421",
              "Minimum Array Element %u of the 3D surface %u: the manual has it for render targets",
              d->s.min_array_element, d->bti);
   if (d->s.rules & (SURFACE_BAD_BASE | SURFACE_BAD_PITCH | SURFACE_BAD_TILED | SURFACE_BAD_SIZE))
      dp_note(d, PERGOLA_ERROR, "DP-423", "surface %u breaks the base, pitch, tiling or size rule",
              d->bti);
   if (d->s.rotation)
      dp_note(d, PERGOLA_ERROR, "DP-457",
              "surface %u is rotated, which is for render target writes only", d->bti);
}

/* A surface that a texel can be converted for; others read as null. False: rejected. */
static bool
open_surface(struct dp *d, unsigned capability, const char *format_rule)
{
   if (d->bti == DP_BTI_STATELESS) {
      dp_reject(d, "DP-224", "the stateless model is for untyped messages");
      return false;
   }
   if (!dp_bind(d, false))
      return false;
   d->r.null = d->s.type == SURFTYPE_NULL;
   d->r.slm = NULL;
   if (d->r.null)
      return true;
   if (rules_on(d->t->env->dev))
      check_surface(d, capability, format_rule);
   if (d->s.info->layout != FORMAT_PLAIN || d->s.info->bits > 128 ||
       d->s.type == SURFTYPE_RESERVED || d->s.type == SURFTYPE_STRBUF)
      d->r.null = true;
   return true;
}

/* One 32-bit red channel: nothing to convert. */
static bool
is_r32(const struct format_info *f)
{
   return f->code >= GEN7_SURFACE_FORMAT_R32_SINT && f->code <= GEN7_SURFACE_FORMAT_R32_FLOAT;
}

/* DP-259, DP-264, DP-265 */
static void
unpack_slots(struct dp *d, struct typed *y, unsigned other_regs, bool high_group)
{
   y->params = d->data_regs > other_regs ? d->data_regs - other_regs : 0;
   if (y->params < 1 || y->params > 4) {
      dp_note(d, PERGOLA_ERROR, "DP-259", "the message carries %u address parameters", y->params);
      y->params = y->params > 4 ? 4 : y->params;
   }
   y->exec = d->m->exec_mask & 0xff;
   y->mask =
       y->exec & (d->header[GEN7_DP_SURFACE_HEADER__PIXEL_SAMPLE_MASK_DW] >> (high_group ? 8 : 0) &
                  0xff); /* DP-227 */
   memset(y->param, 0, sizeof(y->param));
   y->viewed = false;
   for (unsigned p = 0; p < y->params; p++)
      memcpy(y->param[p], dp_in(d, p), EU_REG_SIZE);
}

/* DP-237, DP-238, DP-239, DP-240: what the parameters mean. False: out of bounds (DP-233). */
static bool
find_texel(const struct dp *d, struct typed *y, unsigned i, uint32_t *address)
{
   const struct surface *s = &d->s;
   uint32_t u = y->param[0][i], v = y->param[1][i], r = y->param[2][i], lod = 0;
   if (d->r.null)
      return false;
   if (s->type != SURFTYPE_BUFFER) {
      lod = y->param[3][i];
      if (lod >= s->levels || lod + s->min_lod > 14) /* DP-422 */
         return false;
      lod += s->min_lod;
   }
   if (!y->viewed || y->view.lod != lod)
      surface_view_make(&y->view, s, lod);
   y->viewed = true;
   if (y->view.line) { /* V is the array element, if anything */
      r = v;
      v = 0;
   }
   if (!surface_view_contains(&y->view, u, v, r))
      return false;
   r += y->view.first_layer; /* DP-421: also for typed messages, as drivers have it of Haswell */
   return r < y->view.depth && surface_view_address(&y->view, u, v, r, 0, address);
}

static bool
locate(struct dp *d, struct typed *y, unsigned i, uint32_t *address, enum sanitize_kind kind)
{
   d->channel = (uint8_t)i;
   if (find_texel(d, y, i, address))
      return true;
   const uint32_t texel[4] = {y->param[0][i], y->param[1][i], y->param[2][i], y->param[3][i]};
   d->texel = texel;
   dp_outside(d, i, 0, d->r.null ? 4 : d->s.info->bits / 8u, kind);
   d->texel = NULL;
   return false;
}

/* The slots of a mask that are inside. */
static uint32_t
locate_all(struct dp *d, struct typed *y, uint32_t mask, enum sanitize_kind kind)
{
   uint32_t inside = 0, address;
   for (unsigned i = 0; i < SLOTS; i++)
      if (mask >> i & 1 && locate(d, y, i, &address, kind)) {
         y->address[i] = address;
         inside |= 1u << i;
      }
   return inside;
}

static void
watch(struct dp *d, const struct typed *y, uint32_t mask, enum sanitize_kind kind)
{
   d->r.base = 0;
   if (__builtin_expect(d->sanitizer != NULL, 0))
      dp_watch_slots(d, y->address, SLOTS, mask, d->s.info->bits / 8u, kind);
}

enum sf_status
dp_typed_read(struct dp *d)
{
   struct hw_dp_typed_surface_descriptor desc;
   struct typed y;
   gen7_dp_typed_surface_descriptor_unpack(&desc, &d->m->desc);
   unsigned channels = ~desc.channel_mask & 15;
   uint32_t v[4][SLOTS] = {{0}}; /* DP-232: all channels 0 outside */
   if (!channels)
      return dp_reject(d, "DP-243", "the message reads no channel");
   if (!open_surface(d, FORMAT_TYPED_READ, "DP-216"))
      return SF_OK;
   unpack_slots(d, &y, 0, desc.slot_group);
   dp_expect(d, 1, dp_count4(channels), "DP-277");
   uint32_t inside = locate_all(d, &y, y.exec, SANITIZE_READ); /* DP-228 */
   watch(d, &y, inside, SANITIZE_READ);
   for (unsigned i = 0; i < SLOTS; i++) {
      uint8_t element[16];
      format_texel texel;
      uint32_t address = (uint32_t)y.address[i];
      if (!(inside >> i & 1))
         continue;
      d->channel = (uint8_t)i;
      if (is_r32(d->s.info)) {
         dp_load(d, address, &v[0][i], 4);
         v[3][i] = d->s.info->channel_class == FORMAT_CLASS_FLOAT ? FLOAT_ONE : 1; /* DP-234 */
         continue;
      }
      memset(element, 0, sizeof(element));
      dp_load(d, address, element, d->s.info->bits / 8);
      format_unpack(d->s.info, element, texel); /* DP-234 */
      for (unsigned c = 0; c < 4; c++)
         v[c][i] = texel[c];
   }
   for (unsigned c = 0, at = 0; c < 4; c++)
      if (channels >> c & 1)
         dp_put(dp_out(d, at++), v[c], y.exec);
   return SF_OK;
}

/* The channels that a format has. */
static unsigned
channels_of(const struct format_info *f)
{
   unsigned present = 0;
   for (unsigned c = 0; c < 4; c++)
      present |= (f->channel[c].type != CHANNEL_NONE) << c;
   return present;
}

/* Channels that the message leaves out keep their bits. */
static void
store_texel(struct dp *d, uint32_t address, const format_texel texel, unsigned channels)
{
   const struct format_info *f = d->s.info;
   unsigned size = f->bits / 8u;
   if (is_r32(f)) {
      if (channels & 1)
         dp_store(d, address, &texel[0], 4);
      return;
   }
   uint8_t element[16] = {0}, old[16] = {0};
   format_pack(f, texel, element);
   unsigned present = channels_of(f);
   if ((channels & present) != present) {
      dp_load(d, address, old, size);
      for (unsigned c = 0; c < 4; c++) {
         if (!(present >> c & 1) || channels >> c & 1)
            continue;
         for (unsigned bit = f->channel[c].start; bit < f->channel[c].start + f->channel[c].bits;
              bit++)
            element[bit / 8] =
                (uint8_t)((element[bit / 8] & ~(1u << bit % 8)) | (old[bit / 8] & (1u << bit % 8)));
      }
   }
   dp_store(d, address, element, size);
}

enum sf_status
dp_typed_write(struct dp *d)
{
   struct hw_dp_typed_surface_descriptor desc;
   struct typed y;
   gen7_dp_typed_surface_descriptor_unpack(&desc, &d->m->desc);
   unsigned channels = ~desc.channel_mask & 15, count = dp_count4(channels);
   if (!channels)
      return dp_reject(d, "DP-243", "the message writes no channel");
   if (!open_surface(d, FORMAT_TYPED_WRITE, "DP-217"))
      return SF_OK;
   unpack_slots(d, &y, count, desc.slot_group);
   dp_expect(d, 1 + count, d->m->rlen == 1, "DP-268");
   uint32_t inside = locate_all(d, &y, y.mask, SANITIZE_WRITE); /* DP-231 */
   if (!d->r.null && !(channels_of(d->s.info) & ~channels))
      watch(d, &y, inside, SANITIZE_WRITE);
   for (unsigned i = 0; i < SLOTS; i++) {
      format_texel texel = {0};
      if (!(inside >> i & 1))
         continue;
      d->channel = (uint8_t)i;
      for (unsigned c = 0, at = y.params; c < 4; c++)
         if (channels >> c & 1)
            texel[c] = dp_in(d, at++)[i];
      store_texel(d, (uint32_t)y.address[i], texel, channels);
   }
   return SF_OK;
}

enum sf_status
dp_typed_atomic(struct dp *d)
{
   struct hw_dp_typed_atomic_descriptor desc;
   struct typed y;
   gen7_dp_typed_atomic_descriptor_unpack(&desc, &d->m->desc);
   unsigned op = desc.atomic_operation_type, sources = dp_atomic_sources(op);
   uint32_t result[SLOTS] = {0};
   if (!op)
      return dp_reject(d, "DP-247", "atomic operation 0 is reserved");
   if (!open_surface(d, FORMAT_TYPED_ATOMIC, "DP-219"))
      return SF_OK;
   if (d->s.info->bits != 32)
      d->r.null = true;
   unpack_slots(d, &y, sources, desc.slot_group);
   dp_expect(d, 1 + sources, desc.return_data_control, "DP-266");
   d->exchanges = op == OP_MOV;
   uint32_t inside = locate_all(d, &y, y.mask, SANITIZE_ATOMIC);
   d->r.base = 0;
   for (unsigned i = 0; i < SLOTS; i++) {
      if (!(inside >> i & 1))
         continue;
      d->channel = (uint8_t)i;
      uint32_t *host = dp_atomic_host(d, y.address[i] & ~UINT64_C(3));
      if (host)
         result[i] = dp_atomic(host, op, sources > 0 ? dp_in(d, y.params)[i] : 0,
                               sources > 1 ? dp_in(d, y.params + 1)[i] : 0);
   }
   if (desc.return_data_control)
      dp_put(dp_out(d, 0), result, y.exec);
   dp_watch_exchanged(d, 0);
   return SF_OK;
}
