/* The rule engine: an illegal or unknown thing is named, with its place and its rule. */
#ifndef PERGOLA_RULES_H
#define PERGOLA_RULES_H

#include "pergola/pergola_trace.h"

#include <stdarg.h>

struct rules;

/* One row of the ledger, compiled in (generated; sorted by id). */
struct ledger_row {
   const char *id, *unit, *kind, *title, *requirement, *source, *status, *decision;
};
extern const struct ledger_row ledger_rows[];
extern const size_t ledger_row_count;
const struct ledger_row *ledger_find(const char *id);

/* Where something was found. Every member may be left zero. */
struct rule_place {
   const char *engine;
   const char *subject;
   const char *field;
   uint64_t address;
   bool has_address;
   bool has_other; /* other: address of a second instruction */
   uint64_t other;
};

struct rules *rules_create(struct pergola_device *dev, enum pergola_check level);
void rules_destroy(struct rules *r);

/* Cheap question before an expensive check. */
bool rules_on(const struct pergola_device *dev);
/* True once a broken rule has asked the engines to stop (level stop). */
bool rules_stopped(const struct pergola_device *dev);
/* Where that stands, for who asks often: read it atomically. */
const bool *rules_stop_flag(const struct pergola_device *dev);
void rules_clear_stop(struct pergola_device *dev);
void rules_mute(struct pergola_device *dev, bool mute);
struct snapshot;
void rules_snapshot(struct rules *r, struct snapshot *s);

/* Reports. `rule` is a ledger id. NOTE, WARNING and ERROR are dropped when the level is off; FATAL
 * never is. Safe from any host thread of the device. Equal diagnostics are counted, not repeated.
 */
__attribute__((format(printf, 5, 6))) void
rule_report(struct pergola_device *dev, enum pergola_severity severity, const char *rule,
            const struct rule_place *place, const char *format, ...);

/* The same for what was asked for by itself: it is not dropped at any level. */
__attribute__((format(printf, 5, 6))) void
rule_finding(struct pergola_device *dev, enum pergola_severity severity, const char *rule,
             const struct rule_place *place, const char *format, ...);
/* Has an equal one been reported? Then it is counted once more: for those whose text is expensive.
 */
bool rule_repeated(struct pergola_device *dev, enum pergola_severity severity, const char *rule,
                   const struct rule_place *place);

#endif
