/* Chroma of the deinterlace message: a value a pixel pair and line, whatever the input has. */
#include "shared_functions/sampler/vdi.h"

#include "machine/bounds.h"

/* An element of a chroma plane, picture coordinates of its own. */
static int
element(const struct vdi *d, enum vdi_frame f, unsigned which, int x, int y, bool fields)
{
   struct media_plane p;
   uint32_t address;
   uint8_t byte = 0;
   if (!media_surface_plane(&d->frame[f], which ? MEDIA_PLANE_U : MEDIA_PLANE_V, &p))
      return 128;
   x = int_between(0, x, (int)p.width - 1);
   y = fields ? vdi_line(y, (int)p.height) : int_between(0, y, (int)p.height - 1);
   if (!media_plane_address(&p, (uint32_t)x, (uint32_t)y, &address) ||
       !mem_read(d->in->t->env->space, address, &byte, 1))
      return 0;
   return byte;
}

int
vdi_blend(const struct vdi *d, unsigned motion, int temporal, int spatial)
{
   int low = (int)d->st.minimum_stmm, high = (int)d->st.maximum_stmm, m = (int)motion;
   if (m < low)
      return temporal;
   if (m > high)
      return spatial;
   int v = ((m - low) * spatial + (high - m) * temporal) >> d->st.stmm_output_shift;
   return v < 0 ? 0 : v < 255 ? v : 255; /* the limits are 2^shift apart, or it is reported */
}

/* SMP-511: 4:2:0 has a line of chroma for every second line of a field. Those in between come from
 * the lines around in the field, or from the fields before and after: the line that is nearest. */
uint8_t
vdi_chroma(const struct vdi *d, enum vdi_frame f, unsigned which, int x, int y, unsigned motion)
{
   struct media_plane p;
   int px = (d->x + x) / 2, py = d->y + y; /* 4:2:2 */
   if (d->x + x < 0)
      px = 0;
   if (!media_surface_plane(&d->frame[f], MEDIA_PLANE_U, &p))
      return 128;
   unsigned wide = p.width ? d->frame[f].width / p.width : 2,
            high = p.height ? d->frame[f].height / p.height : 1;
   if (wide == 4) { /* 4:1:1 */
      int left = element(d, f, which, px / 2, py, true);
      return (uint8_t)(px % 2 ? (left + element(d, f, which, px / 2 + 1, py, true)) / 2 : left);
   }
   if (high < 2)
      return (uint8_t)element(d, f, which, px, py, true);
   py = vdi_line(py, d->frame[f].height);
   int parity = py & 1, line = py >> 1, own = (line & ~1) + parity; /* its line, or the one above */
   if (!(line & 1))
      return (uint8_t)element(d, f, which, px, own, true);
   int spatial =
       (element(d, f, which, px, own, true) + element(d, f, which, px, own + 2, true)) / 2;
   if (!d->has_previous)
      return (uint8_t)spatial;
   int opposite = own + 1;
   int temporal = (element(d, VDI_PREVIOUS, which, px, opposite, true) +
                   element(d, VDI_CURRENT, which, px, opposite, true)) /
                  2;
   return (uint8_t)vdi_blend(d, motion, temporal, spatial);
}
