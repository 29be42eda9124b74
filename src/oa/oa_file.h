/* The file that oa/record.h writes, read by one who does not trust it; and what it says. */
#ifndef PERGOLA_OA_FILE_H
#define PERGOLA_OA_FILE_H

#include "oa/gen11.h"

#include <stdio.h>

#define OA_FILE_MAGIC "pergola oa 1\n\0\0" /* 16 bytes with the closing zero */

struct oa_file_header {
   char magic[16];
   char part[32];
   uint32_t eus, threads_per_eu;
   uint32_t ctl[OA11_CTL]; /* EU_PERF_CNT_CTL0..6: what A7..A20 are */
   uint32_t spare[7];
};
_Static_assert(sizeof(struct oa_file_header) == 112, "as it is in the file");

/* Behind a dispatch. The first is in front of all of them. */
struct oa_file_record {
   char command[32];
   uint64_t number; /* of the dispatch, from 1 */
   uint64_t address;
   uint64_t spare[2];
   uint32_t report[OA11_REPORT_MAX_DW]; /* Counter Select 101 */
};
_Static_assert(sizeof(struct oa_file_record) == 320, "as it is in the file");

/* A7..A20 as a recording has them: some pipeline active, stalled, FPU0, FPU1, sends, mov, binary
 * and ternary on FPU0, both FPUs, loaded threads by eight, VS, PS and TS on FPU0, binary on FPU1.
 */
extern const uint32_t oa_file_ctl[OA11_CTL];

struct oa_file {
   const struct oa_file_header *header;
   const struct oa_file_record *record;
   size_t dispatches; /* records but the first */
};
/* NULL, or what is wrong with it (static text). The data stays the caller's, aligned to 8 bytes. */
const char *oa_file_read(struct oa_file *f, const void *data, size_t size);

/* What a dispatch, or all of them, counted. */
struct oa_file_row {
   uint64_t ticks, a[OA11_A], b[OA11_B], c[OA11_C];
};
void oa_file_row(const struct oa_file *f, size_t dispatch, struct oa_file_row *row);

enum oa_file_form { OA_FILE_TEXT, OA_FILE_JSON, OA_FILE_CSV };
/* One line for every dispatch and one in all; total: the latter alone. */
void oa_file_print(const struct oa_file *f, FILE *out, enum oa_file_form form, bool total);

#endif
