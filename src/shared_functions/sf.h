/* What SEND reaches. A shared function knows nothing of the pipeline that made the thread. */
#ifndef PERGOLA_SF_H
#define PERGOLA_SF_H

#include "eu/eu.h"

enum sfid {
   SFID_NULL = 0,
   SFID_SAMPLER = 2,
   SFID_GATEWAY = 3,
   SFID_DP_SAMPLER = 4, /* sampler cache data port */
   SFID_DP_RENDER = 5,
   SFID_URB = 6,
   SFID_THREAD_SPAWNER = 7,
   SFID_VME = 8,
   SFID_DP_CONSTANT = 9,
   SFID_DP_DATA0 = 10,
   SFID_PIXEL_INTERPOLATOR = 11,
   SFID_DP_DATA1 = 12, /* Haswell */
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

enum sf_status {
   SF_OK,
   SF_FAULT, /* the thread cannot go on; reported */
};

enum sf_status sf_send(struct eu_thread *t, const struct sf_message *m);

/* The functions behind it, one file or room each. */
enum sf_status sf_sampler(struct eu_thread *t, const struct sf_message *m);
enum sf_status sf_gateway(struct eu_thread *t, const struct sf_message *m);
enum sf_status sf_dataport(struct eu_thread *t,
                           const struct sf_message *m); /* SFID 4, 5, 9, 10, 12 */
enum sf_status sf_urb(struct eu_thread *t, const struct sf_message *m);
enum sf_status sf_thread_spawner(struct eu_thread *t, const struct sf_message *m);
enum sf_status sf_vme(struct eu_thread *t, const struct sf_message *m);
enum sf_status sf_pixel_interpolator(struct eu_thread *t, const struct sf_message *m);

/* Diagnostic with the place of a message: engine EU, address of the send, subject "<what>". */
__attribute__((format(printf, 6, 7))) void
sf_report(struct eu_thread *t, const struct sf_message *m, enum pergola_severity severity,
          const char *rule, const char *subject, const char *format, ...);
#endif
