/* Private to the pixel back end: the colour calculator for eight pixels at once, bit for bit as
 * cc_element does it. */
#ifndef PERGOLA_RENDER_CC_FAST_H
#define PERGOLA_RENDER_CC_FAST_H

#include "render/cc/cc.h"
#include "surface/view.h"

/* Chosen when a target is met. NULL: there is none. */
typedef void (*cc_mix_fn)(const void *target, const struct surface_view *v,
                          const uint32_t (*color)[8], unsigned step, uint32_t (*word)[8]);
/* The same for 16 pixels, channel i of the first eight in row 2 * i; elements of a dword. */
typedef void (*cc_mix_row_fn)(const void *target, const struct surface_view *v,
                              const uint32_t (*color)[8], uint32_t (*word)[8]);
/* True: there is a fast path; *fn is NULL if colours only have to be packed. */
bool cc_choose_fast(const struct cc_target *t, const struct surface_view *v, cc_mix_fn *fn,
                    cc_mix_row_fn *row);
/* fast_avx2.c */
void cc_mix_eights(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                   unsigned step, uint32_t (*word)[8]);
void cc_mix_over(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                 unsigned step, uint32_t (*word)[8]);
void cc_mix_unorm(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                  unsigned step, uint32_t (*word)[8]);
void cc_mix_float(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                  unsigned step, uint32_t (*word)[8]);
void cc_mix_eights_row(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                       uint32_t (*word)[8]);
void cc_mix_over_row(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                     uint32_t (*word)[8]);

#endif
