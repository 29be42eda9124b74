/* The 2D engine saved and loaded: see machine/snapshot.h. A blit in the middle is its command,
 * parsed again, and how many lines of it are drawn. */
#include "blitter/blt.h"

#include "machine/snapshot.h"

static void
rect(struct blt_rect *r, struct snapshot *s)
{
   SNAP_BETWEEN(s, r->x1, -32768, 65535);
   SNAP_BETWEEN(s, r->y1, -32768, 65535);
   SNAP_BETWEEN(s, r->x2, -32768, 65535);
   SNAP_BETWEEN(s, r->y2, -32768, 65535);
}

static void
setup(struct blt_setup *u, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct blt_setup, 40);
   SNAP(s, u->valid);
   SNAP(s, u->mono_pattern);
   SNAP(s, u->solid);
   SNAP(s, u->clipping);
   SNAP(s, u->source_transparent);
   SNAP(s, u->pattern_transparent);
   SNAP(s, u->tiled);
   SNAP(s, u->write_alpha);
   SNAP(s, u->write_rgb);
   SNAP_BELOW(s, u->depth, 4);
   SNAP(s, u->rop);
   SNAP_BETWEEN(s, u->pitch, -131072, 131071);
   SNAP(s, u->base);
   SNAP(s, u->background);
   SNAP(s, u->foreground);
   SNAP(s, u->pattern_base);
   SNAP_ARRAY(s, u->pattern_data);
}

/* What parsing reads from memory may have been drawn over since. */
static void
progress(struct blt *t, struct snapshot *s)
{
   snapshot_space(s, &t->space);
   SNAP_ARRAY(s, t->pattern_mono);
   SNAP_ARRAY(s, t->pattern_color);
   SNAP_BETWEEN(s, t->done, 0, (int64_t)t->rect.y2 - t->rect.y1);
   SNAP(s, t->by_line);
}

void
blitter_snapshot(struct blitter *b, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct blt, 424);
   SNAPSHOT_LOOKED_AT(struct blitter, 17952);
   struct cs_command c;
   snapshot_room(s, "BLIT");
   setup(&b->setup, s);
   rect(&b->clip, s);
   if (!cs_command_begun(b->dev->cs[BCS], &c))
      return;
   if (s->loading)
      snapshot_check(s, !s->refused && blt_parse(b, &c, &b->current), "a blit that draws nothing");
   if (!s->refused)
      progress(&b->current, s);
}
