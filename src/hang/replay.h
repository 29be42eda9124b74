/* Runs what a capture holds on the model, from the start of the request that hung, and says whether
 * the model hangs at the same place. What was not captured is not there: who reads it is told. */
#ifndef PERGOLA_HANG_REPLAY_H
#define PERGOLA_HANG_REPLAY_H

#include "hang/capture.h"
#include "pergola/pergola.h"

struct replay_options {
   const char *part;    /* NULL: by the capture's PCI id */
   bool fill;           /* memory that was not captured reads as … */
   uint32_t fill_value; /* … this; else it is absent */
   uint64_t budget;     /* units; 0: a default */
   bool deterministic;  /* one order of execution for every program */
};

enum replay_verdict {
   REPLAY_REPRODUCED,     /* the model does not get past the captured place */
   REPLAY_NOT_REPRODUCED, /* it ends, or hangs elsewhere */
   REPLAY_UNDECIDABLE,    /* it needs memory that was not captured */
};

struct replay;

/* The part that the capture is of; NULL: it does not say, or it is none that is modelled. */
const char *replay_part(const struct capture *c);

/* NULL and a sentence in error: it cannot be set up. The capture must outlive it. */
struct replay *replay_create(const struct capture *c, const struct replay_options *o,
                             char error[160]);
void replay_destroy(struct replay *r);
struct pergola_device *replay_device(struct replay *r);
unsigned replay_engine(const struct replay *r); /* the one that hung: its index */

enum replay_verdict replay_run(struct replay *r);
enum pergola_run_result replay_result(const struct replay *r);

/* Pages that were read or written and not captured: the first ones, and how many. */
#define REPLAY_UNKNOWN 16u
struct replay_unknown {
   uint64_t address;
   bool ppgtt;
   bool written; /* and not read: it can be done without */
   bool bound;   /* an object of the capture's lists lies there */
};
unsigned replay_unknown(const struct replay *r, struct replay_unknown list[REPLAY_UNKNOWN]);
/* Whether a page is one of these: that the model does not find it says nothing of the GPU. */
bool replay_lacks(const struct replay *r, uint64_t address, bool ppgtt);

/* A register of the engine, as captured and as the model has it now. */
struct replay_register {
   const char *name;
   bool known; /* captured */
   uint64_t captured;
   uint32_t model;
   bool unknown; /* the model's is of memory that was not captured */
};
#define REPLAY_REGISTERS 20u
unsigned replay_registers(struct replay *r, struct replay_register list[REPLAY_REGISTERS]);

#endif
