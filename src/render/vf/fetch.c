/* From vertex buffers, through vertex elements, to a vertex in the URB. */
#include "render/draw.h"

#include "machine/float_bits.h"
#include "surface/format.h"

#define CONTROL(name) GEN7_VERTEX_COMPONENT_CONTROL_##name

#define WINDOW_PAGES 256u /* that are looked at ahead */

/* ---- the plan ---------------------------------------------------------------------------------
 */

/* Channels of 32 bits from the first on, taken as they are: how many. */
static unsigned
whole_words(const struct format_info *f)
{
   unsigned n = 0;
   for (; n < 4 && f->channel[n].type != CHANNEL_NONE; n++) {
      const struct format_channel *c = &f->channel[n];
      if (c->bits != 32 || c->start != 32 * n ||
          (c->type != CHANNEL_FLOAT && c->type != CHANNEL_UINT && c->type != CHANNEL_SINT))
         return 0;
   }
   return f->bits == 32 * n ? n : 0;
}

/* P3D-045: which components come from where. */
static void
plan_components(struct vf *vf, struct vf_element *e, const uint32_t control[4])
{
   for (unsigned k = 0; k < 4; k++) {
      bool id = control[k] >= CONTROL(STORE_VID);
      e->source[k] = control[k] == CONTROL(STORE_SRC) ? UINT32_MAX : 0;
      e->constant[k] =
          control[k] == CONTROL(STORE_1_FP) ? FLOAT_ONE : control[k] == CONTROL(STORE_1_INT);
      e->id[k] = id ? (uint8_t)control[k] : 0;
      e->reads |= control[k] == CONTROL(STORE_SRC);
      e->ids |= id;
      vf->stores_primitive_id |= control[k] == CONTROL(STORE_PID);
   }
}

static void
plan_element(struct render *r, unsigned i)
{
   struct vf *vf = &r->vf;
   const struct hw_vertex_element_state *s = &r->state.element[i];
   const struct format_info *f = format_get(s->source_element_format);
   struct vf_element *e = &vf->element[i];
   const uint32_t control[4] = {s->component_0_control, s->component_1_control,
                                s->component_2_control, s->component_3_control};
   *e = (struct vf_element){.format = f,
                            .buffer = (uint8_t)s->vertex_buffer_index,
                            .offset = s->source_element_offset,
                            .size_B = (uint8_t)(f->bits / 8),
                            .words = (uint8_t)whole_words(f)};
   /* P3D-048: 0, 0, 0, 1. */
   e->absent[3] = f->channel_class == FORMAT_CLASS_FLOAT ? FLOAT_ONE : 1;
   plan_components(vf, e, control);
   e->edge_flag = s->edge_flag_enable && i + 1 == r->state.elements; /* P3D-057 */
   for (unsigned k = 1; k < 4; k++)
      if (control[k] && !control[k - 1])
         render_report(r, PERGOLA_WARNING, "P3D-047",
                       "vertex element %u: component %u is stored, the one before it is not", i, k);
   if (s->edge_flag_enable && !e->edge_flag)
      render_report(r, PERGOLA_WARNING, "P3D-058",
                    "vertex element %u has the edge flag, and is not the last", i);
   bool plain = f->layout == FORMAT_PLAIN && f->capabilities & FORMAT_VERTEX;
   if (e->reads && !plain) {
      render_report(r, PERGOLA_ERROR, "P3D-055",
                    "vertex element %u: format %s is not for vertices; it reads 0", i,
                    f->name[0] ? f->name : "(reserved)");
      e->reads = false;
   }
   if (e->reads && (e->buffer >= VERTEX_BUFFERS || !(r->state.has_buffer >> e->buffer & 1) ||
                    !r->state.buffer[e->buffer].address_modify_enable)) {
      if (e->buffer >= VERTEX_BUFFERS || !r->state.buffer[e->buffer].null_vertex_buffer)
         render_report(r, PERGOLA_WARNING, "P3D-042",
                       "vertex element %u: buffer %u has no address; it reads 0", i, e->buffer);
      e->reads = false;
   }
}

