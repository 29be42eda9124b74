/* pergola vme: pictures in, a motion search on the model, drawings and tables out. */
#ifndef PERGOLA_CLI_VME_H
#define PERGOLA_CLI_VME_H

#include "gen7_hw.h"
#include "hw/hw.h"
#include "pergola/pergola.h"

#include <stdio.h>

/* Luma, in whole macroblocks: the right column and the last row are repeated. */
struct vme_image {
   uint32_t width, height; /* of the picture */
   uint32_t stride, rows;  /* multiples of 16 */
   uint8_t *y;
};

void vme_image_free(struct vme_image *p);
/* An empty picture; false: too large, or no memory. */
bool vme_image_create(struct vme_image *p, uint32_t width, uint32_t height);
/* PNG, any kind; false: said why. */
bool vme_image_read_png(struct vme_image *p, const char *path);

/* Frames of a Y4M file, or of raw planar 4:2:0. */
struct vme_video {
   FILE *f;
   const char *path;
   bool y4m;
   uint32_t width, height;
   uint64_t frame_B, first; /* bytes of a frame, and of what stands before the first one */
   unsigned frames;
};
bool vme_video_open(struct vme_video *v, const char *path, uint32_t width, uint32_t height);
void vme_video_close(struct vme_video *v);
bool vme_video_read(struct vme_video *v, unsigned frame, struct vme_image *p);

/* One request for every macroblock: what all have in common. */
struct vme_settings {
   uint32_t in[5][8];  /* M0 to M4; the kernel fills positions and neighbours */
   uint32_t state[32]; /* VME_SEARCH_PATH_LUT_STATE */
};
struct vme_answer {
   uint32_t w[6][8];
};

struct vme_machine;
struct vme_machine *vme_machine_create(const char *sku, const char *kernel, size_t size);
void vme_machine_destroy(struct vme_machine *m);
struct pergola_device *vme_machine_device(struct vme_machine *m);
/* Searches every macroblock of the source; reference[1] may be NULL. Answers in raster order, valid
 * until the next call; NULL: said why. */
const struct vme_answer *vme_machine_search(struct vme_machine *m, const struct vme_settings *s,
                                            const struct vme_image *source,
                                            const struct vme_image *const reference[2]);

/* ---- what comes out ---- */
/* The source predicted by the answers: blocks at their vectors, intra blocks as their mean. */
bool vme_compensate(const struct vme_settings *s, const struct vme_image *source,
                    const struct vme_image *const reference[2], const struct vme_answer *answers,
                    struct vme_image *out);
double vme_psnr(const struct vme_image *a, const struct vme_image *b);
bool vme_write_gray(const char *path, const struct vme_image *p);
/* The source with partitions, vectors and intra blocks drawn over it, `scale` times as large. */
bool vme_write_overlay(const char *path, const struct vme_image *source,
                       const struct vme_answer *answers, unsigned scale);
void vme_write_json(FILE *f, const struct vme_image *source, const struct vme_answer *answers,
                    unsigned frame, double psnr);
void vme_write_csv(FILE *f, const struct vme_image *source, const struct vme_answer *answers,
                   unsigned frame);
void vme_print_summary(FILE *f, const struct vme_image *source, const struct vme_answer *answers,
                       double psnr);

/* A block of an inter answer. */
struct vme_part {
   uint8_t x, y, w, h; /* pixels in the macroblock */
   uint8_t direction;  /* 0 forward, 1 backward, 2 both */
   bool direct;
   int16_t mv[2][2]; /* by direction: x, y in quarter pixels */
   uint16_t cost;
};
unsigned vme_parts(const struct vme_answer *a, struct vme_part parts[16]);

#endif
