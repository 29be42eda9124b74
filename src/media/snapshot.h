/* The media pipeline saved and loaded: what its files share. */
#ifndef PERGOLA_MEDIA_SNAPSHOT_H
#define PERGOLA_MEDIA_SNAPSHOT_H

#include "eu/snapshot.h"
#include "media/ts.h"

void ts_snapshot(struct media *m, struct snapshot *s);

#endif