/* What vf_fetch can do without looking at it component by component. */
static void
plan_quick(struct render *r, struct vf_element *e)
{
   const struct hw_vertex_buffer_state *b = &r->state.buffer[e->reads ? e->buffer : 0];
   e->quick =
       !e->ids && (!e->reads || (e->words && !b->buffer_access_type && !b->null_vertex_buffer &&
                                 b->end_address >= b->buffer_starting_address));
   for (unsigned k = 0; k < 4; k++) {
      bool read = e->reads && k < e->words;
      e->mask[k] = read ? e->source[k] : 0;
      e->fill[k] = e->constant[k] | (e->reads && !read ? e->source[k] & e->absent[k] : 0);
   }
}

void
vf_state_changed(struct render *r)
{
   struct vf *vf = &r->vf;
   vf->elements = r->state.elements;
   vf->stores_primitive_id = false;
   for (unsigned i = 0; i < vf->elements; i++) {
      plan_element(r, i);
      plan_quick(r, &vf->element[i]);
   }
   vf->slots = vf->elements;
   if (vf->slots && vf->element[vf->slots - 1].edge_flag)
      vf->slots--;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Pages from this address on that are translated and lie side by side. False: the first is not. */
static bool
look(struct render *r, struct vf_window *w, uint32_t address)
{
   uint32_t page = address & ~(MEM_PAGE_SIZE - 1);
   const uint8_t *host = mem_look_up(r->env.space, page, MEM_READ);
   uint32_t size = MEM_PAGE_SIZE;
   if (!host)
      return false;
   while (size < WINDOW_PAGES * MEM_PAGE_SIZE &&
          mem_look_up(r->env.space, page + size, MEM_READ) == host + size)
      size += MEM_PAGE_SIZE;
   *w = (struct vf_window){.start = page, .size = size, .host = host};
   return true;
}

/* The bytes of an element; `copy` has room where they do not lie side by side. */
static const uint8_t *
bytes_at(struct render *r, unsigned buffer, uint32_t address, uint32_t size, uint8_t *copy)
{
   struct vf_window *w = &r->vf.window[buffer];
   uint32_t at = address - w->start;
   if (__builtin_expect(at < w->size && size <= w->size - at, 1))
      return w->host + at;
   if (look(r, w, address) && size <= w->size - (address - w->start))
      return w->host + (address - w->start);
   mem_read(r->env.space, address, copy, size); /* what faults is reported, and reads as 0 */
   return copy;
}

/* P3D-039, P3D-040: NULL: any byte of it lies outside the buffer. */
static const uint8_t *
element_bytes(struct render *r, const struct vf_element *e, uint32_t index, uint8_t *copy)
{
   const struct hw_vertex_buffer_state *b = &r->state.buffer[e->buffer];
   const struct vf *vf = &r->vf;
   if (b->buffer_access_type) /* P3D-036 */
      index = vf->start_instance +
              (b->instance_data_step_rate ? vf->instance / b->instance_data_step_rate : 0);
   int64_t at =
       (int64_t)b->buffer_starting_address + (int64_t)(int32_t)index * b->buffer_pitch + e->offset;
   if (b->null_vertex_buffer || at < b->buffer_starting_address)
      return NULL;
   /* Drivers let a buffer begin before address 0 when its first vertices are not used. */
   if (at > UINT32_MAX && b->end_address < b->buffer_starting_address)
      at -= INT64_C(1) << 32;
   if (at + e->size_B - 1 > b->end_address)
      return NULL;
   return bytes_at(r, e->buffer, (uint32_t)at, e->size_B, copy);
}

/* ---- vertices ---------------------------------------------------------------------------------
 */

static uint32_t
id_of(const struct render *r, unsigned control, uint32_t id, uint32_t primitive_id)
{
   return control == CONTROL(STORE_VID)   ? id
          : control == CONTROL(STORE_IID) ? r->vf.instance
                                          : primitive_id;
}

static void
fetch_element(struct render *r, const struct vf_element *e, uint32_t index, uint32_t id,
              uint32_t primitive_id, uint32_t out[4])
{
   uint8_t copy[32] = {0};
   const uint8_t *bytes = e->reads ? element_bytes(r, e, index, copy) : NULL;
   format_texel source = {0};
   if (bytes && e->words) {
      memcpy(source, e->absent, sizeof(source));
      memcpy(source, bytes, e->words * 4u);
   } else if (bytes) {
      format_unpack(e->format, bytes, source);
   }
   for (unsigned k = 0; k < 4; k++)
      out[k] = (source[k] & e->source[k]) | e->constant[k];
   for (unsigned k = 0; k < 4 && e->ids; k++)
      if (e->id[k])
         out[k] = id_of(r, e->id[k], id, primitive_id);
}

/* Four components, in the host's registers; words lie in memory from the lowest on. */
typedef uint32_t four_words __attribute__((vector_size(16), may_alias));
typedef uint64_t two_longs __attribute__((vector_size(16)));

/* False: it has to be looked at closely. */
static inline bool
fetch_quickly(const struct render *r, const struct vf_element *e, uint32_t index, uint32_t *out)
{
   four_words read = {0, 0, 0, 0};
   if (e->reads) {
      const struct hw_vertex_buffer_state *b = &r->state.buffer[e->buffer];
      const struct vf_window *w = &r->vf.window[e->buffer];
      int64_t at = (int64_t)(int32_t)index * b->buffer_pitch + e->offset;
      uint64_t size = (uint64_t)b->end_address - b->buffer_starting_address + 1,
               from = (uint64_t)b->buffer_starting_address + (uint64_t)at - w->start;
      if (at < 0 || (uint64_t)at + e->size_B > size || from >= w->size ||
          e->size_B > w->size - from)
         return false;
      const uint8_t *bytes = w->host + from;
      uint64_t two;
      uint32_t one;
      switch (e->words) {
      case 1:
         memcpy(&one, bytes, 4);
         read[0] = one;
         break;
      case 2:
         memcpy(&two, bytes, 8);
         read = (four_words)(two_longs){two, 0};
         break;
      case 3:
         memcpy(&two, bytes, 8);
         memcpy(&one, bytes + 8, 4);
         read = (four_words)(two_longs){two, one};
         break;
      default:
         memcpy(&read, bytes, 16);
      }
   }
   read = (read & *(const four_words *)e->mask) | *(const four_words *)e->fill;
   memcpy(out, &read, sizeof(read));
   return true;
}

/* An element of many vertices. */
static inline void
fetch_column(struct render *r, unsigned i, uint32_t from, const uint32_t *id, uint32_t primitive_id,
             struct vertex *out, unsigned count)
{
   const struct vf_element *e = &r->vf.element[i];
   for (unsigned k = 0; k < count; k++)
      if (!e->quick || !fetch_quickly(r, e, from + id[k], out[k].vue + 4 * i))
         fetch_element(r, e, from + id[k], id[k], primitive_id, out[k].vue + 4 * i);
}

void
vf_fetch(struct render *r, uint32_t from, const uint32_t *id, uint32_t primitive_id,
         struct vertex *out, unsigned count)
{
   struct vf *vf = &r->vf;
   unsigned slots = vf->slots < out->vue_slots ? vf->slots : out->vue_slots; /* P3D-079 */
   for (unsigned i = 0; i < slots; i++)                                      /* P3D-044 */
      fetch_column(r, i, from, id, primitive_id, out, count);
   for (unsigned k = 0; k < count; k++) {
      render_forget(r, &out[k]);
      for (unsigned i = slots; i < out->vue_slots; i++) /* P3D-046 */
         memset(out[k].vue + 4 * i, 0, 16);
      out[k].edge_flag = true;
      if (vf->slots < vf->elements) {
         uint32_t flag[4];
         fetch_element(r, &vf->element[vf->slots], from + id[k], id[k], primitive_id, flag);
         out[k].edge_flag = flag[0] != 0;
      }
   }
}
