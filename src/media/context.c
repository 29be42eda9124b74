/* The VFE part of a context image (MEDIA-072): the state commands, and the walker that was
 * preempted, rewritten so that it continues. Behind them lies the gateway's relative time (SF-055).
 */
#include "media/ts.h"

#include <string.h>

enum {
   IMAGE_VFE = CS_MEDIA_DW(MEDIA_VFE_STATE),
   IMAGE_CURBE = CS_MEDIA_DW(MEDIA_CURBE_LOAD),
   IMAGE_DESCRIPTORS = CS_MEDIA_DW(MEDIA_INTERFACE_DESCRIPTOR_LOAD),
   IMAGE_WALKER = CS_MEDIA_DW(GPGPU_WALKER), /* or MEDIA_OBJECT_PRT */
   IMAGE_FLUSH = CS_MEDIA_DW(MEDIA_STATE_FLUSH),
};

void
media_context_save(const struct media *m, void *image)
{
   uint32_t dw[CS_MEDIA_LENGTH] = {0};
   const struct vfe *v = &m->vfe;
   if (v->programmed)
      memcpy(dw + IMAGE_VFE, v->vfe_dw, sizeof(v->vfe_dw));
   if (v->has_curbe)
      memcpy(dw + IMAGE_CURBE, v->curbe_dw, sizeof(v->curbe_dw));
   if (v->has_descriptors)
      memcpy(dw + IMAGE_DESCRIPTORS, v->descriptors_dw, sizeof(v->descriptors_dw));
   if (m->job.phase != GPGPU_NONE)
      gpgpu_job_rewrite(m, dw + IMAGE_WALKER);
   else if (m->ts->prt_seen) /* MEDIA-191: even if it ended, it may be started again */
      memcpy(dw + IMAGE_WALKER, m->ts->prt_dw, sizeof(m->ts->prt_dw));
   gen7_media_state_flush_pack(dw + IMAGE_FLUSH, &(struct hw_media_state_flush){0});
   uint64_t relative = m->dev->time_ns - m->dev->gateway->timer_start_ns;
   memcpy(dw + CS_MEDIA_TIMER, &relative, sizeof(relative));
   memcpy(image, dw, sizeof(dw));
}

static void
replay(struct media *m, const uint32_t *dw)
{
   const struct hw_command *desc = dw[0] ? hw_command_find(dw[0], HW_RCS, m->dev->hw_device) : NULL;
   if (!desc)
      return;
   struct cs_command c = {
       .cs = m->dev->cs[RCS],
       .dev = m->dev,
       .desc = desc,
       .dw = dw,
       .count_dw = desc->layout.length_dw,
       .space = device_data_space(m->dev, RCS),
   };
   uint64_t budget = 0; /* what starts threads is taken in here and run by what follows */
   if (desc->id == GEN7_MEDIA_OBJECT_PRT_ID)
      media_object_prt(m, &c, &budget, true);
   else
      media_command(m, &c, &budget);
}

void
media_context_restore(struct media *m, const void *image)
{
   uint32_t dw[CS_MEDIA_LENGTH];
   memcpy(dw, image, sizeof(dw));
   media_drop_work(m);
   memset(&m->vfe, 0, sizeof(m->vfe));
   vfe_tell_gateway(m);
   replay(m, dw + IMAGE_VFE);
   replay(m, dw + IMAGE_CURBE);
   replay(m, dw + IMAGE_DESCRIPTORS);
   replay(m, dw + IMAGE_WALKER);
   uint64_t relative;
   memcpy(&relative, dw + CS_MEDIA_TIMER, sizeof(relative));
   m->dev->gateway->timer_start_ns = m->dev->time_ns - relative;
}
