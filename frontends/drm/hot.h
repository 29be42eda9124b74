/* Where EU threads spend their instructions: the hottest kernels and instructions. */
#ifndef PERGOLA_DRM_HOT_H
#define PERGOLA_DRM_HOT_H

#include "json/json.h"
#include "pergola/pergola.h"

struct hot;

struct hot *hot_create(void); /* NULL without memory, which all of these take */
void hot_destroy(struct hot *h);
void hot_thread(struct hot *h, const struct pergola_event *e); /* one that ended */
void hot_print(struct hot *h, struct pergola_device *dev);     /* on standard error */
/* Members "kernels" and "instructions" of an object. */
void hot_put(struct hot *h, struct json *j, struct pergola_device *dev);

#endif
