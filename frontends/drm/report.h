/* What is told (report.c), and what is left after a hang (error_state.c). */
#ifndef PERGOLA_DRM_REPORT_H
#define PERGOLA_DRM_REPORT_H

#include "names.h"

#include <stddef.h>

int kreport_open(struct kernel *k);
void kreport_batch(struct kernel *k, const struct request *r, const void *batch, uint32_t bytes);
/* A dump is as DIR/batch-NNNNN-RING, and this is its path without an ending. */
void kreport_dump_name(const struct kernel *k, const struct request *r, char *path, size_t size);
void kreport_dump_failed(struct kernel *k, const char *path, int error);
/* It was cancelled, or its context is banned. */
void kreport_batch_dropped(struct kernel *k, const struct request *r);
/* A file that was asked for cannot be written: told, and an error at the end. */
void kreport_unwritten(struct kernel *k, const char *path, int error);
void kreport_batch_done(struct kernel *k, struct request *r, bool hung);
void kreport_hang(struct kernel *k, const struct engine *e, const char *why, const char *threads);
void kreport_close(struct kernel *k);
void kreport_after_fork(struct kernel *k); /* in the child */

void error_state_capture(struct kernel *k, const struct engine *e);
/* record.c. A negative errno: the file cannot be made. */
int record_open(struct kernel *k, const char *path);
bool record_close(struct kernel *k); /* false: it is not whole */
void record_before(struct kernel *k, const struct request *r);
void record_unbind(const struct vma *v);
void record_after(struct kernel *k, const struct request *r, bool hung);
void error_state_clear(struct kernel *k);

#endif
