/* What is told (report.c), and what is left after a hang (error_state.c). */
#ifndef PERGOLA_DRM_REPORT_H
#define PERGOLA_DRM_REPORT_H

#include "names.h"

int kreport_open(struct kernel *k);
void kreport_batch(struct kernel *k, const struct request *r, const void *batch, uint32_t bytes);
void kreport_batch_done(struct kernel *k, const struct request *r, bool hung);
void kreport_hang(struct kernel *k, const struct engine *e, const char *why, const char *threads);
void kreport_close(struct kernel *k);
void kreport_after_fork(struct kernel *k); /* in the child */

void error_state_capture(struct kernel *k, const struct engine *e, const char *threads);
void error_state_clear(struct kernel *k);

#endif
