/* The logical context image of the render engine. */
#ifndef PERGOLA_CS_CONTEXT_H
#define PERGOLA_CS_CONTEXT_H

#include "cs/cs_internal.h"

/* Behind the image (RCS-154), still in its second page: what the table has no place for. */
#define CONTEXT_TAIL_DW 1728u
#define CONTEXT_TOTAL_DW 2048u
#define CONTEXT_MAGIC 0x58544350u
enum {
   TAIL_MAGIC,
   TAIL_CHECKSUM,
   TAIL_PARTS,
   TAIL_TIMER,
   TAIL_EXTRA = TAIL_TIMER + CS_MEDIA_TIMER_LENGTH
};

/* Dwords of an item in the image. */
static inline uint32_t
context_item_dwords(const struct hw_context_item *i)
{
   return i->kind == HW_CONTEXT_REGISTER ? 1 + 2u * i->size : i->size;
}

/* Writes and reads the private copy of an image, CONTEXT_TOTAL_DW dwords. */
void context_save(struct cs *cs, uint32_t *image, bool extended);
void context_restore(struct cs *cs, const uint32_t *image, bool extended);

#endif
