/* The short way of common messages: what a send says of itself is settled when its kernel is
 * decoded, and a function is chosen for it. The function does the whole message, exactly as sf_send
 * would with nobody looking, or nothing. */
#ifndef PERGOLA_SF_QUICK_H
#define PERGOLA_SF_QUICK_H

#include "device/host.h"
#include "eu/eu.h"
#include "shared_functions/slice.h"
#include "surface/cache.h"

struct sf_quick;

/* True: done, the response registers marked as written; after an end of thread the caller stops the
 * thread. False: nothing has been touched, the message takes the long way. exec_mask: as in struct
 * sf_message. The host's floating-point modes are the thread's: who needs others leaves the message
 * to the long way. */
typedef bool (*sf_quick_fn)(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

struct sf_quick {
   sf_quick_fn fn;             /* NULL: there is no short way */
   uint16_t payload, response; /* byte offsets in the GRF; the payload behind its header */
   uint8_t bti;
   uint8_t op;          /* of an atomic operation */
   uint8_t sources;     /* that it has */
   bool returns;        /* what it found */
   bool header;         /* lies before the payload: its dword 7 says which slots write */
   uint8_t parameters;  /* registers of addresses of a typed message: U, V, R, LOD */
   uint8_t channels;    /* that it reads or writes, a bit each */
   uint8_t slots;       /* the first of them in the header's mask */
   uint16_t capability; /* that the format must have, or is named */
   bool rules;          /* broken rules are named: what might break one takes the long way */
   uint64_t marks[2];   /* registers of the response, a bit each */
   /* What generated code can do itself: one dword a slot of a raw buffer, no header. */
   uint8_t row; /* registers of addresses, and of data behind them; 0: something else */
   bool writes;
   bool ends;        /* the plain end of a GPGPU thread */
   bool ends_pixels; /* the only render target write of its thread, most likely: its last, which
                        ends it */
};

/* response: first register; EU_GRF_COUNT: null. desc: as resolved. False: no short way for such a
 * message. */
bool sf_quick_select(struct sf_quick *q, const struct pergola_device *dev, unsigned sfid,
                     uint32_t desc, bool eot, unsigned payload, unsigned response);

/* ---- surfaces by binding table index, as one host thread has met them in a walk ---- */

struct sf_buffer {
   uint32_t base, size; /* raw: all of it below 4 GiB; size 0: nothing that the short way knows */
   uint32_t block_size; /* for OWord blocks, which take buffers of any format; 0: long way */
};

/* One level of an image, or a buffer of texels: elements of 1, 2, 4, 8 or 16 bytes that lie in one
 * page each, all of them below 2 GiB. */
struct sf_image {
   uint32_t base;
   uint32_t last[3];  /* U, V and R that are inside */
   uint32_t step_B;   /* from one U to the next */
   uint32_t x_B, row; /* of the first element, from the base */
   uint32_t slice;    /* rows from one R to the next */
   uint32_t pitch_B;
   uint8_t tiling; /* enum mem_tiling */
   uint8_t size_B; /* of an element; 0: nothing that the short way knows */
   bool line;      /* has no rows: V, if anything, is the slice */
   bool red;       /* one channel that needs no conversion but to 32 bits */
   uint8_t packed; /* channels that there are, if elements can be packed from them; else 0 */
   const struct format_info *format;
};

/* A part of a surface whose pages are translated and lie side by side. A row of 32 or 64 bytes lies
 * inside if the distance of its offset from the start is below the limit for its size. All zeros:
 * none does. */
struct sf_window {
   uint32_t start;    /* offset in the surface, modulo 2^32 */
   uint32_t limit[3]; /* of rows of one and of two registers, and of elements of an image */
   uint8_t *host;
};

struct sf_buffers {
   uint32_t walk;
   uint32_t generation; /* of the surface cache */
   uint32_t table;      /* graphics address of the binding table */
   const struct mem_space *space;
   uint64_t known[4];            /* a bit each */
   struct sf_buffer buffer[256]; /* all zeros: it is none */
   struct sf_image image[256];   /* likewise */
   struct sf_window window[256]
                          [2]; /* of the last row that was read, and written; only where `known` */
   struct sf_slice slices[2][SF_SLICES]; /* by enum sf_slice_use */
};

/* A walk begins, or goes on: what another one has left is forgotten. */
static inline void
sf_buffers_walk(struct sf_buffers *b, uint32_t walk)
{
   if (b->walk == walk)
      return;
   b->walk = walk;
   b->space = NULL;
}
/* Translations may have changed. */
void sf_windows_forget(struct sf_buffers *b);
/* A message of rows by its short way; where it went is remembered. */
bool sf_quick_row(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
/* What can be reached around the first slot of a row, or this byte of an image, without another
 * question. The surface is `known`. */
void sf_window_row(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access);
void sf_window_image(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access);

/* The first byte behind texels of which this one, in bytes and rows from the base, is the last;
 * tiles count as a whole. 2 GiB and more: nowhere. */
uint64_t sf_texels_end(const struct surface *s, uint64_t x_B, uint64_t row);
/* A surface that has been unpacked before; else the long way does it, and names what is wrong. */
bool sf_surface_read(const struct eu_thread *t, unsigned bti, struct surface *s);
/* They are to be those of this thread: what another one has left is forgotten. */
void sf_buffers_turn(struct sf_buffers *b, const struct eu_thread *t);
/* What the short ways have of a surface; all zeros where it has not been unpacked before. It is
 * remembered when the thread has where to. */
struct sf_surface {
   struct sf_buffer buffer;
   struct sf_image image;
};
struct sf_surface sf_surface_find(const struct eu_thread *t, unsigned bti);

/* Are they those of this thread? */
static inline bool
sf_buffers_good(const struct sf_buffers *b, const struct eu_thread *t)
{
   const struct eu_env *env = t->env;
   return b && b->space == env->space && b->table == env->surface_state_base + t->binding_table &&
          b->generation == __atomic_load_n(&env->dev->surfaces->generation, __ATOMIC_ACQUIRE);
}

static inline bool
sf_surface_known(const struct eu_thread *t, unsigned bti)
{
   const struct sf_buffers *b = t->buffers;
   return __builtin_expect(sf_buffers_good(b, t) && b->known[bti / 64] >> bti % 64 & 1, 1);
}

static inline struct sf_buffer
sf_buffer_of(const struct eu_thread *t, unsigned bti)
{
   return sf_surface_known(t, bti) ? t->buffers->buffer[bti] : sf_surface_find(t, bti).buffer;
}

/* The slice behind a binding table index, or NULL: there is no short way to it. slice: array
 * element or z, as the message has it. */
struct sf_slice *sf_slice_find(const struct eu_thread *t, enum sf_slice_use use, unsigned bti,
                               uint32_t slice);

static inline struct sf_slice *
sf_slice_of(const struct eu_thread *t, enum sf_slice_use use, unsigned bti, uint32_t slice)
{
   struct sf_buffers *b = t->buffers;
   struct sf_slice *m = b ? &b->slices[use][bti % SF_SLICES] : NULL;
   if (__builtin_expect(sf_buffers_good(b, t) && m->known && m->bti == bti && m->slice == slice, 1))
      return m->width ? m : NULL;
   return sf_slice_find(t, use, bti, slice);
}

/* ---- for the functions themselves ---- */

/* The function for a message to this unit, or NULL. */
sf_quick_fn dp_quick_select(struct sf_quick *q, unsigned sfid, uint32_t desc, bool eot);
sf_quick_fn sampler_quick_select(struct sf_quick *q, uint32_t desc, bool eot);
sf_quick_fn gateway_quick_select(const struct sf_quick *q, uint32_t desc, bool eot);
sf_quick_fn spawner_quick_select(struct sf_quick *q, uint32_t desc, bool eot);

/* Somebody wants to hear of messages or of memory. */
static inline bool
sf_observed(const struct eu_thread *t)
{
   const struct pergola_device *dev = t->env->dev;
   const uint32_t kinds = 1u << PERGOLA_EVENT_MESSAGE | 1u << PERGOLA_EVENT_MEMORY;
   return __builtin_expect(dev->trace.wanted & kinds || dev->surfaces->hazards, 0);
}

static inline void
sf_quick_mark(struct eu_thread *t, const struct sf_quick *q)
{
   t->initialised[0] |= q->marks[0];
   t->initialised[1] |= q->marks[1];
}

#endif
