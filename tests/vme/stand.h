/* A device, a thread made by hand and memory for pictures: requests go through sf_vme as a kernel's
 * would. */
#ifndef PERGOLA_TEST_VME_STAND_H
#define PERGOLA_TEST_VME_STAND_H

#include "shared_functions/sf.h"
#include "pergola/pergola_machine.h"
#include "surface/surface.h"
#include "tests/vme/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define STAND_FIRST 0x100000u /* graphics addresses are host offsets from here on */
#define STAND_SIZE 0x2000000u
#define STAND_SURFACES 0x100000u /* surface state base; binding table at 0x40 */
#define STAND_STATE 0x120000u    /* dynamic state base: VME states */
#define STAND_PICTURES 0x200000u /* three pictures, 8 MiB apart */

enum stand_tiling { STAND_LINEAR, STAND_TILE_X = 2, STAND_TILE_Y = 3 };

struct vme_stand {
   struct pergola_machine machine;
   struct pergola_device *dev;
   uint8_t *host;
   struct eu_env env;
   struct eu_thread *t;
   char rules[64][12];
   unsigned rule_count;
   unsigned tiling;     /* of the pictures */
   unsigned format;     /* of the surfaces: MEDIA_SURFACE_STATE Surface Format */
   unsigned mlen, rlen; /* 0: as the request needs */
   bool eot, no_header;
   uint32_t exec_mask;
   const uint8_t *loaded[3]; /* pictures that lie in memory already */
};

/* check: diagnostics on. */
struct vme_stand *stand_create(bool check);
void stand_destroy(struct vme_stand *s);
int stand_setup(void **state);
int stand_teardown(void **state);

/* Puts pictures and state in memory and sends; the registers of the answer, and how many. */
unsigned vme_model_run(struct vme_stand *s, const struct vme_request *q, uint32_t out[10][8]);
/* Pictures are put in memory again, though their addresses are the same. */
void stand_forget(struct vme_stand *s);

bool stand_said(const struct vme_stand *s, const char *rule);
#define assert_rule(s, rule)                                                                       \
   do {                                                                                            \
      if (!stand_said(s, rule))                                                                    \
         fail_msg("%s was not reported", rule);                                                    \
      (s)->rule_count = 0;                                                                         \
   } while (0)
#define assert_silent(s)                                                                           \
   do {                                                                                            \
      if ((s)->rule_count)                                                                         \
         fail_msg("%s was reported", (s)->rules[0]);                                               \
   } while (0)

/* A legal request to start from: inter, one reference, 48x40 window at (-16, -12), the whole window
 * by a serpentine path, all shapes, SAD, no costs, no limit of vectors. */
void request_plain(struct vme_request *q, const struct vme_picture *source,
                   const struct vme_picture *reference, unsigned x, unsigned y);
/* Fields by the generated layouts: unpacked, changed by the caller, packed again. */
struct request_fields {
   struct hw_vme_m0 m0;
   struct hw_vme_m1 m1;
};
void request_get(const struct vme_request *q, struct request_fields *f);
void request_put(struct vme_request *q, const struct request_fields *f);
/* The path of delta bytes, ended by (0,0). */
void request_path(struct vme_request *q, const uint8_t *deltas, unsigned count);
void request_serpentine(struct vme_request *q, unsigned columns, unsigned rows);

/* Pictures of the test's own. */
void picture_random(uint8_t *px, unsigned w, unsigned h, uint32_t seed);
/* Smooth, with structure at all sizes: the same place always has the same brightness. */
void picture_natural(uint8_t *px, unsigned w, unsigned h, int dx4, int dy4, uint32_t seed);

static inline int
mv_x(uint32_t dw)
{
   return (int16_t)dw;
}
static inline int
mv_y(uint32_t dw)
{
   return (int16_t)(dw >> 16);
}

#define STAND_TEST(name) cmocka_unit_test_setup_teardown(name, stand_setup, stand_teardown)

#endif
