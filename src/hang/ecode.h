/* The code of a GPU hang, as the kernel prints it: the header of the command in hand (IPEHR) xor
 * the units that are done (INSTDONE). Neither is known, but most bits of INSTDONE always read one,
 * and a header is one of few: so a code can be taken apart again. */
#ifndef PERGOLA_HANG_ECODE_H
#define PERGOLA_HANG_ECODE_H

#include "hw/hw.h"

struct hang_ecode {
   unsigned generation; /* 0: the line does not say */
   unsigned engines;    /* enum hw_engine_bit: those that may be meant; 0: it does not say */
   uint32_t code;
};

/* Finds a code in a line of a log or of an error state, or takes a bare one ("7:0:0x85fdfffd",
 * "0x85fdfffd"). False: there is none. */
bool hang_ecode_parse(const char *line, struct hang_ecode *out);

struct hang_candidate {
   const struct hw_command *command;
   unsigned engine; /* enum hw_engine_bit */
   uint32_t ipehr, instdone;
   unsigned cost; /* how far-fetched it is: 0 is the likeliest */
};

/* The commands that fit, the likeliest first, each once per engine; returns how many. `engines` 0:
 * all three. */
unsigned hang_ecode_explain(uint32_t code, unsigned engines, unsigned device_bit,
                            struct hang_candidate *out, unsigned most);

/* What a command of that kind waits for, for people; NULL: it waits for nothing by itself. */
const char *hang_command_waits(const struct hw_command *c);

/* Calls fn for every unit of an engine that a value of INSTDONE calls busy, the ring aside: its
 * name and what that means. Returns how many there are. */
typedef void (*hang_unit_fn)(void *data, const char *unit, const char *meaning);
unsigned hang_busy_units(uint32_t instdone, unsigned engine, unsigned device_bit, hang_unit_fn fn,
                         void *data);

#endif
