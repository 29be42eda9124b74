/* Entries of the URB: where a stage's lie. */
#include "render/draw.h"

#include "shared_functions/urb.h"

void
entries_find(struct render *r, struct entries *e, unsigned stage, uint32_t start_8k,
             uint32_t size_64, uint32_t count)
{
   static const char *const command[URB_STAGES] = {"3DSTATE_URB_VS", "3DSTATE_URB_HS",
                                                   "3DSTATE_URB_DS", "3DSTATE_URB_GS"};
   struct urb *urb = r->dev->urb;
   uint32_t size = urb_rows(urb) * URB_ROW_SIZE, start = start_8k * 8192u;
   uint32_t stride = (size_64 + 1) * 64u, room = start < size ? (size - start) / stride : 0;
   if (count > room) /* P3D-073 */
      render_report(r, PERGOLA_ERROR, "P3D-073",
                    "%s: entries of %u bytes (%u) at %u pass the end of the URB (%u bytes)",
                    command[stage], stride, count, start, size);
   *e = (struct entries){.data = urb->data + (start < size ? start : 0),
                         .stride_B = stride,
                         .first_handle = start / URB_HANDLE_UNIT,
                         .count = count < room ? count : room};
   uint32_t units = stride / URB_HANDLE_UNIT;
   urb->area[stage] = (struct urb_area){.first = e->first_handle,
                                        .units = e->count * units,
                                        .stride = units,
                                        .inverse = ((UINT64_C(1) << 32) + units - 1) / units};
}

void
entries_forget(struct render *r)
{
   memset(r->dev->urb->area, 0, sizeof(r->dev->urb->area));
   r->dev->urb->has_areas = true;
}
