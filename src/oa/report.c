/* SYS-470: report formats. What counts is not modelled yet: the counters hold what was put into
 * them. */
#include "oa/oa.h"

#include <string.h>

/* Counters from dword 16 on; the first 16 dwords are common to all formats but one. */
struct format {
   uint8_t length_dw;
   uint8_t first_a, count_a; /* A counters at dword 16 */
   uint8_t b_at;             /* dword of B0..B3; 0: none */
   bool low_a;               /* A0..A12 in dwords 3..15 */
};

static const struct format formats[8] = {
    [0] = {16, 0, 0, 0, true},    [1] = {32, 13, 16, 0, true},  [2] = {32, 0, 0, 16, true},
    [3] = {48, 13, 16, 32, true}, [5] = {64, 13, 32, 48, true}, [6] = {32, 29, 16, 0, false},
};

static void
place_rule(struct pergola_device *dev, const char *rule, const char *field, const char *text)
{
   struct rule_place place = {"RCS", "OACONTROL", field, REG_OACONTROL, true};
   rule_report(dev, PERGOLA_WARNING, rule, &place, "%s", text);
}

unsigned
oa_report(struct pergola_device *dev, uint32_t report_id, uint32_t report[OA_REPORT_MAX_DW])
{
   uint32_t control = reg_get(dev, REG_OACONTROL);
   const struct format *f = &formats[hw_get(control, REG_OACONTROL__COUNTER_SELECT)];
   if (!(control & REG_OACONTROL__PERFORMANCE_COUNTER_ENABLE))
      place_rule(dev, "SYS-468", "Performance Counter Enable",
                 "a report is asked for while the counters are off; it holds what they hold");
   if (!f->length_dw) {
      place_rule(dev, "SYS-470", "Counter Select", "this counter select is undefined; taken as 0");
      f = &formats[0];
   }
   uint64_t time = clock_timestamp(dev);
   memset(report, 0, OA_REPORT_MAX_DW * sizeof(report[0]));
   report[0] = report_id;
   report[1] = (uint32_t)time;
   report[2] = (uint32_t)(time >> 32);
   if (f->low_a)
      memcpy(&report[3], &dev->oa_a[0], 13 * sizeof(report[0]));
   memcpy(&report[16], &dev->oa_a[f->first_a], f->count_a * sizeof(report[0]));
   if (f->b_at)
      memcpy(&report[f->b_at], dev->oa_b, sizeof(dev->oa_b));
   return f->length_dw;
}
