/* Vertex fetch: from vertex buffers, through vertex elements, to a vertex in the URB. */
#include "render/draw.h"

#include <string.h>

enum { NOSTORE, STORE_SRC, STORE_0, STORE_1_FP, STORE_1_INT, STORE_VID, STORE_IID, STORE_PID };

/* G3D-091: where an element lies. False: part of it lies past the end of the buffer, and all of it
 * reads as 0. */
static bool
fetch(const struct draw *d, const struct gen7_vertex_element_state *e, uint32_t instance,
      uint32_t v, void *data, uint32_t size)
{
   const struct gen7_vertex_buffer_state *b = &d->buffer[e->vertex_buffer_index];
   const struct gen7_3dprimitive *p = &d->primitive;
   uint32_t index = p->start_vertex_location + v;
   if (b->buffer_access_type)
      index = p->start_instance_location +
              (b->instance_data_step_rate ? instance / b->instance_data_step_rate : 0);
   uint64_t at =
       b->buffer_starting_address + (uint64_t)index * b->buffer_pitch + e->source_element_offset;
   if (b->null_vertex_buffer || at + size - 1 > b->end_address)
      return false;
   return mem_read(d->env.space, (uint32_t)at, data, size);
}

void
vf_vertex(const struct draw *d, uint32_t instance, uint32_t v, struct vue *out)
{
   memset(out, 0, sizeof(*out));
   for (unsigned i = 0; i < d->elements; i++) {
      const struct gen7_vertex_element_state *e = &d->element[i];
      const struct format_info *f = format_get(e->source_element_format);
      uint32_t control[4] = {e->component_0_control, e->component_1_control, e->component_2_control,
                             e->component_3_control};
      uint8_t data[16] = {0};
      format_texel source = {0};
      if (fetch(d, e, instance, v, data, f->bits / 8u))
         format_unpack(f, data, source);
      for (unsigned k = 0; k < 4; k++) { /* G3D-090 */
         uint32_t *to = &out->slot[i][k];
         switch (control[k]) {
         case NOSTORE:
            break;
         case STORE_SRC:
            *to = source[k];
            break;
         case STORE_0:
            *to = 0;
            break;
         case STORE_1_FP:
            *to = 0x3f800000;
            break;
         case STORE_1_INT:
            *to = 1;
            break;
         case STORE_VID:
            *to = v;
            break; /* G3D-092: from 0, without the start */
         case STORE_IID:
            *to = instance;
            break;
         case STORE_PID:
            *to = v / 3;
            break;
         }
      }
   }
}
