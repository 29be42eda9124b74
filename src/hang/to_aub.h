#ifndef PERGOLA_HANG_TO_AUB_H
#define PERGOLA_HANG_TO_AUB_H

#include "hang/capture.h"

/* False, and a sentence in error: it has no batch, or the file cannot be written. */
bool capture_to_aub(const struct capture *c, const char *path, char error[160]);

#endif
