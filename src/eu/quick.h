/* The fast path of common messages: what a send says of itself is settled when its kernel is
 * decoded, and a function is chosen for it. The function does the whole message, exactly as sf_send
 * would with nobody looking, or nothing. True: done, the response registers marked as written;
 * after an end of thread the caller stops the thread. False: nothing has been touched, the message
 * takes the slow path. exec_mask: as in struct sf_message. The host's floating-point modes are the
 * thread's: who needs others leaves the message to the slow path. */
#ifndef PERGOLA_EU_QUICK_H
#define PERGOLA_EU_QUICK_H

#include "eu/send.h"
#include "surface/cache.h"
#include "surface/decoded.h"
#include "surface/texture.h"
#include "surface/view.h"

struct sf_quick {
   sf_quick_fn fn;             /* NULL: there is no fast path */
   uint16_t payload, response; /* byte offsets in the GRF; the payload behind its header */
   uint8_t payload_B;          /* of it that is read; 0: all */
   uint8_t bti;
   uint8_t op;          /* of an atomic operation */
   uint8_t sources;     /* that it has */
   bool returns;        /* what it found */
   bool header;         /* lies before the payload: its dword 7 says which slots write */
   uint8_t parameters;  /* registers of addresses of a typed message: U, V, R, LOD */
   uint8_t channels;    /* that it reads or writes, a bit each */
   uint8_t slots;       /* the first of them in the header's mask */
   uint16_t capability; /* that the format must have, or is named */
   uint8_t like;        /* of a sampler message: its type if it had no reference */
   bool compares;       /* it has one: a register or pair before the payload */
   uint32_t texture;    /* its kind, surface and sampler; never 0 */
   uint32_t texture_B;  /* where struct sf_buffers has what those two are */
   uint16_t urb_offset; /* of a URB message, in rows of 32 bytes */
   bool urb_pairs;      /* it has two entries, interleaved */
   bool urb_slot_offsets, urb_ends;
   bool rules;        /* broken rules are named: what might break one takes the slow path */
   uint64_t marks[2]; /* registers of the response, a bit each */
   /* What generated code can do itself: one dword a slot of a raw buffer, no header … */
   uint8_t row;    /* registers of addresses, and of data behind them; 0: something else */
   uint8_t dwords; /* or several dwords are read for each slot: how many; 0: something else … */
   uint8_t rows;   /* … and registers of addresses */
   bool writes;
   bool texels;      /* typed: U and V; of reads red alone, of writes four channels */
   bool fetches;     /* the texels of 16 slots, one each: ld */
   bool ends;        /* the plain end of a GPGPU thread */
   bool last;        /* Last Render Target Select */
   bool ends_pixels; /* the only render target write of its thread, most likely: its last, which
                        ends it */
};

/* ---- surfaces by binding table index, as one host thread has met them in a walk ---- */

#define SF_TEXTURES 16u /* pairs of surface and sampler that a host thread remembers */
#define SF_TARGETS 8u   /* render targets that a host thread remembers */
#define SF_SAMPLES 8u   /* of their pixels, at most */

struct sf_target {
   bool known;
   uint8_t bti;
   struct surface_view view; /* of the level that is written; of several samples, the first one's */
   uint8_t samples;          /* more than one: each of them has a view of its own */
   bool controlled;          /* by a control surface: pixels have their samples in some slices */
   struct surface_view sample[SF_SAMPLES], control;
};

struct sf_buffers {
   uint32_t walk;
   uint32_t generation; /* of the surface cache */
   uint32_t table;      /* graphics address of the binding table */
   const struct mem_space *space;
   uint64_t known[4];             /* a bit each */
   struct surface_view view[256]; /* of the first level in reach; only where `known` */
   struct sf_target target[SF_TARGETS];
   struct texture texture[SF_TEXTURES];
   uint32_t samplers; /* graphics address of the sampler states that they are of */
   struct decoded_blocks decoded;
   struct eu_tally
       *tally; /* eu/tally.h: what the host thread's threads did; NULL: not counted yet */
};

/* Are they those of this thread? */
static inline bool
sf_buffers_good(const struct sf_buffers *b, const struct eu_thread *t)
{
   const struct eu_env *env = t->env;
   return b && b->space == env->space && b->table == env->surface_state_base + t->binding_table &&
          b->generation == __atomic_load_n(&env->dev->surfaces->generation, __ATOMIC_ACQUIRE);
}

/* Somebody wants to hear of messages or of memory, or the sanitizer is on. */
static inline bool
sf_observed(const struct eu_thread *t)
{
   const struct pergola_device *dev = t->env->dev;
   const uint32_t kinds = 1u << PERGOLA_EVENT_MESSAGE | 1u << PERGOLA_EVENT_MEMORY;
   return __builtin_expect(dev->trace.wanted & kinds || dev->surfaces->hazards || dev->sanitizer,
                           0);
}

#endif
