/* Performance counters and their reports. */
#ifndef PERGOLA_OA_H
#define PERGOLA_OA_H

#include "machine/device.h"

#define OA_REPORT_MAX_DW 64

/* One report in the format that OACONTROL selects; returns its dwords. */
unsigned oa_report(struct pergola_device *dev, uint32_t report_id,
                   uint32_t report[OA_REPORT_MAX_DW]);

#endif
