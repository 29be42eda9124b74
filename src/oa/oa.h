/* Performance counters and their reports, as Gen7 has them. */
#ifndef PERGOLA_OA_H
#define PERGOLA_OA_H

#include "machine/device.h"
#include "oa/events.h"

#define OA_REPORT_MAX_DW 64
#define OA_GEN7_A 45

/* One report in the format that OACONTROL selects; returns its dwords. */
unsigned oa_report(struct pergola_device *dev, uint32_t report_id,
                   uint32_t report[OA_REPORT_MAX_DW]);

/* Adds events to the A counters. render_clocks: in which the render engine was busy. */
void oa_gen7_count(uint32_t a[OA_GEN7_A], const struct oa_events *e, uint64_t render_clocks);

#endif
