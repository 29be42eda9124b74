/* Stream-in: nine major shapes of each record. Stream-out stands in result.c. */
#include "tests/vme/reference/reference.h"

/* VME-374 to VME-378 */
static void
streamed(const uint32_t in[2][8], int block, int *distortion, struct ref_vector *v)
{
   static const int place[9] = {8, 0, 1, 2, 3, 4, 5, 6, 7}; /* 16-bit fields of the first phase */
   int i = place[block];
   uint32_t raw = in[0][i / 2] >> (i % 2 ? 16 : 0);
   bool wide = block >= REF_16X8 && block < REF_8X8;
   *distortion = (int)(raw & (wide ? 0x7fff : 0x3fff));
   uint32_t dw = block == REF_16X16 ? in[0][5] : in[1][block - 1];
   v->x = (int16_t)(dw & 0xffff);
   v->y = (int16_t)(dw >> 16);
}

/* VME-169, VME-121: compared with the local value as it would be streamed out. */
void
ref_stream_in(struct ref_call *c)
{
   if (!c->f.stream_in)
      return;
   for (int r = 0; r < (c->f.two_references ? 2 : 1); r++)
      for (int i = 0; i < REF_8X4; i++) {
         int distortion, worst = i >= REF_16X8 && i < REF_8X8 ? 0x7fff : 0x3fff;
         struct ref_vector v;
         streamed(&c->q->in[5 + 2 * r], i, &distortion, &v);
         struct ref_entry *e = &c->record[r].e[i];
         if (distortion < (e->cost < worst ? e->cost : worst))
            *e = (struct ref_entry){.cost = distortion, .v = v, .center = r, .streamed = true};
      }
}
