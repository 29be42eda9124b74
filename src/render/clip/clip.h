/* Private to src/render: the codes of clipping. */
#ifndef PERGOLA_RENDER_CLIP_H
#define PERGOLA_RENDER_CLIP_H

#include "render/draw.h"

enum {
   CLIP_NORMAL = GEN7_3DSTATE_CLIP_CLIP_MODE_NORMAL,
   CLIP_REJECT_ALL = GEN7_3DSTATE_CLIP_CLIP_MODE_REJECT_ALL,
   CLIP_ACCEPT_ALL = GEN7_3DSTATE_CLIP_CLIP_MODE_ACCEPT_ALL,
};

/* A bit for each plane that a vertex is outside of. */
enum {
   OUT_VIEW = 0xf, /* x < -w, x > w, y < -w, y > w */
   OUT_NEAR = 1 << 4,
   OUT_FAR = 1 << 5,
   OUT_GUARD = 0xf << 6, /* in the same order */
   OUT_W = 1 << 10,      /* 1/w is negative */
   OUT_CLIP = 0xff << 11,
   OUT_CULL = 0xff << 19,
   OUT_BAD = 1 << 30,
   OUT_MUST = OUT_NEAR | OUT_FAR | OUT_GUARD | OUT_W | OUT_CLIP,
};

/* The code of a vertex in a viewport. */
uint32_t clip_code(struct render *r, const struct vertex *v, unsigned viewport);

#endif
