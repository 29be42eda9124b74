/* Rules of the pixel back end. */
#include "render/pixel_private.h"

#include "rules/plural.h"

/* P3D-314 */
void
pixel_check_rectangles(const struct pixel *p, const struct hw_3dstate_wm *wm)
{
   struct rule_place place = {.engine = "RCS", .subject = "3DSTATE_WM"};
   unsigned bits = wm->depth_buffer_clear + wm->depth_buffer_resolve_enable +
                   wm->hierarchical_depth_buffer_resolve_enable;
   if (!bits)
      return;
   if (bits > 1)
      rule_report(p->dev, PERGOLA_ERROR, "P3D-314", &place,
                  "more than one of depth clear, depth resolve and hierarchical depth resolve");
   place.field = "Thread Dispatch Enable";
   if (wm->thread_dispatch_enable)
      rule_report(p->dev, PERGOLA_ERROR, "P3D-314", &place,
                  "a clear or resolve of depth with Thread Dispatch Enable; there are no threads");
}

/* P3D-314: blocks of 8x4 samples. */
void
pixel_check_place(const struct pixel *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   int32_t across = p->samples == 8 ? 2 : p->samples == 4 ? 4 : 8, down = p->samples == 1 ? 4 : 2;
   struct rule_place place = {.engine = "WM", .subject = "3DPRIMITIVE"};
   if (x0 % across || x1 % across || y0 % down || y1 % down)
      rule_report(
          p->dev, PERGOLA_WARNING, "P3D-314", &place,
          "a clear or resolve of depth from %d,%d to %d,%d is not made of blocks of %d by %d", x0,
          y0, x1, y1, across, down);
}

/* What the colour calculator has a field for, and the manuals no arithmetic: told, and left out. */
void
pixel_check_unmodelled(const struct pixel *p)
{
   struct rule_place place = {.engine = "WM", .subject = "COLOR_CALC_STATE"};
   if (p->cc.round_disable_function_disable)
      rule_report(p->dev, PERGOLA_WARNING, "G3D-078", &place,
                  "Round Disable Function Disable has no effect here");
   place.subject = "BLEND_STATE";
   if (p->blend[0].alphatocoverage_enable && p->blend[0].alphatocoverage_dither_enable)
      rule_report(p->dev, PERGOLA_NOTE, "G3D-076", &place,
                  "AlphaToCoverage Dither Enable has no effect here: coverage goes by alpha alone");
}

static const struct {
   uint8_t bit;
   uint8_t severity;
   const char *rule, *text;
} target_rules[] = {
    {CC_LOGIC_FORMAT, PERGOLA_ERROR, "P3D-345",
     "a logic operation on a target that is no UNORM; it is left out"},
    {CC_LOGIC_BLEND, PERGOLA_ERROR, "P3D-346",
     "blending and a logic operation; the logic operation is done"},
    {CC_NO_BLEND, PERGOLA_ERROR, "P3D-347", "the format cannot be blended; blending is left out"},
    {CC_CLAMP, PERGOLA_WARNING, "P3D-342", "the colour clamps do not fit a format of fixed point"},
    {CC_FACTOR, PERGOLA_ERROR, "P3D-336",
     "a reserved blend factor or function counts as ZERO, or ADD"},
};

void
pixel_check_target(const struct pixel_worker *w, const struct rt_write *m,
                   const struct cc_target *t)
{
   struct rule_place place = {.engine = "WM", .subject = "BLEND_STATE"};
   if (m->surface.samples != w->p->samples && m->surface.type != SURFTYPE_NULL) /* P3D-264 */
      rule_report(w->p->dev, PERGOLA_ERROR, "P3D-264", &place,
                  "a target of %u sample%s a pixel, where 3DSTATE_MULTISAMPLE has %u",
                  m->surface.samples, plural(m->surface.samples), w->p->samples);
   for (unsigned i = 0; i < sizeof(target_rules) / sizeof(target_rules[0]); i++)
      if (t->rules & target_rules[i].bit)
         rule_report(w->p->dev, target_rules[i].severity, target_rules[i].rule, &place,
                     "entry %u on %s: %s", m->render_target_index, t->format->name,
                     target_rules[i].text);
}
