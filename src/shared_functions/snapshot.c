/* Gateway and URB saved and loaded: see machine/snapshot.h. */
#include "machine/snapshot.h"

#include "shared_functions/gateway.h"
#include "shared_functions/urb.h"

static void
port(struct gateway_port *p, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct gateway_port, 2);
   SNAP(s, p->open);
   SNAP_BELOW(s, p->reg_base, EU_GRF_COUNT);
}

/* What MEDIA_VFE_STATE says has been told to it again. */
void
gateway_snapshot(struct gateway *g, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct gateway, 624);
   snapshot_room(s, "GATE");
   for (unsigned h = 0; h < EU_HALF_SLICES; h++)
      for (unsigned e = 0; e < EU_COUNT; e++)
         for (unsigned t = 0; t < EU_THREADS; t++)
            port(&g->port[h][e][t], s);
   SNAP(s, g->timer_start_ns);
   SNAP(s, g->absolute_start_ns);
   snapshot_bytes(s, g->barrier_byte, sizeof(g->barrier_byte));
}

void
urb_snapshot(struct urb *urb, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct urb, 144); /* areas are found when a draw begins (again) */
   snapshot_room(s, "URB ");
   snapshot_sparse(s, urb->data, urb->size_B);
}
