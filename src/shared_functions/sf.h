/* What SEND reaches. A shared function knows nothing of the pipeline that made the thread. */
#ifndef PERGOLA_SF_H
#define PERGOLA_SF_H

#include "eu/quick.h"
#include "eu/send.h"
#include "surface/media_surface.h"

/* All of them, for the execution units. */
extern const struct eu_shared sf_functions;

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

/* Adds what a message counts as (oa/events.h), beside its clock. */
void sf_events(unsigned sfid, uint32_t desc, uint8_t events[OA_INSTRUCTION_EVENTS]);

/* DP-310: a message reads or writes through a cache (enum hazard_cache); somebody wants to know
 * whether that is safe (hazard_on). */
void sf_hazard(struct eu_thread *t, const struct sf_message *m, unsigned cache, uint32_t address,
               unsigned size, bool write);
/* Reports what the state of a media surface breaks, for the message that uses it. */
void media_surface_report(const struct media_surface *s, enum media_user user, struct eu_thread *t,
                          const struct sf_message *m);

/* Diagnostic with the place of a message: engine EU, address of the send, subject "<what>". */
__attribute__((format(printf, 6, 7))) void
sf_report(struct eu_thread *t, const struct sf_message *m, enum pergola_severity severity,
          const char *rule, const char *subject, const char *format, ...);
#endif
