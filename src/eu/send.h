/* What a thread sends, and how the execution units reach the shared functions: by a table that they
 * are given when they are made. */
#ifndef PERGOLA_EU_SEND_H
#define PERGOLA_EU_SEND_H

#include "eu/eu.h"
#include "eu/isa/isa.h"

enum sfid {
   SFID_NULL = EU_SFID_NULL,
   SFID_SAMPLER = EU_SFID_SAMPLER,
   SFID_GATEWAY = EU_SFID_GATEWAY,
   SFID_DP_SAMPLER = EU_SFID_DP_SAMPLER, /* sampler cache data port */
   SFID_DP_RENDER = EU_SFID_RENDER,
   SFID_URB = EU_SFID_URB,
   SFID_THREAD_SPAWNER = EU_SFID_THREAD_SPAWNER,
   SFID_VME = EU_SFID_VME,
   SFID_DP_CONSTANT = EU_SFID_CONST,
   SFID_DP_DATA0 = EU_SFID_DATA,
   SFID_PIXEL_INTERPOLATOR = EU_SFID_PIXEL_INTERP,
   SFID_DP_DATA1 = EU_SFID_DATA1, /* Haswell */
};

struct sf_message {
   uint8_t sfid;
   bool eot, header;
   uint8_t mlen, rlen;     /* registers */
   uint8_t exec_size;      /* channels of the instruction */
   uint32_t desc;          /* as resolved, indirect or immediate */
   uint32_t exec_mask;     /* channels enabled, bit 0 = first channel of the instruction */
   const uint8_t *payload; /* mlen registers in the thread's GRF */
   uint8_t *response;      /* rlen registers in the thread's GRF, or NULL. May overlap the payload:
                              read what you need before the first write */
   uint32_t ip;            /* of the send, for diagnostics */
};

struct sf_quick;
/* The whole message, exactly as `send` does it with nobody looking, or nothing (false). */
typedef bool (*sf_quick_fn)(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

struct eu_shared {
   enum sf_status (*send)(struct eu_thread *t, const struct sf_message *m);
   /* The fast path of a message, settled when its kernel is decoded (eu/quick.h). response: first
    * register; EU_GRF_COUNT: null. desc: as resolved. False: there is none. */
   bool (*quick_select)(struct sf_quick *q, const struct pergola_device *dev, unsigned sfid,
                        uint32_t desc, bool eot, unsigned payload, unsigned response);
   sf_quick_fn quick_row; /* a message of rows by its fast path; where it went is remembered */
   /* Adds what such a message counts as, beside its clock. */
   void (*events)(unsigned sfid, uint32_t desc, uint8_t events[OA_INSTRUCTION_EVENTS]);
};

#endif
