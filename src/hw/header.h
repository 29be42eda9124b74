/* The first dword of a command: what tells commands apart. */
#ifndef PERGOLA_HW_HEADER_H
#define PERGOLA_HW_HEADER_H

#include "gen7_hw.h"

#define HW_GFX_OPCODE                                                                              \
   (GEN7_GFX_HEADER__SUBTYPE | GEN7_GFX_HEADER__OPCODE | GEN7_GFX_HEADER__SUB_OPCODE)
#define HW_MI_HEADER (GEN7_MI_HEADER__CLIENT | GEN7_MI_HEADER__OPCODE)
#define HW_2D_HEADER (GEN7_2D_HEADER__CLIENT | GEN7_2D_HEADER__OPCODE)
#define HW_GFX_HEADER (GEN7_GFX_HEADER__CLIENT | HW_GFX_OPCODE)

static inline enum hw_client
hw_client(uint32_t header)
{
   return hw_get(header, GEN7_MI_HEADER__CLIENT);
}

/* The bits that tell a client's commands apart; all of them when the client is a reserved one. */
static inline uint32_t
hw_header_mask(uint32_t header)
{
   switch (hw_client(header)) {
   case HW_CLIENT_MI:
      return HW_MI_HEADER;
   case HW_CLIENT_2D:
      return HW_2D_HEADER;
   case HW_CLIENT_GFX:
      return HW_GFX_HEADER;
   default:
      return UINT32_MAX;
   }
}

static inline bool
hw_is_media(uint32_t header)
{
   return hw_client(header) == HW_CLIENT_GFX &&
          hw_get(header, GEN7_GFX_HEADER__SUBTYPE) == GEN7_GFX_HEADER_SUBTYPE_MEDIA;
}

#endif
